import { firstName } from '@lessonbook/contract/person-name';
import { formatLessonLine, formatShortDate, formatTime, type LessonText } from './templates.ts';

/** What happened to a lesson that somebody was told of. */
export type ChangeKind = 'cancelled' | 'moved' | 'back';

export interface Change {
  student: string;
  /** As it was said, or would be said: 'Maya: Maths, 4:00 pm to 5:00 pm'. */
  line: string;
  date: string;
  /** Where it takes place instead. */
  now: { date: string; startTime: string; endTime: string } | null;
}

export const toChange = (lesson: LessonText, now: Change['now']): Change => ({
  student: firstName(lesson.studentName),
  line: formatLessonLine(lesson),
  date: lesson.date,
  now,
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
  back: 'On again',
};

const INTRODUCTION: Record<ChangeKind, (many: boolean) => string> = {
  cancelled: (many) => `${many ? 'These lessons do' : 'This lesson does'} not take place:`,
  moved: (many) => `${many ? 'These lessons have' : 'This lesson has'} a new time:`,
  back: (many) => `${many ? 'These lessons take' : 'This lesson takes'} place after all:`,
};

/** The values that a template about changed lessons may use. */
export function changeTemplateValues(
  kind: ChangeKind,
  changes: readonly Change[],
  today: string,
): { what: string; short: string; news: string; lessons: string } {
  const line = ({ date, line: said, now }: Change) => {
    const was = `${formatShortDate(date, today)}, ${said}`;
    return now ? `${was}\nis now ${formatShortDate(now.date, today)}, ${formatTimeSpan(now)}` : was;
  };
  return {
    what: SUBJECT_PREFIX[kind],
    short: changes
      .map(({ student, date }) => `${student} ${formatShortDate(date, today)}`)
      .join(', '),
    news: INTRODUCTION[kind](changes.length > 1),
    lessons: changes.map(line).join('\n\n'),
  };
}
