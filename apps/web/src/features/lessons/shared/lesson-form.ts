import { durationMinutes, isTime } from '@lessonbook/contract/dates';
import { type Lesson, type LessonDetails, LessonInput } from '@lessonbook/contract/lessons';
import { occurrence, type Pattern } from '@lessonbook/contract/recurrence';
import type { Session } from '@lessonbook/contract/sessions';
import * as z from 'zod/mini';
import { shortDate } from '../../../lib/format.ts';
import { formatAmountInput, parseAmount, plusMinutes } from '../../../lib/parse-input.ts';
import { type ControlledForm, useControlledForm } from '../../../lib/use-form.ts';

/** The dialog's fields hang together: a start moves its end. */
export const useLessonForm = (initial: LessonFormValues) =>
  useControlledForm(LessonFormSchema, initial);

export type LessonFormState = ControlledForm<LessonFormValues>;

const MAX_PREVIEW_DATES = 3;

type RecurrenceValues = Pick<LessonFormValues, 'date' | 'recurringPattern' | 'recurringEndDate'>;

/** 'Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, … until Tue 15 Dec', or that it goes on. */
export function formatRecurrencePreview(repeat: RecurrenceValues, today: string): string {
  const { date, recurringPattern, recurringEndDate: end } = repeat;
  const dates: string[] = [];
  // One more than is shown tells whether there is a rest.
  for (let step = 1; dates.length <= MAX_PREVIEW_DATES; step++) {
    const next = occurrence(recurringPattern, date, step);
    if (end !== '' && next > end) break;
    if (next >= today) dates.push(next);
  }
  const [first] = dates;
  if (!first) return 'No repeat: the end date comes first.';
  const words = dates.slice(0, MAX_PREVIEW_DATES).map((each) => shortDate(each, today));
  if (end === '') return `Next: ${words.join(', ')}, and it goes on`;
  if (dates.length <= MAX_PREVIEW_DATES) return `Next: ${words.join(', ')}`;
  return `Next: ${words.join(', ')}, … until ${shortDate(end, today)}`;
}

/** What the fields of the dialog hold, in the order of the screen: the first wrong one gets the focus. */
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
  recurringPattern: Pattern;
  recurringEndDate: string;
  earlier: 'skip' | 'taught';
  notes: string;
  /** The title that was filled in last; one that differs was typed, and stays. */
  filledTitle: string;
}

/* What the dialog is opened with, and what it hands back. */

export interface LessonDefaults {
  date?: string;
  startTime?: string;
  endTime?: string;
  /** Whatever else is known beforehand. */
  filled?: Partial<LessonFormValues>;
}

export interface SavedLesson {
  lessonId: number;
  /** None when the lesson has no session yet. */
  sessionId: number | null;
  /** Where the lesson now stands, for a calendar to turn to. */
  date: string;
}

export interface LessonEdit {
  lesson: LessonDetails;
  /** The one whose values are shown. */
  session: Session;
  /** Where the tutor comes from decides which scope is preselected; a session unless said. */
  from?: 'session' | 'lesson';
}

export const DEFAULT_START = '09:00';
const DEFAULT_MINUTES = 60;

export function newFormValues(start: LessonDefaults, today: string): LessonFormValues {
  const { date = today, startTime = DEFAULT_START } = start;
  return {
    studentId: '',
    subjectId: '',
    title: '',
    date,
    startTime,
    endTime: start.endTime ?? plusMinutes(startTime, DEFAULT_MINUTES),
    fee: '',
    currency: 'GBP',
    place: '',
    isRecurring: false,
    recurringPattern: 'weekly',
    recurringEndDate: '',
    earlier: 'skip',
    notes: '',
    filledTitle: '',
    ...start.filled,
  };
}

/** Of the session the tutor started from: its own edits are what is seen and changed. */
export function toFormValues(lesson: Lesson, session: Session): LessonFormValues {
  return {
    studentId: String(session.studentId),
    subjectId: String(session.subjectId),
    title: session.title,
    date: session.date,
    startTime: session.startTime.slice(0, 5),
    endTime: session.endTime.slice(0, 5),
    fee: formatAmountInput(session.fee),
    currency: session.currency,
    place: session.place ?? '',
    isRecurring: lesson.isRecurring,
    recurringPattern: lesson.recurringPattern,
    recurringEndDate: lesson.recurringEndDate ?? '',
    earlier: 'skip',
    notes: session.notes ?? lesson.notes ?? '',
    filledTitle: defaultTitle(session.studentName, session.subjectName),
  };
}

/** The next lesson of a long evening of writing them down: same subject and repeat, right after the last one. */
export function nextFormValues(saved: LessonFormValues): LessonFormValues {
  return {
    ...saved,
    studentId: '',
    title: '',
    filledTitle: '',
    startTime: saved.endTime,
    endTime: plusMinutes(saved.endTime, durationMinutes(saved.startTime, saved.endTime)),
    place: '',
    notes: '',
  };
}

/* What follows from a choice. Each gives the fields that change. */

export const defaultTitle = (student: string, subject: string): string => `${student} - ${subject}`;

/** Both must be chosen; a title of the tutor's own stays. */
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

/** A lesson that starts later also ends later. */
export function withStartTime(
  form: LessonFormValues,
  startTime: string,
): Partial<LessonFormValues> {
  const known = [form.startTime, form.endTime, startTime].every(isTime);
  const minutes = durationMinutes(form.startTime, form.endTime);
  if (!known || minutes <= 0) return { startTime };
  return { startTime, endTime: plusMinutes(startTime, minutes) };
}

/** An end date that the new date has passed would only be refused. */
export function withDate(form: LessonFormValues, date: string): Partial<LessonFormValues> {
  const passed = form.recurringEndDate !== '' && form.recurringEndDate < date;
  return passed ? { date, recurringEndDate: '' } : { date };
}

/* To the server */

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

/** Checks the fields by the contract's own rules, so that form and server refuse with the same words. */
export const LessonFormSchema = z.pipe(
  z.transform<LessonFormValues, z.input<typeof LessonInput>>(toInput),
  LessonInput,
);

/** Another time, and not only other words. */
export const isReschedule = (session: Session, to: LessonFormValues): boolean =>
  session.date !== to.date ||
  session.startTime.slice(0, 5) !== to.startTime ||
  session.endTime.slice(0, 5) !== to.endTime;
