import type { ImportRow } from '@lessonbook/contract/import';
import { type Carer, StudentInput } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getCarers } from '../../students/service/contacts.ts';
import {
  addStudentInTx,
  assertStudentLimit,
  getStudents,
} from '../../students/service/students.ts';
import type { CellReader } from '../rules/import-columns.ts';
import { normalizeName } from '../rules/import-values.ts';
import type { FileRow, PlannedRow } from './parse-file.ts';

const STUDENT_FIELDS = [
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

/** Row number for students who are already in the database. */
const EXISTING = 0;

/** Marks each row as new, existing or invalid. */
export async function planStudents(
  tx: Tx,
  tutorId: string,
  rows: readonly FileRow[],
): Promise<PlannedRow<StudentInput>[]> {
  const rowByName = new Map(
    (await getStudents(tx, tutorId)).map(({ name }) => [normalizeName(name), EXISTING]),
  );
  return rows.map(({ row, readCell }) => {
    const parsed = StudentInput.safeParse(
      Object.fromEntries(STUDENT_FIELDS.map((name) => [name, readCell(name)])),
    );
    const what = readCell('name') || '(no name)';
    const notes = parsed.success ? checkCarerName(readCell) : parsed.error.issues.map(formatIssue);
    if (!parsed.success || notes.length > 0) return { row, what, state: 'invalid', notes };
    const duplicateOf = rowByName.get(normalizeName(what));
    rowByName.set(normalizeName(what), duplicateOf ?? row);
    if (duplicateOf === undefined) return { row, what, state: 'new', notes, input: parsed.data };
    const note =
      duplicateOf === EXISTING ? 'Already in your book' : `Same name as row ${duplicateOf}`;
    return { row, what, state: 'existing', notes: [note] };
  });
}

const FIELD_LABELS: Record<string, string> = {
  email: 'Email',
  carerEmail: 'Carer email',
  phone: 'Phone',
  carerPhone: 'Carer phone',
};

function formatIssue(issue: { path: PropertyKey[]; message: string }): string {
  const label = FIELD_LABELS[String(issue.path[0])];
  return label ? `${label}: ${issue.message}` : issue.message;
}

function checkCarerName(readCell: CellReader): ImportRow['notes'] {
  const hasCarerDetails = ['carerRelationship', 'carerPhone', 'carerEmail'].some(
    (name) => readCell(name) !== '',
  );
  return hasCarerDetails && readCell('carerName') === '' ? ['Carer name is required'] : [];
}

/** Siblings share a carer: carers with the same name and the same email address or phone number are one person. */
export async function addStudents(
  context: Context,
  tx: Tx,
  tutorId: string,
  inputs: readonly StudentInput[],
): Promise<void> {
  await assertStudentLimit(tx, tutorId, inputs.length);
  const existing = (await getCarers(tx, tutorId)).flatMap((carer) =>
    carerKeys(carer.name, carer).map((key) => [key, carer.id] as const),
  );
  const carers = new Map(existing);
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
      carerId === undefined ? input : { ...input, ...NO_CARER_CHANGES, carerId },
    );
    if (student.carerId === null) continue;
    for (const key of keys) carers.set(key, carers.get(key) ?? student.carerId);
  }
}

/** An import does not change an existing carer's details. */
const NO_CARER_CHANGES = {
  carerName: undefined,
  carerRelationship: undefined,
  carerPhone: undefined,
  carerEmail: undefined,
};

/** Compares the last nine digits of phone numbers, so that they match with or without a country code. */
function carerKeys(name: string, { email, phone }: Pick<Carer, 'email' | 'phone'>): string[] {
  if (name === '') return [];
  const digits = phone?.replaceAll(/\D/g, '').slice(-9);
  const keys = [
    email && `${normalizeName(name)} ${email.toLowerCase()}`,
    digits && `${normalizeName(name)} ${digits}`,
  ];
  const present = keys.filter((key): key is string => Boolean(key));
  return present.length > 0 ? present : [normalizeName(name)];
}
