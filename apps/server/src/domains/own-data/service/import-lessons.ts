import { LessonInput } from '@lessonbook/contract/lessons';
import { AppError } from '../../../platform/app-error.ts';
import { addLesson } from '../../lessons/service/create-lesson.ts';
import { placesTaken } from '../../lessons/service/same-place.ts';
import type { OpenBook } from '../../lessons/service/schedule.ts';
import { studentsIn } from '../../students/service/students.ts';
import { subjectsIn } from '../../subjects/service.ts';
import type { Cells } from '../rules/import-columns.ts';
import { readDate, readFee, readTime } from '../rules/import-values.ts';
import type { FileRow, Planned } from './import-file.ts';

const same = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

interface Known<Thing> {
  find: (name: string) => Thing | undefined;
}

function byName<Thing extends { name: string }>(things: readonly Thing[]): Known<Thing> {
  const all = new Map(things.map((thing) => [same(thing.name), thing]));
  return { find: (name) => all.get(same(name)) };
}

/** What each row says, by names instead of numbers. */
export async function planLessons(
  { tx, tutorId }: OpenBook,
  rows: readonly FileRow[],
): Promise<Planned<LessonInput>[]> {
  const students = byName(await studentsIn(tx, tutorId));
  const subjects = byName(await subjectsIn(tx, tutorId));
  const read = rows.map((row) => ({ ...row, ...readRow(row.cells, students, subjects) }));
  const taken = await placesTaken(
    tx,
    tutorId,
    read.flatMap(({ input }) => input ?? []),
  );
  const seen = new Set<string>();
  return read.map(({ row, cells, notes, input }): Planned<LessonInput> => {
    const what = `${cells('student')}, ${cells('date')} ${cells('start')}`;
    if (!input) return { row, what, state: 'wrong', notes };
    const place = `${input.studentId} ${input.date} ${input.startTime}`;
    if (taken.has(place)) return { row, what, state: 'there', notes: ['Already in your book'] };
    if (seen.has(place)) return { row, what, state: 'there', notes: ['Twice in this file'] };
    seen.add(place);
    return { row, what, state: 'new', notes: [], input };
  });
}

function readRow(
  cells: Cells,
  students: Known<{ id: number; name: string }>,
  subjects: Known<{ id: number; name: string; defaultFee: number; currency: string }>,
): { notes: string[]; input: LessonInput | null } {
  const student = students.find(cells('student'));
  const subject = subjects.find(cells('subject'));
  const [date, start, end] = [
    readDate(cells('date')),
    readTime(cells('start')),
    readTime(cells('end')),
  ];
  const until = cells('until') === '' ? null : readDate(cells('until'));
  const fee = cells('fee') === '' ? subject?.defaultFee : readFee(cells('fee'));
  const notes = [
    !student && `There is no student called “${cells('student')}”. Import or add them first.`,
    !subject && `There is no subject called “${cells('subject')}”. Add it first.`,
    date === null && 'The date must look like 2026-11-17 or 17/11/2026',
    start === null && 'The start must look like 16:00',
    end === null && 'The end must look like 17:00',
    cells('until') !== '' && until === null && '“Weekly until” must be a date',
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

/** Adds one after the other, so that each sees those before it; says which overlap, or cannot be. */
export async function tryLessons(
  book: OpenBook,
  planned: readonly Planned<LessonInput>[],
): Promise<{ rows: Planned<LessonInput>[]; overlapping: number }> {
  const rows: Planned<LessonInput>[] = [];
  let overlapping = 0;
  for (const plan of planned) {
    if (!plan.input) {
      rows.push(plan);
      continue;
    }
    try {
      const { consequences } = await addLesson(book, { ...plan.input, acceptOverlaps: true });
      const [first] = consequences.overlaps;
      if (first) overlapping += 1;
      const note =
        first && `Overlaps with ${first.withTitle}, ${first.date} ${first.withStartTime}`;
      rows.push({ ...plan, notes: note ? [note] : [] });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { row, what } = plan;
      rows.push({ row, what, state: 'wrong', notes: [error.message] });
    }
  }
  return { rows, overlapping };
}

export async function addLessons(
  book: OpenBook,
  inputs: readonly LessonInput[],
  acceptOverlaps: boolean,
): Promise<void> {
  for (const input of inputs) await addLesson(book, { ...input, acceptOverlaps });
}
