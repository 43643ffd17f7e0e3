import type {
  CalendarProblem,
  CalendarStatus,
  ExternalChange,
} from '@lessonbook/contract/calendar';
import { formatShortDate, formatTimeRange, pluralize } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';

/** '1,040' */
const formatNumber = (number: number): string => new Intl.NumberFormat('en-GB').format(number);

/** Google has revoked access or the calendar has been deleted, so the tutor has to reconnect. */
export const needsReconnect = (problem: CalendarProblem | null): boolean =>
  problem === 'access_lost' || problem === 'calendar_deleted';

/** Resolves without action by the tutor, so it is not shown as an error. */
export const isTemporary = (problem: CalendarProblem): boolean =>
  problem === 'unreachable' || problem === 'busy';

/** The problem and what to do about it. */
export function formatSyncProblem(
  problem: CalendarProblem,
  { nextTryAt, waiting }: CalendarStatus,
  dateContext: DateContext,
): string {
  const next = nextTryAt ? `at ${formatTimestamp(nextTryAt, dateContext)}` : 'soon';
  const [lessons, them] =
    waiting > 1 ? [`${formatNumber(waiting)} lessons`, 'them'] : ['a lesson', 'it'];
  const messages: Record<CalendarProblem, string> = {
    access_lost:
      'Google no longer lets Lessonbook in. Connect again, and your lessons go on from there.',
    calendar_deleted:
      'Your "Lessons" calendar was deleted in Google. Connect again to make a new one.',
    unreachable: `Google does not answer. It is tried again ${next}; there is nothing for you to do.`,
    busy: `Google asks for a pause. It goes on ${next}; there is nothing for you to do.`,
    refused: `Google refuses ${lessons}, and would again. The others are in your calendar. Editing ${them} may help.`,
  };
  return messages[problem];
}

/** The progress while lessons are waiting, otherwise the time of the last sync. */
export function formatSyncStatus(status: CalendarStatus, dateContext: DateContext): string {
  const { lessons, waiting, initialSyncRunning, lastSyncAt, problem } = status;
  if (initialSyncRunning) {
    const all = `${formatNumber(lessons)} ${lessons === 1 ? 'lesson is' : 'lessons are'}`;
    return `${formatNumber(lessons - waiting)} of ${all} in your calendar`;
  }
  const last = lastSyncAt
    ? `Last sync ${formatTimestamp(lastSyncAt, dateContext)}`
    : 'Not synced yet';
  // Rejected lessons are not waiting.
  if (waiting === 0 || problem === 'refused') return last;
  return `${last}. ${formatNumber(waiting)} ${waiting === 1 ? 'lesson waits' : 'lessons wait'} to be sent.`;
}

/** '2 changes in Google wait for you' */
export const formatChangeCount = (number: number): string =>
  `${pluralize(number, 'change')} in Google ${number === 1 ? 'waits' : 'wait'} for you`;

/** 'Moved to Thu 19 Nov, 17:00–18:00' */
export function formatChange({ kind, to }: ExternalChange, today: string): string {
  if (kind === 'deleted') return 'Deleted';
  if (!to) return 'Changed to something a lesson cannot be';
  return `Moved to ${formatShortDate(to.date, today)}, ${formatTimeRange(to.startTime, to.endTime)}`;
}
