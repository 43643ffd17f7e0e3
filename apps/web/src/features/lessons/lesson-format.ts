import { weekday } from '@lessonbook/contract/dates';
import type { ChangeSummary } from '@lessonbook/contract/lessons';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { pluralize, shortDate, shortWeekday, timeRange } from '../../lib/format.ts';

/** 'Mon 21 Dec to Fri 1 Jan 2027', 'Tue 17 Nov, 09:00–12:00' */
export function formatTimeOff(off: TimeOff, today: string): string {
  const days =
    off.fromDate === off.toDate
      ? shortDate(off.fromDate, today)
      : `${shortDate(off.fromDate, today)} to ${shortDate(off.toDate, today)}`;
  return off.startTime && off.endTime ? `${days}, ${timeRange(off.startTime, off.endTime)}` : days;
}

export type ChangeVerb = 'move' | 'change' | 'delete';

/** How many lessons it touches. */
export const affectedCount = ({ changed, created, removed }: ChangeSummary): number =>
  changed + created + removed;

const verbLabels: Record<ChangeVerb, string> = { move: 'Move', change: 'Change', delete: 'Delete' };

/** 'Move 12 lessons': the button repeats what the box says. */
export const formatSubmitLabel = (verb: ChangeVerb, number: number | undefined): string =>
  number === undefined ? verbLabels[verb] : `${verbLabels[verb]} ${pluralize(number, 'lesson')}`;

/** What happens, one sentence for each kind. */
export function formatChanges(
  verb: ChangeVerb,
  consequences: ChangeSummary,
  today: string,
): string[] {
  const { changed, created, removed } = consequences;
  const gone = verb === 'delete' ? 'cancelled, free of charge' : 'taken out';
  return [
    changed > 0 &&
      formatCount(changed, verb === 'move' ? ['moves', 'move'] : ['changes', 'change']),
    created > 0 && formatCount(created, ['is added', 'are added']),
    removed > 0 && formatCount(removed, [`is ${gone}`, `are ${gone}`]),
  ]
    .filter((sentence) => sentence !== false)
    .map((sentence, index) =>
      index === 0 ? `${sentence}${formatDateRange(consequences, today)}` : sentence,
    );
}

const formatCount = (number: number, [one, many]: [string, string]): string =>
  `${pluralize(number, 'lesson')} ${number === 1 ? one : many}`;

function formatDateRange({ firstDate, lastDate }: ChangeSummary, today: string): string {
  if (!firstDate || !lastDate) return '';
  if (firstDate === lastDate) return `: ${shortDate(firstDate, today)}`;
  return `: ${shortDate(firstDate, today)} to ${shortDate(lastDate, today)}`;
}

const unchangedReasons: Record<
  ChangeSummary['unchanged'][number]['reason'],
  [one: string, many: string]
> = {
  completed: ['already taught', 'already taught'],
  cancelled: ['cancelled', 'cancelled'],
  moved: ['moved before', 'moved before'],
  edited: ['edited by itself', 'edited by themselves'],
  invoiced: ['invoiced', 'invoiced'],
  past: ['past', 'past'],
};

/** 'Stay as they are: 2 already taught, 1 cancelled'; nothing when all of them change. */
export function formatUnchanged({ unchanged }: ChangeSummary): string {
  const total = unchanged.reduce((sum, { count: number }) => sum + number, 0);
  if (total === 0) return '';
  const words = unchanged.map(({ reason, count: number }) =>
    pluralize(number, ...unchangedReasons[reason]),
  );
  return `${total === 1 ? 'Stays as it is' : 'Stay as they are'}: ${words.join(', ')}`;
}

interface LocalStart {
  date: string;
  startTime: string;
}

/** 'Tue 16:00 → Thu 17:00'; with dates where the weekday alone would not tell. */
export function formatMove(from: LocalStart, to: LocalStart): string {
  const sameDay = weekday(from.date) === weekday(to.date) && from.date !== to.date;
  const day = ({ date }: LocalStart) => (sameDay ? shortDate(date, date) : shortWeekday(date));
  const words = (dateContext: LocalStart) =>
    `${day(dateContext)} ${dateContext.startTime.slice(0, 5)}`;
  return `${words(from)} → ${words(to)}`;
}
