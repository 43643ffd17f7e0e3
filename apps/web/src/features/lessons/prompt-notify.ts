import type { SessionRow } from '@lessonbook/contract/sessions';
import { notifyStore } from './shared/notify-store.ts';

type ChangedSession = Pick<SessionRow, 'id' | 'date'>;

/** What was to have been yesterday is no news. */
export const promptNotifyCancelled = (sessions: readonly ChangedSession[], today: string) =>
  notifyStore.ask({ kind: 'cancelled', sessions: sessions.filter(({ date }) => date >= today) });

export const promptNotifyMoved = (session: ChangedSession) =>
  notifyStore.ask({ kind: 'moved', sessions: [session] });
