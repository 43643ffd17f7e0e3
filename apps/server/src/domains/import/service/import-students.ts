import type { ImportRow } from '@lessonbook/contract/import';
import { type Carer, StudentInput } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getCarers } from '../../students/service/carers.ts';
import { addStudentInTx, getStudents } from '../../students/service/students.ts';
import type { CellReader } from '../rules/import-columns.ts';
import type { FileRow, PlannedRow } from './parse-file.ts';

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

const normalizeName = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Who is new, who is in the book already, and what cannot be read. */
export async function planStudents(
  tx: Tx,
  tutorId: string,
  rows: readonly FileRow[],
): Promise<PlannedRow<StudentInput>[]> {
  const known = new Map(
    (await getStudents(tx, tutorId)).map(({ name }) => [normalizeName(name), 0]),
  );
  return rows.map(({ row, cells }) => {
    const parsed = StudentInput.safeParse(
      Object.fromEntries(FIELDS.map((name) => [name, cells(name)])),
    );
    const what = cells('name') || '(no name)';
    const notes = parsed.success ? missingCarerName(cells) : parsed.error.issues.map(formatIssue);
    if (!parsed.success || notes.length > 0) return { row, what, state: 'wrong', notes };
    const before = known.get(normalizeName(what));
    known.set(normalizeName(what), before ?? row);
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

function formatIssue(issue: { path: PropertyKey[]; message: string }): string {
  const label = LABELS[String(issue.path[0])];
  return label ? `${label}: ${issue.message}` : issue.message;
}

function missingCarerName(cells: CellReader): ImportRow['notes'] {
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
  const known = (await getCarers(tx, tutorId)).flatMap((carer) =>
    carerKeys(carer.name, carer).map((key) => [key, carer.id] as const),
  );
  const carers = new Map(known);
  for (const input of inputs) {
    const keys = carerKeys(input.carerName ?? '', {
      email: input.carerEmail ?? null,
      phone: input.carerPhone ?? null,
    });
    const carerId = keys.map((key) => carers.get(key)).find((id) => id !== undefined);
    const student = await addStudentInTx(
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
function carerKeys(name: string, { email, phone }: Pick<Carer, 'email' | 'phone'>): string[] {
  if (name === '') return [];
  const digits = phone?.replaceAll(/\D/g, '').slice(-9);
  const keys = [
    email && `${normalizeName(name)} ${email.toLowerCase()}`,
    digits && `${normalizeName(name)} ${digits}`,
  ];
  const given = keys.filter((key): key is string => Boolean(key));
  return given.length > 0 ? given : [normalizeName(name)];
}
