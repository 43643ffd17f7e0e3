import { weekday } from '@lessonbook/contract/dates';
import type { FeeSource } from '@lessonbook/contract/fee-source';
import type { ChangeSummary } from '@lessonbook/contract/lessons';
import type { Session } from '@lessonbook/contract/sessions';
import { formatShortDate, pluralize, shortWeekdayName } from '../../lib/format.ts';

export type ChangeVerb = 'move' | 'change' | 'delete';

/**
 * How many lessons change or, if none do, how many are added or removed. This is also the number in the first sentence of
 * the summary, so the options and the button must not show a different one.
 */
export const countAffectedLessons = ({ changed, created, removed }: ChangeSummary): number =>
  changed || created || removed;

const verbLabels: Record<ChangeVerb, string> = { move: 'Move', change: 'Change', delete: 'Delete' };

/** 'Move 12 lessons', or 'Add 5 lessons' if a series only gets longer. */
export function formatSubmitLabel(verb: ChangeVerb, summary: ChangeSummary | undefined): string {
  if (!summary) return verbLabels[verb];
  const { changed, created, removed } = summary;
  const label =
    verb === 'delete' || changed > 0 || created + removed === 0
      ? verbLabels[verb]
      : created > 0
        ? 'Add'
        : 'Remove';
  return `${label} ${pluralize(countAffectedLessons(summary), 'lesson')}`;
}

export interface Recurrence {
  isRecurring: boolean;
  /** Empty if there is no end date. */
  recurringEndDate: string;
}

/** One sentence each for changed, added and removed lessons, with the reason why lessons are removed. */
export function formatChanges(
  verb: ChangeVerb,
  summary: ChangeSummary,
  today: string,
  recurrence?: Recurrence,
): string[] {
  const { changed, created, removed } = summary;
  const removedVerb =
    verb === 'delete'
      ? 'deleted, with no charge'
      : `removed${formatReason(summary, recurrence, today)}`;
  return [
    changed > 0 && `${pluralize(changed, 'lesson')} will ${verb === 'move' ? 'move' : 'change'}`,
    created > 0 && `${pluralize(created, 'lesson')} will be added`,
    removed > 0 && `${pluralize(removed, 'lesson')} will be ${removedVerb}`,
  ]
    .filter((sentence) => sentence !== false)
    .map((sentence, index) =>
      index === 0 ? `${sentence}${formatDateRange(summary, today)}` : sentence,
    );
}

/** A series without an end date is generated a year ahead, so a lesson removed at its end is added again later. */
function formatReason(
  { outsideTerms }: ChangeSummary,
  recurrence: Recurrence | undefined,
  today: string,
): string {
  if (!recurrence) return '';
  if (!recurrence.isRecurring) return ', because the lesson no longer repeats';
  if (outsideTerms.length > 0) return ', because lessons take place in term time only';
  if (recurrence.recurringEndDate !== '')
    return `: after the end date, ${formatShortDate(recurrence.recurringEndDate, today)}`;
  return ' for now: lessons are planned one year ahead, and more will be added automatically';
}

/** 'Of these, 5 will be cancelled because of your time off: Tue 22 Dec, Tue 29 Dec, and 3 more', and dates outside the terms. */
export function formatSkipped({ skipped, outsideTerms }: ChangeSummary, today: string): string[] {
  const list = (label: string, dates: readonly string[]) => {
    const shown = dates.slice(0, MAX_SHOWN_DATES).map((date) => formatShortDate(date, today));
    const more = dates.length > shown.length ? `, and ${dates.length - shown.length} more` : '';
    return dates.length === 0 ? [] : [`${label}: ${shown.join(', ')}${more}`];
  };
  return [
    ...list(
      `Of these, ${skipped.length} will be cancelled because of your time off`,
      skipped.map(({ date }) => date),
    ),
    ...list('Not in term time', outsideTerms),
  ];
}

const MAX_SHOWN_DATES = 3;

function formatDateRange({ firstDate, lastDate }: ChangeSummary, today: string): string {
  if (!firstDate || !lastDate) return '';
  if (firstDate === lastDate) return `: ${formatShortDate(firstDate, today)}`;
  return `: ${formatShortDate(firstDate, today)} to ${formatShortDate(lastDate, today)}`;
}

const unchangedReasons: Record<
  ChangeSummary['unchanged'][number]['reason'],
  [singular: string, plural: string]
> = {
  completed: ['already completed', 'already completed'],
  cancelled: ['cancelled', 'cancelled'],
  moved: ['already moved', 'already moved'],
  edited: ['edited individually', 'edited individually'],
  invoiced: ['invoiced', 'invoiced'],
  past: ['past', 'past'],
};

/** "Won't change: 2 already completed, 1 cancelled"; empty when all lessons change. */
export function formatUnchanged({ unchanged }: ChangeSummary): string {
  if (unchanged.length === 0) return '';
  const reasons = unchanged.map(({ reason, count }) =>
    pluralize(count, ...unchangedReasons[reason]),
  );
  return `Won't change: ${reasons.join(', ')}`;
}

interface LocalStart {
  date: string;
  startTime: string;
}

/** Whether the date or time changes. */
export const isReschedule = (
  session: Pick<Session, 'date' | 'startTime' | 'endTime'>,
  to: { date: string; startTime: string; endTime: string },
): boolean =>
  session.date !== to.date ||
  session.startTime.slice(0, 5) !== to.startTime ||
  session.endTime.slice(0, 5) !== to.endTime;

/** 'Tue 16:00 → Thu 17:00'; includes the dates if the weekday is the same. */
export function formatMove(from: LocalStart, to: LocalStart): string {
  const sameWeekday = weekday(from.date) === weekday(to.date) && from.date !== to.date;
  const day = ({ date }: LocalStart) =>
    sameWeekday ? formatShortDate(date, date) : shortWeekdayName(date);
  const format = (start: LocalStart) => `${day(start)} ${start.startTime.slice(0, 5)}`;
  return `${format(from)} → ${format(to)}`;
}

/** Where the price of a place comes from. */
export const feeSourceLabels: Record<FeeSource, string> = {
  session: 'Price for this date',
  student: 'Individual price',
  lesson: 'Price per place',
  rate: "Student's rate",
  subject: "Subject's default fee",
};
