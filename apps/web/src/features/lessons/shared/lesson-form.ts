import { addMonthsToDate, durationMinutes, isDate, isTime } from '@lessonbook/contract/dates';
import {
  type Lesson,
  type LessonDetails,
  LessonInput,
  type PastSessions,
} from '@lessonbook/contract/lessons';
import { toMajor } from '@lessonbook/contract/money';
import {
  fitPattern,
  occurrenceAt,
  occurrences,
  type RecurrencePattern,
} from '@lessonbook/contract/recurrence';
import type { Session } from '@lessonbook/contract/sessions';
import type { TimeOff } from '@lessonbook/contract/time-off';
import * as z from 'zod/mini';
import { formatShortDate } from '../../../lib/format.ts';
import { addMinutesToTime, formatAmountInput, parseAmount } from '../../../lib/parse-input.ts';
import { type FormState, useForm } from '../../../lib/use-form.ts';
import { timeOffDuring } from '../calendar-days.ts';

/** Controlled, because fields depend on each other: a new start time moves the end time. */
export const useLessonForm = (initialValues: LessonFormValues, draftKey: string) =>
  useForm({
    schema: LessonFormSchema,
    initialValues,
    mode: 'controlled',
    draft: { key: draftKey, fields: ['notes'] },
  });

export type LessonFormState = FormState<LessonFormValues>;

const MAX_PREVIEW_DATES = 3;

type RecurrenceValues = Pick<LessonFormValues, 'date' | 'recurringPattern' | 'recurringEndDate'>;

/** 'Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, … until Tue 15 Dec' */
export function formatRecurrencePreview(values: RecurrenceValues, today: string): string {
  const { date, recurringPattern, recurringEndDate: end } = values;
  const dates: string[] = [];
  // Collects one more date than is shown, to find out whether there are others.
  for (let step = 1; dates.length <= MAX_PREVIEW_DATES; step++) {
    const next = occurrenceAt(recurringPattern, date, step);
    if (end !== '' && next > end) break;
    if (next >= today) dates.push(next);
  }
  const [first] = dates;
  if (!first) return "This lesson won't repeat: the end date is before the next date.";
  const shown = dates
    .slice(0, MAX_PREVIEW_DATES)
    .map((next) => formatShortDate(next, today))
    .join(', ');
  if (end === '') return `Next: ${shown}, with no end date`;
  if (dates.length <= MAX_PREVIEW_DATES) return `Next: ${shown}`;
  return `Next: ${shown}, … until ${formatShortDate(end, today)}`;
}

/** The server generates this many months of a series. */
const GENERATED_MONTHS = 12;

/** The dates of a new series on which the tutor has time off, from today on. */
export function skippedDates(
  values: LessonFormValues,
  timeOff: readonly TimeOff[],
  today: string,
): string[] {
  if (timeOff.length === 0) return [];
  const horizon = addMonthsToDate(today, GENERATED_MONTHS);
  const end = values.recurringEndDate;
  const until = end !== '' && end < horizon ? end : horizon;
  return occurrences(values.recurringPattern, values.date, until).filter(
    (date) => date >= today && timeOffDuring(timeOff, { ...values, date }).length > 0,
  );
}

/** In the order they appear on screen: the first invalid field gets the focus. */
export interface LessonFormValues {
  studentId: string;
  subjectId: string;
  title: string;
  date: string;
  startTime: string;
  endTime: string;
  fee: string;
  currency: string;
  place: string;
  isRecurring: boolean;
  recurringPattern: RecurrencePattern;
  recurringEndDate: string;
  pastSessions: PastSessions;
  notes: string;
  /** The intended length in minutes, kept while a start is mistyped or so late that the end is cut at midnight. */
  lessonMinutes: number;
  /** The last title that was filled in automatically. Any other title was typed and is kept. */
  filledTitle: string;
  /** A typed name that is not in the list of students, which offers to add it. */
  newStudentName: string;
  /** A fee or currency that was typed is never replaced by the subject's. */
  isFeeTyped: boolean;
}

export interface LessonDefaults {
  date?: string;
  startTime?: string;
  endTime?: string;
  /** Other prefilled fields. */
  values?: Partial<LessonFormValues>;
}

export interface SavedLesson {
  lessonId: number;
  /** Null when the lesson has no session yet. */
  sessionId: number | null;
  /** The date of the lesson, so that the calendar can show it. */
  date: string;
}

export interface LessonEdit {
  lesson: LessonDetails;
  /** The session whose values are shown. */
  session: Session;
  /** Where the change was started, which determines the preselected scope. Defaults to 'session'. */
  from?: 'session' | 'lesson' | 'schedule';
}

export const DEFAULT_START = '09:00';
const DEFAULT_MINUTES = 60;

export function newFormValues(defaults: LessonDefaults, today: string): LessonFormValues {
  const { date = today, startTime = DEFAULT_START } = defaults;
  const values = {
    studentId: '',
    subjectId: '',
    title: '',
    date,
    startTime,
    endTime: defaults.endTime ?? addMinutesToTime(startTime, DEFAULT_MINUTES),
    fee: '',
    currency: 'GBP',
    place: '',
    isRecurring: false,
    recurringPattern: 'weekly' as const,
    recurringEndDate: '',
    pastSessions: 'skip' as const,
    notes: '',
    filledTitle: '',
    newStudentName: '',
    isFeeTyped: false,
    ...defaults.values,
  };
  return { ...values, lessonMinutes: durationMinutes(values.startTime, values.endTime) };
}

