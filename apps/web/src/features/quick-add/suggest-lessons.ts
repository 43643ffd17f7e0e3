import { toMajor, toMinor } from '@lessonbook/contract/money';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import { formatAmount, formatList, formatShortDate, formatTimeRange } from '../../lib/format.ts';
import { addMinutesToTime, formatAmountInput, parseAmount } from '../../lib/parse-input.ts';
import {
  DEFAULT_START,
  type LessonDefaults,
  type LessonFormValues,
  newFormValues,
  withDefaultFee,
  withDefaultTitle,
} from '../lessons/shared/lesson-form.ts';
import {
  type ParsedLesson,
  parseLesson,
  type QuickAddContext,
  type QuickAddStudent,
  type QuickAddSubject,
} from './parse-lesson.ts';

/** A lesson that the tutor may have meant, as text and as defaults for the dialog. */
export interface LessonSuggestion {
  label: string;
  /** Assumptions, missing details and unrecognised words. */
  notes: string[];
  defaults: LessonDefaults;
}

const MAX_SUGGESTIONS = 4;

/** The lessons that a sentence may mean. Empty for any other text, which is treated as a search. */
export function suggestLessons(sentence: string, context: QuickAddContext): LessonSuggestion[] {
  const parsed = parseLesson(sentence, context);
  if (!looksLikeLesson(parsed)) return [];
  const students = undefinedIfEmpty(parsed.students);
  const subjects = undefinedIfEmpty(parsed.subjects);
  return students
    .flatMap((student) => subjects.map((subject) => ({ student, subject })))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ student, subject }) => {
      const defaults = { values: toLessonValues(parsed, student, subject, context.today) };
      const form = newFormValues(defaults, context.today);
      return {
        label: formatLesson(form, student, subject, context.today),
        notes: collectNotes(parsed, form),
        defaults,
      };
    });
}

const undefinedIfEmpty = <Item>(items: readonly Item[]): (Item | undefined)[] =>
  items.length > 0 ? [...items] : [undefined];

/** A lesson has a date, time or recurrence, one other detail, and no more unrecognised words than details. */
function looksLikeLesson(parsed: ParsedLesson): boolean {
  const timeDetails = [parsed.date, parsed.startTime, parsed.pattern].filter(Boolean).length;
  const otherDetails = [parsed.fee, parsed.minutes, parsed.students[0], parsed.subjects[0]].filter(
    Boolean,
  ).length;
  return (
    timeDetails > 0 &&
    timeDetails + otherDetails > 1 &&
    parsed.unrecognized.length <= timeDetails + otherDetails
  );
}

/** The dialog's fields. The title and fee are filled in as if the student and subject had been selected there. */
function toLessonValues(
  parsed: ParsedLesson,
  student: QuickAddStudent | undefined,
  subject: QuickAddSubject | undefined,
  today: string,
): Partial<LessonFormValues> {
  const startTime = parsed.startTime ?? DEFAULT_START;
  const endTime = parsed.endTime ?? (parsed.minutes && addMinutesToTime(startTime, parsed.minutes));
  return {
    ...(student && { studentId: String(student.id) }),
    ...(subject && { subjectId: String(subject.id) }),
    ...withDefaultTitle(newFormValues({}, today), student?.name, subject?.name),
    ...(subject && withDefaultFee(subject)),
    ...(parsed.date && { date: parsed.date }),
    startTime,
    endTime: endTime || addMinutesToTime(startTime, 60),
    ...toFeeValues(parsed),
    ...(parsed.pattern && { isRecurring: true, recurringPattern: parsed.pattern }),
    ...(parsed.until && { recurringEndDate: parsed.until }),
  };
}

function toFeeValues({ fee }: ParsedLesson): Partial<LessonFormValues> {
  if (!fee) return {};
  return {
    fee: fee.minor === null ? '' : formatAmountInput(toMajor(fee.minor)),
    ...(fee.currency && { currency: fee.currency }),
  };
}

const patternLabels: Record<RecurrencePattern, string> = {
  weekly: 'every week',
  biweekly: 'every two weeks',
  monthly: 'every month',
};

/** 'Maya Okafor, Maths, Tue 17 Nov 16:00–17:00, every week until Fri 18 Dec, £35'. Parsing it gives the same lesson. */
export function formatLesson(
  form: LessonFormValues,
  student: QuickAddStudent | undefined,
  subject: QuickAddSubject | undefined,
  today: string,
): string {
  const { date, startTime, endTime, isRecurring, recurringPattern, recurringEndDate } = form;
  const until = recurringEndDate && ` until ${formatShortDate(recurringEndDate, today)}`;
  const fee = parseAmount(form.fee);
  return [
    student?.name,
    subject?.name,
    `${formatShortDate(date, today)} ${formatTimeRange(startTime, endTime)}`,
    isRecurring && `${patternLabels[recurringPattern]}${until}`,
    fee === null ? subject && 'free lesson' : formatAmount(toMinor(fee), form.currency as 'GBP'),
  ]
    .filter(Boolean)
    .join(', ');
}

function collectNotes(parsed: ParsedLesson, form: LessonFormValues): string[] {
  const { students, subjects, assumedHour, otherDays, unrecognized } = parsed;
  const missing = [!students[0] && 'student', !subjects[0] && 'subject'].filter(
    (label) => typeof label === 'string',
  );
  return [
    missing.length > 0 && `Still to choose: ${formatList(missing)}.`,
    assumedHour && `I took ${assumedHour} to be in the afternoon.`,
    !parsed.startTime && `No time given, so it starts at ${form.startTime}.`,
    otherDays.length > 0 &&
      `A lesson has one day: write ${formatList(otherDays)} down as another lesson.`,
    unrecognized.length > 0 &&
      `I did not understand ${formatList(unrecognized.map((word) => `“${word}”`))}.`,
  ].filter((note) => typeof note === 'string');
}
