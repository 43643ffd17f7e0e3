import { firstName } from '@lessonbook/contract/first-name';
import { formatLessonLine, formatShortDate, formatTime, type LessonText } from './templates.ts';

export type ChangeKind = 'cancelled' | 'moved' | 'restored';

export interface Change {
  studentName: string;
  /** 'Maya: Maths, 4:00 pm to 5:00 pm' */
  summary: string;
  date: string;
  newSlot: { date: string; startTime: string; endTime: string } | null;
}

export const toChange = (lesson: LessonText, newSlot: Change['newSlot']): Change => ({
  studentName: firstName(lesson.studentName),
  summary: formatLessonLine(lesson),
  date: lesson.date,
  newSlot,
});

/** '4:00 pm to 5:00 pm' */
export const formatTimeSpan = ({
  startTime,
  endTime,
}: {
  startTime: string;
  endTime: string;
}): string => `${formatTime(startTime)} to ${formatTime(endTime)}`;

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

export function changeTemplateValues(
  kind: ChangeKind,
  changes: readonly Change[],
  today: string,
): { what: string; short: string; news: string; lessons: string } {
  const line = ({ date, summary, newSlot }: Change) => {
    const before = `${formatShortDate(date, today)}, ${summary}`;
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
