import { LessonInput } from '@lessonbook/contract/lessons';
import { AppError } from '../../../platform/app-error.ts';
import { createLessonInTransaction } from '../../lessons/service/create-lesson.ts';
import { previewNewLessons } from '../../lessons/service/preview-new-lessons.ts';
import { findExistingSlots } from '../../lessons/service/read.ts';
import type { ScheduleTx } from '../../lessons/service/schedule-transaction.ts';
import { getStudents } from '../../students/service/students.ts';
import { getSubjects } from '../../subjects/service.ts';
import type { CellReader } from '../rules/import-columns.ts';
import { normalizeName, parseDate, parseFee, parseTime } from '../rules/import-values.ts';
import type { FileRow, PlannedRow } from './parse-file.ts';

interface NameLookup<Item> {
  find: (name: string) => Item | undefined;
}

function createNameLookup<Item extends { name: string }>(items: readonly Item[]): NameLookup<Item> {
  const byName = new Map(items.map((item) => [normalizeName(item.name), item]));
  return { find: (name) => byName.get(normalizeName(name)) };
}

/** Looks up students and subjects by name, and marks rows that are invalid or already exist. */
export async function planLessons(
  { tx, tutorId }: ScheduleTx,
  rows: readonly FileRow[],
): Promise<PlannedRow<LessonInput>[]> {
  const students = createNameLookup(await getStudents(tx, tutorId));
  const subjects = createNameLookup(await getSubjects(tx, tutorId));
  const parsed = rows.map((row) => ({
    ...row,
    ...parseLessonRow(row.readCell, students, subjects),
  }));
  const existing = await findExistingSlots(
    tx,
    tutorId,
    parsed.flatMap(({ input }) => input ?? []),
  );
  const seen = new Set<string>();
  return parsed.map(({ row, readCell, notes, input }): PlannedRow<LessonInput> => {
    const what = `${readCell('student')}, ${readCell('date')} ${readCell('start')}`;
    if (!input) return { row, what, state: 'invalid', notes };
    const slot = `${input.studentId} ${input.date} ${input.startTime}`;
    if (existing.has(slot))
      return { row, what, state: 'existing', notes: ['Already in your book'] };
    if (seen.has(slot)) return { row, what, state: 'existing', notes: ['Twice in this file'] };
    seen.add(slot);
    return { row, what, state: 'new', notes: [], input };
  });
}

function parseLessonRow(
  readCell: CellReader,
  students: NameLookup<{ id: number; name: string }>,
  subjects: NameLookup<{ id: number; name: string; defaultFee: number; currency: string }>,
): { notes: string[]; input: LessonInput | null } {
  const student = students.find(readCell('student'));
  const subject = subjects.find(readCell('subject'));
  const [date, start, end] = [
    parseDate(readCell('date')),
    parseTime(readCell('start')),
    parseTime(readCell('end')),
  ];
  const until = readCell('until') === '' ? null : parseDate(readCell('until'));
  const fee = readCell('fee') === '' ? subject?.defaultFee : parseFee(readCell('fee'));
  const notes = [
    !student && `There is no student called “${readCell('student')}”. Import or add them first.`,
    !subject && `There is no subject called “${readCell('subject')}”. Add it first.`,
    date === null && 'The date must look like 2026-11-17 or 17/11/2026',
    start === null && 'The start must look like 16:00',
    end === null && 'The end must look like 17:00',
    readCell('until') !== '' && until === null && '“Weekly until” must be a date',
    subject && fee === undefined && 'The fee must be a number, or free',
  ].filter((note) => typeof note === 'string');
  if (notes.length > 0 || !student || !subject) return { notes, input: null };
  const parsed = LessonInput.safeParse({
    studentId: student.id,
    subjectId: subject.id,
    title: `${student.name} - ${subject.name}`,
    date,
    startTime: start,
    endTime: end,
    fee: fee ?? null,
    currency: subject.currency,
    isRecurring: until !== null,
    recurringPattern: 'weekly',
    recurringEndDate: until,
  });
  if (parsed.success) return { notes, input: parsed.data };
  return { notes: parsed.error.issues.map((issue) => issue.message), input: null };
}

const PREVIEW_LIMIT_MS = 8_000;

/** Marks rows that cannot be created or overlap other lessons, including those before them in the file. */
export async function previewLessons(
  schedule: ScheduleTx,
  planned: readonly PlannedRow<LessonInput>[],
  limitMs: number = PREVIEW_LIMIT_MS,
): Promise<{ rows: PlannedRow<LessonInput>[]; overlapCount: number }> {
  const deadline = performance.now() + limitMs;
  const previews = await previewNewLessons(
    schedule,
    planned.flatMap(({ input }) => input ?? []),
    () => {
      if (performance.now() > deadline) throw previewTooLargeError();
    },
  );
  const remaining = previews.values();
  const rows = planned.map((plannedRow): PlannedRow<LessonInput> => {
    if (!plannedRow.input) return plannedRow;
    const preview = remaining.next().value;
    if (preview instanceof AppError) {
      const { row, what } = plannedRow;
      return { row, what, state: 'invalid', notes: [preview.message] };
    }
    if (!preview) return plannedRow;
    const note = `Overlaps with ${preview.withTitle}, ${preview.date} ${preview.withStartTime}`;
    return { ...plannedRow, notes: [note] };
  });
  const overlapCount = previews.filter((each) => each && !(each instanceof AppError)).length;
  return { rows, overlapCount };
}

const previewTooLargeError = () =>
  new AppError(
    'too_large',
    'This file is too large to preview. Please split it into two or more files.',
  );

export async function addLessons(
  schedule: ScheduleTx,
  inputs: readonly LessonInput[],
  acceptOverlaps: boolean,
): Promise<void> {
  for (const input of inputs)
    await createLessonInTransaction(schedule, { ...input, acceptOverlaps });
}
