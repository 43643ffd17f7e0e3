import type { SessionRow } from '@lessonbook/contract/sessions';
import { notifyStore } from './shared/notify-store.ts';

type ChangedSession = Pick<SessionRow, 'id' | 'date'>;

/** Past sessions need no notification. */
export const promptNotifyCancelled = (sessions: readonly ChangedSession[], today: string) =>
  notifyStore.open({ kind: 'cancelled', sessions: sessions.filter(({ date }) => date >= today) });

export const promptNotifyMoved = (session: ChangedSession) =>
  notifyStore.open({ kind: 'moved', sessions: [session] });
