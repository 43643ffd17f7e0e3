import type { SessionRow } from '@lessonbook/contract/sessions';
import { notifyFamiliesStore } from './shared/notify-families-store.ts';

type ChangedSession = Pick<SessionRow, 'id' | 'date'>;

/** Past sessions need no notification. */
export const offerCancellationNotice = (sessions: readonly ChangedSession[], today: string) =>
  notifyFamiliesStore.open({ sessions: sessions.filter(({ date }) => date >= today) });

export const offerRescheduleNotice = (session: ChangedSession) =>
  notifyFamiliesStore.open({ sessions: [session] });
