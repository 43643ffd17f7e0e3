import { type ChangeKind, isSameSlot, type Slot } from './pending-notice.ts';
import { formatShortDate, formatTime } from './templates.ts';

export interface LocalSlot {
  date: string;
  startTime: string;
  endTime: string;
}

export interface Change {
  studentName: string;
  /** 'Maya: Maths, 4:00 pm to 5:00 pm' */
  summary: string;
  date: string;
  newSlot: LocalSlot | null;
}

/** Describes a change as the recipient sees it: from the last time they were sent to the current one. */
export function toChange(
  known: Slot & Omit<Change, 'newSlot'>,
  current: (Slot & LocalSlot) | null,
): Change {
  const { studentName, summary, date } = known;
  // If a restored lesson has the time they were last sent, the time is not repeated.
  const newSlot = current === null || isSameSlot(known, current) ? null : current;
  return { studentName, summary, date, newSlot };
}

/** '4:00 pm to 5:00 pm' */
const formatTimeSpan = ({ startTime, endTime }: LocalSlot): string =>
  `${formatTime(startTime)} to ${formatTime(endTime)}`;

const SUBJECT_PREFIX: Record<ChangeKind, string> = {
  cancelled: 'Cancelled',
  moved: 'Moved',
  restored: 'On again',
};

const INTRODUCTION: Record<ChangeKind, (isPlural: boolean) => string> = {
  cancelled: (isPlural) => `${isPlural ? 'These lessons do' : 'This lesson does'} not take place:`,
  moved: (isPlural) => `${isPlural ? 'These lessons have' : 'This lesson has'} a new time:`,
  restored: (isPlural) =>
    `${isPlural ? 'These lessons take' : 'This lesson takes'} place after all:`,
};

/** A cancelled lesson has no call to join. */
const withoutMeetingLink = (summary: string): string => summary.replace(/, https?:\/\/\S+$/, '');

export function changeTemplateValues(
  kind: ChangeKind,
  changes: readonly Change[],
  today: string,
): { what: string; short: string; news: string; lessons: string } {
  const line = ({ date, summary, newSlot }: Change) => {
    const text = kind === 'cancelled' ? withoutMeetingLink(summary) : summary;
    const before = `${formatShortDate(date, today)}, ${text}`;
    return newSlot
      ? `${before}\nis now ${formatShortDate(newSlot.date, today)}, ${formatTimeSpan(newSlot)}`
      : before;
  };
  return {
    what: SUBJECT_PREFIX[kind],
    short: changes
      .map(({ studentName, date }) => `${studentName} ${formatShortDate(date, today)}`)
      .join(', '),
    news: INTRODUCTION[kind](changes.length > 1),
    lessons: changes.map(line).join('\n\n'),
  };
}
