import { toMajor, toMinor } from '@lessonbook/contract/money';
import type { Pattern } from '@lessonbook/contract/recurrence';
import { plusMinutes } from '../../../components/time-text.ts';
import { amountText, readAmount } from '../../../lib/amount.ts';
import { money, shortDate, timeRange } from '../../../lib/format.ts';
import { namesInWords } from '../../../lib/names.ts';
import {
  DEFAULT_START,
  fillFee,
  fillTitle,
  type LessonForm,
  type LessonStart,
  newForm,
} from '../lesson-form.ts';
import {
  type Book,
  readLesson,
  type SaidLesson,
  type SaidStudent,
  type SaidSubject,
} from './read-lesson.ts';

/** A lesson that the tutor may have meant: in plain words, and as the dialog begins with it. */
export interface LessonSuggestion {
  words: string;
  /** What was assumed, left out, or not understood. */
  notes: string[];
  start: LessonStart;
}

/** As many as can be told apart at a glance. */
const AT_MOST = 4;

/** What the typed words may mean as a lesson; nothing where they are none, so that a search stays a search. */
export function suggestLessons(sentence: string, book: Book): LessonSuggestion[] {
  const said = readLesson(sentence, book);
  if (!isLesson(said)) return [];
  const students = orNone(said.students);
  const subjects = orNone(said.subjects);
  return students
    .flatMap((student) => subjects.map((subject) => ({ student, subject })))
    .slice(0, AT_MOST)
    .map(({ student, subject }) => {
      const start = { filled: filledWith(said, student, subject, book.today) };
      const form = newForm(start, book.today);
      return {
        words: lessonInWords(form, student, subject, book.today),
        notes: notesOn(said, form),
        start,
      };
    });
}

const orNone = <Thing>(things: readonly Thing[]): (Thing | undefined)[] =>
  things.length > 0 ? [...things] : [undefined];

/** A lesson has a when, and something besides. More that is strange than familiar is a search for something else. */
function isLesson(said: SaidLesson): boolean {
  const when = [said.date, said.startTime, said.pattern].filter(Boolean).length;
  const rest = [said.fee, said.minutes, said.students[0], said.subjects[0]].filter(Boolean).length;
  return when > 0 && when + rest > 1 && said.notUnderstood.length <= when + rest;
}

/** The fields of the dialog. The title and the subject's own fee are filled in as when both are chosen there. */
function filledWith(
  said: SaidLesson,
  student: SaidStudent | undefined,
  subject: SaidSubject | undefined,
  today: string,
): Partial<LessonForm> {
  const startTime = said.startTime ?? DEFAULT_START;
  const endTime = said.endTime ?? (said.minutes && plusMinutes(startTime, said.minutes));
  return {
    ...(student && { studentId: String(student.id) }),
    ...(subject && { subjectId: String(subject.id) }),
    ...fillTitle(newForm({}, today), student?.name, subject?.name),
    ...(subject && fillFee(subject)),
    ...(said.date && { date: said.date }),
    startTime,
    endTime: endTime || plusMinutes(startTime, 60),
    ...feeOf(said),
    ...(said.pattern && { isRecurring: true, recurringPattern: said.pattern }),
    ...(said.until && { recurringEndDate: said.until }),
  };
}

function feeOf({ fee }: SaidLesson): Partial<LessonForm> {
  if (!fee) return {};
  return {
    fee: fee.minor === null ? '' : amountText(toMajor(fee.minor)),
    ...(fee.currency && { currency: fee.currency }),
  };
}

const rhythms: Record<Pattern, string> = {
  weekly: 'every week',
  biweekly: 'every two weeks',
  monthly: 'every month',
};

/** 'Maya Okafor, Maths, Tue 17 Nov 16:00–17:00, every week until Fri 18 Dec, £35'. Read again, it means the same. */
export function lessonInWords(
  form: LessonForm,
  student: SaidStudent | undefined,
  subject: SaidSubject | undefined,
  today: string,
): string {
  const { date, startTime, endTime, isRecurring, recurringPattern, recurringEndDate } = form;
  const until = recurringEndDate && ` until ${shortDate(recurringEndDate, today)}`;
  const fee = readAmount(form.fee);
  return [
    student?.name,
    subject?.name,
    `${shortDate(date, today)} ${timeRange(startTime, endTime)}`,
    isRecurring && `${rhythms[recurringPattern]}${until}`,
    fee === null ? subject && 'free lesson' : money(toMinor(fee), form.currency as 'GBP'),
  ]
    .filter(Boolean)
    .join(', ');
}

function notesOn(said: SaidLesson, form: LessonForm): string[] {
  const { students, subjects, assumed, otherDays, notUnderstood } = said;
  const missing = [!students[0] && 'student', !subjects[0] && 'subject'].filter(
    (each) => typeof each === 'string',
  );
  return [
    missing.length > 0 && `Still to choose: ${namesInWords(missing)}.`,
    assumed && `I took ${assumed} to be in the afternoon.`,
    !said.startTime && `No time given, so it starts at ${form.startTime}.`,
    otherDays.length > 0 &&
      `A lesson has one day: write ${namesInWords(otherDays)} down as another lesson.`,
    notUnderstood.length > 0 &&
      `I did not understand ${namesInWords(notUnderstood.map((word) => `“${word}”`))}.`,
  ].filter((note) => typeof note === 'string');
}
