import type { ImportRow } from '@lessonbook/contract/import';
import { type Carer, StudentInput } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { carersIn } from '../../students/service/carers.ts';
import { addStudentIn, studentsIn } from '../../students/service/students.ts';
import type { Cells } from '../rules/import-columns.ts';
import type { FileRow, Planned } from './import-file.ts';

const FIELDS = [
  'name',
  'phone',
  'email',
  'subject',
  'notes',
  'carerName',
  'carerRelationship',
  'carerPhone',
  'carerEmail',
] as const;

const same = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Who is new, who is in the book already, and what cannot be read. */
export async function planStudents(
  tx: Tx,
  tutorId: string,
  rows: readonly FileRow[],
): Promise<Planned<StudentInput>[]> {
  const known = new Map((await studentsIn(tx, tutorId)).map(({ name }) => [same(name), 0]));
  return rows.map(({ row, cells }) => {
    const parsed = StudentInput.safeParse(
      Object.fromEntries(FIELDS.map((name) => [name, cells(name)])),
    );
    const what = cells('name') || '(no name)';
    const notes = parsed.success ? nameless(cells) : parsed.error.issues.map(inWords);
    if (!parsed.success || notes.length > 0) return { row, what, state: 'wrong', notes };
    const before = known.get(same(what));
    known.set(same(what), before ?? row);
    if (before === undefined) return { row, what, state: 'new', notes, input: parsed.data };
    const where = before === 0 ? 'Already in your book' : `Same name as row ${before}`;
    return { row, what, state: 'there', notes: [where] };
  });
}

const LABELS: Record<string, string> = {
  email: 'Email',
  carerEmail: 'Carer email',
  phone: 'Phone',
  carerPhone: 'Carer phone',
};

function inWords(issue: { path: PropertyKey[]; message: string }): string {
  const label = LABELS[String(issue.path[0])];
  return label ? `${label}: ${issue.message}` : issue.message;
}

function nameless(cells: Cells): ImportRow['notes'] {
  const about = ['carerRelationship', 'carerPhone', 'carerEmail'].some(
    (name) => cells(name) !== '',
  );
  return about && cells('carerName') === '' ? ['Carer name is required'] : [];
}

/** Brothers and sisters share a carer: whoever has the same name and the same address or number is the same person. */
export async function addStudents(
  context: Context,
  tx: Tx,
  tutorId: string,
  inputs: readonly StudentInput[],
): Promise<void> {
  const known = (await carersIn(tx, tutorId)).flatMap((carer) =>
    keysOf(carer.name, carer).map((key) => [key, carer.id] as const),
  );
  const carers = new Map(known);
  for (const input of inputs) {
    const keys = keysOf(input.carerName ?? '', {
      email: input.carerEmail ?? null,
      phone: input.carerPhone ?? null,
    });
    const carerId = keys.map((key) => carers.get(key)).find((id) => id !== undefined);
    const student = await addStudentIn(
      context,
      tx,
      tutorId,
      carerId === undefined ? input : { ...input, ...KEEP_CARER, carerId },
    );
    if (student.carerId === null) continue;
    for (const key of keys) carers.set(key, carers.get(key) ?? student.carerId);
  }
}

/** Picked as they are: a file does not change somebody who is known. */
const KEEP_CARER = {
  carerName: undefined,
  carerRelationship: undefined,
  carerPhone: undefined,
  carerEmail: undefined,
};

/** Numbers are compared by their end: with and without the country they are the same. */
function keysOf(name: string, { email, phone }: Pick<Carer, 'email' | 'phone'>): string[] {
  if (name === '') return [];
  const digits = phone?.replaceAll(/\D/g, '').slice(-9);
  const keys = [
    email && `${same(name)} ${email.toLowerCase()}`,
    digits && `${same(name)} ${digits}`,
  ];
  const given = keys.filter((key): key is string => Boolean(key));
  return given.length > 0 ? given : [same(name)];
}
