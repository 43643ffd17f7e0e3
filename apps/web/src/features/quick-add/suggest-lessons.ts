import { matchStudentSubjects } from '@lessonbook/contract/match-student-subjects';
import { toMajor, toMinor } from '@lessonbook/contract/money';
import { normalizeText } from '@lessonbook/contract/normalize-text';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import { formatAmount, formatList, formatShortDate, formatTimeRange } from '../../lib/format.ts';
import { addMinutesToTime, formatAmountInput, parseAmount } from '../../lib/parse-input.ts';
import { withDefaultFee, withDefaultTitle } from '../lessons/shared/dependent-fields.ts';
import {
  DEFAULT_START,
  type LessonDefaults,
  type LessonFormValues,
  newFormValues,
} from '../lessons/shared/lesson-form.ts';
import { parseLesson, type QuickAddContext } from './parse-lesson.ts';
import { capitalizeWords } from './parse-lesson-action-or-new-student.ts';
import type { ParsedLesson, QuickAddStudent, QuickAddSubject } from './resolve-lesson.ts';

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
  const choices = undefinedIfEmpty(parsed.students).flatMap((student) => {
    const subjects = findSubjectChoices(parsed, student, context);
    const others = [...new Set(parsed.otherStudents)].filter((other) => other !== student);
    return undefinedIfEmpty(parsed.dates).flatMap((date) =>
      subjects.map((subject) => ({ student, others, subject, date })),
    );
  });
  return choices.slice(0, MAX_SUGGESTIONS).map((choice) => {
    const missing = findMissing(parsed, choice, context);
    const defaults = { values: toLessonValues(parsed, choice, missing, context.today) };
    const form = newFormValues(defaults, context.today);
    return {
      label: formatLesson(form, choice, context.today),
      notes: collectNotes(parsed, missing, form),
      defaults,
    };
  });
}

interface LessonChoice {
  student: QuickAddStudent | undefined;
  /** The other students of a group. */
  others?: readonly QuickAddStudent[];
  subject: QuickAddSubject | undefined;
  date?: string | undefined;
}

/**
 * Prefers the subjects that the student takes: 'maths' may mean their 'Maths GCSE'. If no subject was typed, only the
 * subjects that the student takes are offered.
 */
function findSubjectChoices(
  { subjects, similarSubjects }: ParsedLesson,
  student: QuickAddStudent | undefined,
  context: QuickAddContext,
): (QuickAddSubject | undefined)[] {
  const all = context.subjects.map(({ item }) => item);
  const { taken } = matchStudentSubjects(student ?? {}, all);
  if (subjects.length === 0) return undefinedIfEmpty(taken);
  const preferred = [...subjects, ...similarSubjects].filter((subject) => taken.includes(subject));
  if (preferred.length > 0) return [...new Set(preferred)];
  return subjects;
}

/** Names that are not in the tutor's lists yet, and the fields that the tutor still has to fill in. */
interface Missing {
  newStudent: string | null;
  newSubject: string | null;
  labels: string[];
  unrecognized: string[];
}

function findMissing(
  parsed: ParsedLesson,
  { student, subject }: LessonChoice,
  context: QuickAddContext,
): Missing {
  const all = context.subjects.map(({ item }) => item);
  const { unknown } = matchStudentSubjects(student ?? {}, all);
  const isTyped = (name: string) =>
    parsed.unrecognized.some((word) => normalizeText(name).startsWith(normalizeText(word)));
  const newSubject = subject ? null : (unknown.find(isTyped) ?? unknown[0] ?? null);
  const unrecognized = parsed.unrecognized.filter(
    (word) => !(newSubject && normalizeText(newSubject).startsWith(normalizeText(word))),
  );
  const [firstWord] = unrecognized;
  const newStudent =
    !student && firstWord && /^\p{L}[\p{L}'’-]+( \p{L}[\p{L}'’-]+){0,2}$/u.test(firstWord)
      ? firstWord
      : null;
  return {
    newStudent: newStudent && capitalizeWords(newStudent),
    newSubject,
    labels: [!student && !newStudent && 'student', !subject && !newSubject && 'subject'].filter(
      (label) => typeof label === 'string',
    ),
    unrecognized: newStudent ? unrecognized.slice(1) : unrecognized,
  };
}

const undefinedIfEmpty = <Item>(items: readonly Item[]): (Item | undefined)[] =>
  items.length > 0 ? [...items] : [undefined];

