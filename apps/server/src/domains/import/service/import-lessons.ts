import { addMonthsToDate } from '@lessonbook/contract/dates';
import { LessonInput, type PastSessions } from '@lessonbook/contract/lessons';
import { matchStudentSubjects } from '@lessonbook/contract/match-student-subjects';
import { formatMoney, toMinor } from '@lessonbook/contract/money';
import { type Student, studentStatusOn } from '@lessonbook/contract/students';
import type { Subject } from '@lessonbook/contract/subjects';
import { AppError } from '../../../platform/app-error.ts';
import { createLessonInTransaction, planDates } from '../../lessons/service/create-lesson.ts';
import { previewNewLessons } from '../../lessons/service/preview-new-lessons.ts';
import { findExistingSlots } from '../../lessons/service/read.ts';
import type { ScheduleTx } from '../../lessons/service/schedule-transaction.ts';
import { getStudents } from '../../students/service/students.ts';
import { getSubjects } from '../../subjects/service.ts';
import { findNamedItem } from '../rules/find-name-in-event-title.ts';
import { type DateOrder, detectDateOrder, normalizeName } from '../rules/import-values.ts';
import { type LessonCells, readLessonCells } from '../rules/lesson-cells.ts';
import type { FileRow, ParsedFile, PlannedRow } from './parse-file.ts';

interface PlanOptions {
  today: string;
  /** Earlier lessons are rejected, because they would create thousands of sessions. */
  earliest: string;
  pastSessions: PastSessions;
  /** In a calendar, the names are part of the event's title. */
  isCalendar: boolean;
}

/** Looks up students and subjects by name, and marks rows that are invalid or already exist. */
export async function planLessons(
  schedule: ScheduleTx,
  { rows, isCalendar }: Pick<ParsedFile, 'rows' | 'isCalendar'>,
  pastSessions: PastSessions,
): Promise<PlannedRow<LessonInput>[]> {
  const { tx, tutorId } = schedule;
  const [students, subjects] = [await getStudents(tx, tutorId), await getSubjects(tx, tutorId)];
  const lists = {
    students,
    subjects,
    studentsByName: indexByName(students),
    subjectsByName: indexByName(subjects),
  };
  const order = detectDateOrder(
    rows.flatMap(({ readCell }) => [readCell('date'), readCell('start')]),
  );
  const earliest = addMonthsToDate(schedule.today, -60);
  const parsed = rows.map((row) => ({
    ...row,
    ...parseLessonRow(row, order, lists, {
      today: schedule.today,
      earliest,
      pastSessions,
      isCalendar,
    }),
  }));
  const existing = await findExistingSlots(
    tx,
    tutorId,
    parsed.flatMap(({ input }) => input ?? []),
  );
  const seen = new Set<string>();
  return parsed.map(({ row, what, notes, input }): PlannedRow<LessonInput> => {
    if (!input) return { row, what, state: 'invalid', makes: null, notes };
    const slot = `${input.studentId} ${input.date} ${input.startTime}`;
    const duplicate = existing.has(slot)
      ? 'Already in your schedule'
      : seen.has(slot)
        ? 'Appears twice in this file'
        : null;
    if (duplicate) return { row, what, state: 'existing', makes: null, notes: [duplicate] };
    seen.add(slot);
    return { row, what, state: 'new', makes: null, notes, input };
  });
}

interface NamedLists {
  students: readonly Student[];
  subjects: readonly Subject[];
  studentsByName: ReadonlyMap<string, Student>;
  subjectsByName: ReadonlyMap<string, Subject>;
}

const indexByName = <Item extends { name: string }>(
  items: readonly Item[],
): ReadonlyMap<string, Item> => new Map(items.map((item) => [normalizeName(item.name), item]));

function parseLessonRow(
  { readCell, notes: fileNotes }: FileRow,
  order: DateOrder,
  lists: NamedLists,
  options: PlanOptions,
): { what: string; notes: string[]; input: LessonInput | null } {
  const cells = readLessonCells(readCell, order);
  const { student, subject } = findStudentAndSubject(cells, lists, options.isCalendar);
  const who = student?.name || cells.student || '(no name)';
  const what = [who, cells.when].filter(Boolean).join(', ');
  const fee = cells.fee === '' ? subject?.defaultFee : cells.parsedFee;
  const notes = [
    !student && studentProblem(cells, options.isCalendar),
    student &&
      studentStatusOn(student, options.today) === 'left' &&
      `${student.name} has left. Please change their status first.`,
    // An event without a student is not a lesson.
    !subject && (student || !options.isCalendar) && subjectProblem(cells, options.isCalendar),
    ...cells.problems,
    cells.date !== null && cells.date < options.earliest && 'The date is more than five years ago',
    subject && fee === undefined && 'The fee must be a number or “free”',
  ].filter((note) => typeof note === 'string');
  if (notes.length > 0 || !student || !subject) return { what, notes, input: null };
  const parsed = LessonInput.safeParse({
    studentId: student.id,
    subjectId: subject.id,
    title: `${student.name} - ${subject.name}`,
    date: cells.date,
    startTime: cells.start,
    endTime: cells.end,
    fee: fee ?? null,
    currency: subject.currency,
    place: cells.place,
    notes: cells.notes,
    isRecurring: cells.pattern !== null,
    recurringPattern: cells.pattern ?? 'weekly',
    recurringEndDate: cells.until,
    pastSessions: options.pastSessions,
  });
  if (parsed.success) return { what, notes: fileNotes, input: parsed.data };
  return { what, notes: parsed.error.issues.map((issue) => issue.message), input: null };
}

