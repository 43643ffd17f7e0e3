import { durationMinutes, isDate, isTime } from '@lessonbook/contract/dates';
import { type Lesson, type LessonDetails, LessonInput } from '@lessonbook/contract/lessons';
import { toMajor } from '@lessonbook/contract/money';
import { occurrenceAt, type RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { Session } from '@lessonbook/contract/sessions';
import * as z from 'zod/mini';
import { formatShortDate } from '../../../lib/format.ts';
import { addMinutesToTime, formatAmountInput, parseAmount } from '../../../lib/parse-input.ts';
import { type FormState, useForm } from '../../../lib/use-form.ts';

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
  if (!first) return 'No repeat: the end date comes first.';
  const shown = dates
    .slice(0, MAX_PREVIEW_DATES)
    .map((next) => formatShortDate(next, today))
    .join(', ');
  if (end === '') return `Next: ${shown}, and it goes on`;
  if (dates.length <= MAX_PREVIEW_DATES) return `Next: ${shown}`;
  return `Next: ${shown}, … until ${formatShortDate(end, today)}`;
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
  pastSessions: 'skip' | 'taught';
  notes: string;
  /** The last title that was filled in automatically. Any other title was typed and is kept. */
  filledTitle: string;
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
  /** The page that the dialog is opened from, which determines the preselected scope. Defaults to 'session'. */
  from?: 'session' | 'lesson';
}

export const DEFAULT_START = '09:00';
const DEFAULT_MINUTES = 60;

export function newFormValues(defaults: LessonDefaults, today: string): LessonFormValues {
  const { date = today, startTime = DEFAULT_START } = defaults;
  return {
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
    recurringPattern: 'weekly',
    recurringEndDate: '',
    pastSessions: 'skip',
    notes: '',
    filledTitle: '',
    ...defaults.values,
  };
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
  };
}

/** For 'Save and add another': the same subject and recurrence, straight after the saved lesson. */
export function nextFormValues(saved: LessonFormValues): LessonFormValues {
  return {
    ...saved,
    studentId: '',
    title: '',
    filledTitle: '',
    startTime: saved.endTime,
    endTime: addMinutesToTime(saved.endTime, durationMinutes(saved.startTime, saved.endTime)),
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

export function withDefaultFee(subject: {
  defaultFee?: number | null;
  currency?: string | null;
}): Partial<LessonFormValues> {
  if (!subject.defaultFee) return {};
  return { fee: formatAmountInput(subject.defaultFee), currency: subject.currency || 'GBP' };
}

/** Keeps the duration. */
export function withStartTime(
  form: LessonFormValues,
  startTime: string,
): Partial<LessonFormValues> {
  const isComplete = [form.startTime, form.endTime, startTime].every(isTime);
  const minutes = durationMinutes(form.startTime, form.endTime);
  if (!isComplete || minutes <= 0) return { startTime };
  return { startTime, endTime: addMinutesToTime(startTime, minutes) };
}

/** Clears an end date that is before the new date, because it would be rejected. */
export function withDate(form: LessonFormValues, date: string): Partial<LessonFormValues> {
  const { recurringEndDate } = form;
  const endsBeforeStart = isDate(date) && recurringEndDate !== '' && recurringEndDate < date;
  return endsBeforeStart ? { date, recurringEndDate: '' } : { date };
}

export function toInput(form: LessonFormValues) {
  const { filledTitle: _, studentId, subjectId, recurringEndDate, ...fields } = form;
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