/** The session's values, which may differ from the lesson's. */
export function toFormValues(lesson: Lesson, session: Session): LessonFormValues {
  return {
    studentId: String(session.studentId),
    subjectId: String(session.subjectId),
    title: session.title,
    date: session.date,
    startTime: session.startTime.slice(0, 5),
    endTime: session.endTime.slice(0, 5),
    fee: formatAmountInput(session.fee === null ? null : toMajor(session.fee)),
    currency: session.currency,
    place: session.place ?? '',
    isRecurring: lesson.isRecurring,
    recurringPattern: lesson.recurringPattern,
    recurringEndDate: lesson.recurringEndDate ?? '',
    pastSessions: 'skip',
    notes: session.notes ?? lesson.notes ?? '',
    filledTitle: defaultTitle(session.studentName, session.subjectName),
    newStudentName: '',
    isFeeTyped: false,
    lessonMinutes: durationMinutes(session.startTime, session.endTime),
  };
}

/** For 'Save and add another': the same subject and recurrence, straight after the saved lesson. */
export function nextFormValues(saved: LessonFormValues): LessonFormValues {
  return {
    ...saved,
    studentId: '',
    title: '',
    filledTitle: '',
    newStudentName: '',
    startTime: saved.endTime,
    endTime: addMinutesToTime(saved.endTime, saved.lessonMinutes),
    place: '',
    notes: '',
  };
}

/* Dependent fields. Each function returns the fields that change. */

export const defaultTitle = (student: string, subject: string): string => `${student} - ${subject}`;

/** Needs both names; a typed title is kept. */
export function withDefaultTitle(
  form: LessonFormValues,
  student: string | undefined,
  subject: string | undefined,
): Partial<LessonFormValues> {
  if (!student || !subject || form.title !== form.filledTitle) return {};
  const title = defaultTitle(student, subject);
  return { title, filledTitle: title };
}

interface SubjectRate {
  defaultFee?: number | null;
  currency?: string | null;
}

/**
 * The fee of the selected subject. A typed fee is kept, and so is a fee that was agreed for a saved lesson: only the
 * rate of the previous subject is replaced.
 */
export function withDefaultFee(
  form: Pick<LessonFormValues, 'fee' | 'currency' | 'isFeeTyped'>,
  subject: SubjectRate,
  previous?: SubjectRate,
): Partial<LessonFormValues> {
  const rate = toRateValues(subject);
  const replaceable = previous ? toRateValues(previous) : { fee: '', currency: form.currency };
  const isReplaceable =
    !form.isFeeTyped && form.fee === replaceable?.fee && form.currency === replaceable.currency;
  return rate && isReplaceable ? rate : {};
}

const toRateValues = ({ defaultFee, currency }: SubjectRate) =>
  defaultFee ? { fee: formatAmountInput(defaultFee), currency: currency || 'GBP' } : null;

type LessonTimes = Pick<LessonFormValues, 'startTime' | 'endTime' | 'lessonMinutes'>;

/** Keeps the intended length. */
export function withStartTime(
  { endTime, lessonMinutes }: LessonTimes,
  startTime: string,
): Partial<LessonTimes> {
  if (!isTime(startTime) || !isTime(endTime)) return { startTime };
  return { startTime, endTime: addMinutesToTime(startTime, lessonMinutes) };
}

/** The length that the tutor chooses. */
export function withEndTime({ startTime }: LessonTimes, endTime: string): Partial<LessonTimes> {
  const minutes = [startTime, endTime].every(isTime) ? durationMinutes(startTime, endTime) : 0;
  return minutes > 0 ? { endTime, lessonMinutes: minutes } : { endTime };
}

/** Clears an end date that is before the new date, and changes a pattern that it does not fit. */
export function withDate(form: LessonFormValues, date: string): Partial<LessonFormValues> {
  if (!isDate(date)) return { date };
  const { recurringEndDate, recurringPattern } = form;
  const pattern = fitPattern(recurringPattern, date);
  return {
    date,
    ...(recurringEndDate !== '' && recurringEndDate < date && { recurringEndDate: '' }),
    ...(pattern !== recurringPattern && { recurringPattern: pattern }),
  };
}

export function toInput(form: LessonFormValues) {
  const {
    filledTitle: _,
    newStudentName: __,
    isFeeTyped: ___,
    lessonMinutes: ____,
    ...inputs
  } = form;
  const { studentId, subjectId, recurringEndDate, ...fields } = inputs;
  return {
    ...fields,
    studentId: Number.parseInt(studentId, 10),
    subjectId: Number.parseInt(subjectId, 10),
    fee: parseAmount(form.fee),
    currency: form.currency as LessonInput['currency'],
    recurringEndDate: (form.isRecurring && recurringEndDate) || null,
    duration: durationMinutes(form.startTime, form.endTime),
  };
}

/** Validates with the contract's schema, so that the form and the server show the same messages. */
export const LessonFormSchema = z.pipe(
  z.transform<LessonFormValues, z.input<typeof LessonInput>>(toInput),
  LessonInput,
);

/** Whether the date or time changes. */
export const isReschedule = (session: Session, to: LessonFormValues): boolean =>
  session.date !== to.date ||
  session.startTime.slice(0, 5) !== to.startTime ||
  session.endTime.slice(0, 5) !== to.endTime;