function findStudentAndSubject(cells: LessonCells, lists: NamedLists, isCalendar: boolean) {
  const student =
    lists.studentsByName.get(normalizeName(cells.student)) ??
    (isCalendar ? findNamedItem(cells.student, lists.students) : null);
  const { taken } = matchStudentSubjects(student ?? {}, lists.subjects);
  const named = isCalendar
    ? (findNamedItem(cells.subject, taken) ?? findNamedItem(cells.subject, lists.subjects))
    : lists.subjectsByName.get(normalizeName(cells.subject));
  // If the file has no subject, use the one that the student takes.
  const isMissing = isCalendar || cells.subject === '';
  const only = isMissing && taken.length === 1 ? taken[0] : undefined;
  return { student, subject: named ?? only };
}

const studentProblem = ({ student }: LessonCells, isCalendar: boolean): string =>
  isCalendar
    ? `We couldn't find one of your students in “${student}”`
    : `There is no student called “${student}”. Import or add them first.`;

function subjectProblem({ subject }: LessonCells, isCalendar: boolean): string {
  if (isCalendar) return `We couldn't find one of your subjects in “${subject}”`;
  return subject === ''
    ? 'The subject is missing'
    : `There is no subject called “${subject}”. Add it first.`;
}

/** '3 lessons: 1 completed and not yet paid, £35 due' */
function describeLessons(schedule: ScheduleTx, input: LessonInput): string {
  const { dates } = planDates(schedule, input);
  const past = dates.filter((date) => date < schedule.today).length;
  const count = dates.length === 1 ? '1 lesson' : `${dates.length} lessons`;
  if (past === 0) return count;
  const amount = formatMoney(toMinor(input.fee ?? 0) * past, input.currency, 'en-GB');
  const outcomes: Record<PastSessions, string> = {
    unpaid: `${past} completed and not yet paid${input.fee ? `, ${amount} due` : ''}`,
    taught: `${past} completed and paid`,
    skip: `${past} in the past, still to be completed`,
  };
  return `${count}: ${outcomes[input.pastSessions]}`;
}

const PREVIEW_LIMIT_MS = 8_000;

/**
 * Describes what each row creates, and marks rows that cannot be created or overlap other lessons, including those before them
 * in the file.
 */
export async function previewLessons(
  schedule: ScheduleTx,
  planned: readonly PlannedRow<LessonInput>[],
  limitMs: number = PREVIEW_LIMIT_MS,
): Promise<{ rows: PlannedRow<LessonInput>[]; pastCount: number }> {
  const deadline = performance.now() + limitMs;
  const previews = await previewNewLessons(
    schedule,
    planned.flatMap(({ input }) => input ?? []),
    () => {
      if (performance.now() > deadline) throw previewTooLargeError();
    },
  );
  const remaining = previews.values();
  let pastCount = 0;
  const rows = planned.map((plannedRow): PlannedRow<LessonInput> => {
    if (!plannedRow.input) return plannedRow;
    const { row, what, notes, input } = plannedRow;
    pastCount += countPastDates(schedule, input);
    const preview = remaining.next().value;
    if (preview instanceof AppError)
      return { row, what, state: 'invalid', makes: null, notes: [preview.message] };
    const makes = describeLessons(schedule, input);
    if (!preview) return { ...plannedRow, makes };
    const overlap = `Overlaps with ${preview.withTitle}, ${formatDate(preview.date)} ${preview.withStartTime}`;
    return { row, what, state: 'overlapping', makes, notes: [...notes, overlap], input };
  });
  return { rows, pastCount };
}

/** Also counts past dates that would be left out. */
const countPastDates = (schedule: ScheduleTx, input: LessonInput): number =>
  planDates(schedule, { ...input, pastSessions: 'unpaid' }).dates.filter(
    (date) => date < schedule.today,
  ).length;

/** '17/11/2026' */
const formatDate = (date: string): string => date.split('-').toReversed().join('/');

const previewTooLargeError = () =>
  new AppError(
    'too_large',
    'This file is too large to preview. Please split it into two or more files.',
  );

/** The caller has already accepted overlapping lessons or left them out. */
export async function addLessons(
  schedule: ScheduleTx,
  inputs: readonly LessonInput[],
): Promise<void> {
  for (const input of inputs)
    await createLessonInTransaction(
      schedule,
      { ...input, acceptOverlaps: true },
      { completesOneOff: true },
    );
}
