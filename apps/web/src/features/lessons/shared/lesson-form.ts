import { durationMinutes } from '@lessonbook/contract/dates';
import { followsRates } from '@lessonbook/contract/fee-source';
import {
  type Lesson,
  type LessonDetails,
  LessonInput,
  type PastSessions,
} from '@lessonbook/contract/lessons';
import { toMajor } from '@lessonbook/contract/money';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import { MAX_GROUP_STUDENTS, type Session } from '@lessonbook/contract/sessions';
import * as z from 'zod/mini';
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

/** In the order they appear on screen: the first invalid field receives focus. */
export interface LessonFormValues {
  studentId: string;
  /** The second and further students, who make the lesson a group. */
  otherStudentIds: string[];
  /** Prices that were entered for individual students, keyed by student id; empty is free. */
  ownFees: Record<string, string>;
  subjectId: string;
  /** For a group, its name. */
  title: string;
  minStudents: string;
  maxStudents: string;
  date: string;
  startTime: string;
  endTime: string;
  /** For a group, the price of one place. */
  fee: string;
  currency: string;
  place: string;
  /** A link is created with the calendar event; the place is ignored. */
  usesGoogleMeet: boolean;
  travelFee: string;
  isRecurring: boolean;
  recurringPattern: RecurrencePattern;
  recurringEndDate: string;
  /** Empty for a lesson that takes place all year. */
  termCalendarId: string;
  pastSessions: PastSessions;
  notes: string;
  /** The intended length in minutes, kept while a start is mistyped or so late that the end is cut at midnight. */
  lessonMinutes: number;
  /** The last title that was filled in automatically. Any other title was typed and is kept. */
  autoFilledTitle: string;
  /** A typed name that is not in the list of students. The list offers to add it. */
  newStudentName: string;
  /** A fee or currency that was typed is never replaced by the subject's. */
  isFeeTyped: boolean;
  /** A travel fee that was typed or saved is never replaced by the student's. */
  isTravelFeeTyped: boolean;
  /** Whether the fee follows the students' rates, as in the saved session or as chosen by the tutor. */
  usesRates?: boolean;
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
    otherStudentIds: [],
    ownFees: {},
    subjectId: '',
    title: '',
    minStudents: '',
    maxStudents: '',
    date,
    startTime,
    endTime: defaults.endTime ?? addMinutesToTime(startTime, DEFAULT_MINUTES),
    fee: '',
    currency: 'GBP',
    place: '',
    usesGoogleMeet: false,
    travelFee: '',
    isRecurring: false,
    recurringPattern: 'weekly' as const,
    recurringEndDate: '',
    termCalendarId: '',
    pastSessions: 'skip' as const,
    notes: '',
    autoFilledTitle: '',
    newStudentName: '',
    isFeeTyped: false,
    isTravelFeeTyped: false,
    ...defaults.values,
  };
  return { ...values, lessonMinutes: durationMinutes(values.startTime, values.endTime) };
}

/** The session's values, which may differ from the lesson's. */
export function toFormValues(lesson: Lesson, session: Session): LessonFormValues {
  const group = otherStudentIds(lesson, session).length > 0;
  const fee = group ? lesson.seatFee : session.fee === null ? null : toMajor(session.fee);
  return {
    studentId: String(session.studentId),
    otherStudentIds: otherStudentIds(lesson, session),
    ownFees: {},
    subjectId: String(session.subjectId),
    title: session.title,
    minStudents: String(lesson.minStudents ?? ''),
    maxStudents: String(lesson.maxStudents ?? ''),
    date: session.date,
    startTime: session.startTime.slice(0, 5),
    endTime: session.endTime.slice(0, 5),
    fee: formatAmountInput(fee),
    currency: session.currency,
    place: session.usesGoogleMeet ? '' : (session.place ?? ''),
    usesGoogleMeet: session.usesGoogleMeet,
    travelFee: formatAmountInput(session.travelFee === null ? null : toMajor(session.travelFee)),
    isRecurring: lesson.isRecurring,
    recurringPattern: lesson.recurringPattern,
    recurringEndDate: lesson.recurringEndDate ?? '',
    termCalendarId: lesson.termCalendarId === null ? '' : String(lesson.termCalendarId),
    pastSessions: 'skip',
    notes: session.notes ?? lesson.notes ?? '',
    autoFilledTitle: defaultTitle(session.studentName, session.subjectName, group),
    newStudentName: '',
    isFeeTyped: false,
    isTravelFeeTyped: true,
    usesRates: followsRates(lesson, session.students, group),
    lessonMinutes: durationMinutes(session.startTime, session.endTime),
  };
}

/** Includes students who have left, because the server still treats the lesson as a group. */
function otherStudentIds(lesson: Lesson, session: Session): string[] {
  const ids = [...lesson.students, ...session.students].map(({ studentId }) => studentId);
  return [...new Set(ids)]
    .filter((id) => id !== session.studentId)
    .slice(0, MAX_GROUP_STUDENTS - 1)
    .map(String);
}

/** The name of a group never contains a student's name, because all families may see it. */
export const defaultTitle = (student: string, subject: string, isGroup = false): string =>
  isGroup ? `${subject} group` : `${student} - ${subject}`;

export function toInput(form: LessonFormValues) {
  const {
    autoFilledTitle: _,
    newStudentName: __,
    isFeeTyped: ___,
    isTravelFeeTyped: ______,
    lessonMinutes: ____,
    usesRates: _____,
    otherStudentIds: others,
    ownFees,
    minStudents,
    maxStudents,
    ...inputs
  } = form;
  const { studentId, subjectId, recurringEndDate, termCalendarId, ...fields } = inputs;
  return {
    ...fields,
    ...(others.length > 0 && {
      students: [studentId, ...others].map((id) => toSeatInput(id, ownFees[id])),
      minStudents: parseCount(minStudents),
      maxStudents: parseCount(maxStudents),
    }),
    studentId: Number.parseInt(studentId, 10),
    subjectId: Number.parseInt(subjectId, 10),
    fee: parseAmount(form.fee),
    travelFee: parseAmount(form.travelFee),
    currency: form.currency as LessonInput['currency'],
    recurringEndDate: (form.isRecurring && recurringEndDate) || null,
    ...(form.isRecurring && { termCalendarId: Number(termCalendarId) || null }),
    duration: durationMinutes(form.startTime, form.endTime),
  };
}

/** If there is no individual price, the price of one place applies; an empty one means free. */
const toSeatInput = (id: string, ownFee: string | undefined) => ({
  studentId: Number.parseInt(id, 10),
  ...(ownFee !== undefined && { fee: parseAmount(ownFee) }),
});

/** Null means no limit. A string that is not a number is rejected by the schema. */
const parseCount = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Students join and leave a group one by one, so a change has no list of them; its fee is the price of one place. */
export function toUpdateInput(form: LessonFormValues) {
  const { pastSessions: _, students, ...fields } = toInput(form);
  const source = form.usesRates ? { usesRates: !form.isFeeTyped } : {};
  return { ...fields, ...(students && { seatFee: fields.fee }), ...source };
}

/** Validates with the contract's schema, so that the form and the server show the same messages. */
export const LessonFormSchema = z.pipe(
  z.transform<LessonFormValues, z.input<typeof LessonInput>>(toInput),
  LessonInput,
);