/**
 * Text looks like a lesson if it has at least two details, one of them a date, time or recurrence, and no more
 * unrecognised words than details.
 */
function looksLikeLesson(parsed: ParsedLesson): boolean {
  const timeDetails = [parsed.dates[0], parsed.startTime, parsed.pattern].filter(Boolean).length;
  const otherDetails = [parsed.fee, parsed.minutes, parsed.students[0], parsed.subjects[0]].filter(
    Boolean,
  ).length;
  return (
    timeDetails > 0 &&
    timeDetails + otherDetails > 1 &&
    parsed.unrecognized.length <= timeDetails + otherDetails
  );
}

/** Values for the dialog. The title and fee are filled in as if the student and subject had been selected there. */
function toLessonValues(
  parsed: ParsedLesson,
  { student, others = [], subject, date }: LessonChoice,
  { newStudent }: Missing,
  today: string,
): Partial<LessonFormValues> {
  const startTime = parsed.startTime ?? DEFAULT_START;
  const endTime = parsed.endTime ?? (parsed.minutes && addMinutesToTime(startTime, parsed.minutes));
  const group = { otherStudentIds: others.map(({ id }) => String(id)) };
  const empty = newFormValues({}, today);
  return {
    ...(student && { studentId: String(student.id) }),
    ...(others.length > 0 && group),
    ...(subject && { subjectId: String(subject.id) }),
    ...withDefaultTitle(empty, student?.name, subject?.name, others.length > 0),
    ...(subject && withDefaultFee(empty, subject)),
    ...(newStudent && { newStudentName: newStudent }),
    ...(date && { date }),
    startTime,
    endTime: endTime || addMinutesToTime(startTime, 60),
    ...toFeeValues(parsed),
    ...(parsed.pattern && { isRecurring: true, recurringPattern: parsed.pattern }),
    ...(parsed.until && { recurringEndDate: parsed.until }),
    ...(parsed.place && { place: parsed.place }),
  };
}

function toFeeValues({ fee }: ParsedLesson): Partial<LessonFormValues> {
  if (!fee) return {};
  return {
    fee: fee.minor === null ? '' : formatAmountInput(toMajor(fee.minor)),
    isFeeTyped: true,
    ...(fee.currency && { currency: fee.currency }),
  };
}

const patternLabels: Record<RecurrencePattern, string> = {
  weekly: 'every week',
  biweekly: 'every two weeks',
  monthly: 'every month',
  monthly_weekday: 'every month',
  monthly_last_weekday: 'every month',
};

/** 'Maya Okafor, Maths, Tue 17 Nov 16:00–17:00, every week until Fri 18 Dec, £35'. Parsing it gives the same lesson. */
export function formatLesson(
  form: LessonFormValues,
  { student, others = [], subject }: LessonChoice,
  today: string,
): string {
  const { date, startTime, endTime, isRecurring, recurringPattern, recurringEndDate } = form;
  const until = recurringEndDate && ` until ${formatShortDate(recurringEndDate, today)}`;
  const fee = parseAmount(form.fee);
  return [
    student && formatList([student, ...others].map(({ name }) => name)),
    subject?.name,
    `${formatShortDate(date, today)} ${formatTimeRange(startTime, endTime)}`,
    isRecurring && `${patternLabels[recurringPattern]}${until}`,
    fee === null ? subject && 'free lesson' : formatAmount(toMinor(fee), form.currency as 'GBP'),
    form.place,
  ]
    .filter(Boolean)
    .join(', ');
}

function collectNotes(parsed: ParsedLesson, missing: Missing, form: LessonFormValues): string[] {
  const { newStudent, newSubject, labels, unrecognized } = missing;
  return [
    newStudent && `${newStudent} is not one of your students yet: you can add them in the form.`,
    newSubject && `${newSubject} is not one of your subjects yet: you can add it in the form.`,
    labels.length > 0 && `Still to choose: ${formatList(labels)}.`,
    ...parsed.notes,
    parsed.dates.length === 0 && "You didn't give a day, so we've used today.",
    !parsed.startTime && `You didn't give a time, so we've used ${form.startTime}.`,
    unrecognized.length > 0 &&
      `We didn't understand ${formatList(unrecognized.map((word) => `“${word}”`))}.`,
  ].filter((note) => typeof note === 'string');
}
