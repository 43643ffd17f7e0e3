import { durationMinutes, isTime } from '@lessonbook/contract/dates';
import { type Lesson, type LessonDetails, LessonInput } from '@lessonbook/contract/lessons';
import type { Pattern } from '@lessonbook/contract/recurrence';
import type { Session } from '@lessonbook/contract/sessions';
import * as z from 'zod/mini';
import { plusMinutes } from '../../components/time-text.ts';
import { amountText, readAmount } from '../../lib/amount.ts';

/** What the fields of the dialog hold, in the order of the screen: the first wrong one gets the focus. */
export interface LessonForm {
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

export interface LessonStart {
  date?: string;
  startTime?: string;
  endTime?: string;
  /** Whatever else is known beforehand. */
  filled?: Partial<LessonForm>;
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

export function newForm(start: LessonStart, today: string): LessonForm {
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
export function formOf(lesson: Lesson, session: Session): LessonForm {
  return {
    studentId: String(session.studentId),
    subjectId: String(session.subjectId),
    title: session.title,
    date: session.date,
    startTime: session.startTime.slice(0, 5),
    endTime: session.endTime.slice(0, 5),
    fee: amountText(session.fee),
    currency: session.currency,
    place: session.place ?? '',
    isRecurring: lesson.isRecurring,
    recurringPattern: lesson.recurringPattern,
    recurringEndDate: lesson.recurringEndDate ?? '',
    earlier: 'skip',
    notes: session.notes ?? lesson.notes ?? '',
    filledTitle: titleOf(session.studentName, session.subjectName),
  };
}

/** The next lesson of a long evening of writing them down: same subject and repeat, right after the last one. */
export function anotherForm(saved: LessonForm): LessonForm {
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

export const titleOf = (student: string, subject: string): string => `${student} - ${subject}`;

/** Both must be chosen; a title of the tutor's own stays. */
export function fillTitle(
  form: LessonForm,
  student: string | undefined,
  subject: string | undefined,
): Partial<LessonForm> {
  if (!student || !subject || form.title !== form.filledTitle) return {};
  const title = titleOf(student, subject);
  return { title, filledTitle: title };
}

export function fillFee(subject: {
  defaultFee?: number | null;
  currency?: string | null;
}): Partial<LessonForm> {
  if (!subject.defaultFee) return {};
  return { fee: amountText(subject.defaultFee), currency: subject.currency || 'GBP' };
}

/** A lesson that starts later also ends later. */
export function moveStart(form: LessonForm, startTime: string): Partial<LessonForm> {
  const known = [form.startTime, form.endTime, startTime].every(isTime);
  const minutes = durationMinutes(form.startTime, form.endTime);
  if (!known || minutes <= 0) return { startTime };
  return { startTime, endTime: plusMinutes(startTime, minutes) };
}

/** An end date that the new date has passed would only be refused. */
export function moveDate(form: LessonForm, date: string): Partial<LessonForm> {
  const passed = form.recurringEndDate !== '' && form.recurringEndDate < date;
  return passed ? { date, recurringEndDate: '' } : { date };
}

/* To the server */

export function toInput(form: LessonForm) {
  const { filledTitle: _, studentId, subjectId, recurringEndDate, ...fields } = form;
  return {
    ...fields,
    studentId: Number.parseInt(studentId, 10),
    subjectId: Number.parseInt(subjectId, 10),
    fee: readAmount(form.fee),
    currency: form.currency as LessonInput['currency'],
    recurringEndDate: (form.isRecurring && recurringEndDate) || null,
    duration: durationMinutes(form.startTime, form.endTime),
  };
}

/** Checks the fields by the contract's own rules, so that form and server refuse with the same words. */
export const LessonFormCheck = z.pipe(
  z.transform<LessonForm, z.input<typeof LessonInput>>(toInput),
  LessonInput,
);

/** Another time, and not only other words. */
export const isMove = (session: Session, to: LessonForm): boolean =>
  session.date !== to.date ||
  session.startTime.slice(0, 5) !== to.startTime ||
  session.endTime.slice(0, 5) !== to.endTime;
