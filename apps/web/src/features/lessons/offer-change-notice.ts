import type { PreviousTime, SessionRow } from '@lessonbook/contract/sessions';
import { notifyFamiliesStore } from './shared/notify-families-store.ts';

type ChangedSession = Pick<SessionRow, 'id' | 'date'>;

/** Omits past sessions, which need no notification. */
export const offerCancellationNotice = (sessions: readonly ChangedSession[], today: string) =>
  notifyFamiliesStore.open({ sessions: sessions.filter(({ date }) => date >= today) });

/** At most this many lessons fit into a notice. */
const MAX_LESSONS = 500;

export function offerSeriesMoveNotice(moved: readonly PreviousTime[]): void {
  const previousTimes = moved.slice(0, MAX_LESSONS);
  const sessions = previousTimes.map(({ sessionId }) => ({ id: sessionId }));
  notifyFamiliesStore.open({ sessions, previousTimes });
}

export const offerRescheduleNotice = (session: ChangedSession) =>
  notifyFamiliesStore.open({ sessions: [session] });
