import { OpeningBalanceInput } from '@lessonbook/contract/families';
import { type Currency, formatMoney } from '@lessonbook/contract/money';
import { type Carer, type Student, StudentInput } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { ScheduleTx } from '../../lessons/service/schedule-transaction.ts';
import { setOpeningBalanceInTx } from '../../payments/service/opening-balance.ts';
import { getCarers } from '../../students/service/carers-and-contact-records.ts';
import {
  addStudentInTx,
  assertStudentLimit,
  changeStudentInTx,
  createPhoneValidator,
  getStudents,
} from '../../students/service/students.ts';
import { getSubjects } from '../../subjects/service.ts';
import type { CellReader } from '../rules/import-columns.ts';
import { normalizeName, parseOpeningBalance } from '../rules/import-values.ts';
import type { FileRow, PlannedRow } from './parse-file.ts';

const FIELD_LABELS = {
  name: 'name',
  phone: 'phone',
  email: 'email',
  subject: 'subject',
  notes: 'notes',
  school: 'school',
  schoolYear: 'school year',
  carerName: 'carer',
  carerRelationship: 'relationship',
  carerPhone: 'carer phone',
  carerEmail: 'carer email',
} as const;
type StudentField = keyof typeof FIELD_LABELS;
const STUDENT_FIELDS = Object.keys(FIELD_LABELS) as StudentField[];
const CARER_FIELDS = ['carerName', 'carerRelationship', 'carerPhone', 'carerEmail'] as const;

/** A new student, or missing details of an existing one. */
export interface StudentPlan {
  studentId: number | null;
  input: StudentInput;
  openingBalance: OpeningBalanceInput | null;
}

type Values = Record<StudentField, string>;

/** Determines what each row creates, which details it adds, or what is wrong with it. */
export async function planStudents(
  { tx, tutorId, today }: ScheduleTx,
  rows: readonly FileRow[],
): Promise<PlannedRow<StudentPlan>[]> {
  const students = new Map(
    (await getStudents(tx, tutorId)).map((student) => [normalizeName(student.name), student]),
  );
  const findPhoneProblem = await createPhoneValidator(tx, tutorId);
  const readOpeningBalance = await createOpeningBalanceReader(tx, tutorId, today);
  const rowByName = new Map<string, number>();
  return rows.map(({ row, readCell }) => {
    const { values, notes } = removeInvalidPhones(readValues(readCell), findPhoneProblem);
    const what = values.name || '(no name)';
    const key = normalizeName(what);
    const parsed = StudentInput.safeParse(values);
    const errors = parsed.success ? checkCarerName(values) : parsed.error.issues.map(formatIssue);
    if (!parsed.success || errors.length > 0)
      return { row, what, state: 'invalid', makes: null, notes: errors };
    const earlier = rowByName.get(key);
    rowByName.set(key, earlier ?? row);
    if (earlier !== undefined)
      return { row, what, state: 'existing', makes: null, notes: [`Same name as row ${earlier}`] };
    const student = students.get(key);
    if (student) return planUpdate(row, student, values, notes);
    const opening = readOpeningBalance(row, readCell('openingBalance'), values);
    if (opening.error) return { row, what, state: 'invalid', makes: null, notes: [opening.error] };
    const makes = [
      'New student',
      values.carerName && `carer ${values.carerName}`,
      opening.balance && describeOpeningBalance(opening.balance),
    ];
    return {
      row,
      what,
      state: 'new',
      makes: makes.filter(Boolean).join(', '),
      notes: [...notes, ...(opening.note ? [opening.note] : [])],
      input: { studentId: null, input: parsed.data, openingBalance: opening.balance },
    };
  });
}

/** '£70.00 owed' or '£12.00 in credit' */
const describeOpeningBalance = ({ amount, currency }: OpeningBalanceInput): string =>
  `${formatMoney(Math.abs(amount), currency, 'en-GB')} ${amount > 0 ? 'owed' : 'in credit'}`;

interface OpeningBalanceCell {
  balance: OpeningBalanceInput | null;
  note?: string;
  error?: string;
}

/** A family gets one opening balance, even if the file repeats it per sibling. The first subject sets the default currency. */
async function createOpeningBalanceReader(tx: Tx, tutorId: string, date: string) {
  const defaultCurrency: Currency = (await getSubjects(tx, tutorId))[0]?.currency ?? 'GBP';
  const known = new Set(
    (await getCarers(tx, tutorId)).flatMap((each) => carerKeys(each.name, each)),
  );
  const rowByCarer = new Map<string, number>();
  return (row: number, text: string, values: Values): OpeningBalanceCell => {
    const typed = parseOpeningBalance(text);
    if (typed === undefined)
      return { balance: null, error: 'The opening balance must be an amount' };
    if (typed === null) return { balance: null };
    const keys = carerKeys(values.carerName, {
      email: values.carerEmail || null,
      phone: values.carerPhone || null,
    });
    if (keys.some((key) => known.has(key)))
      return {
        balance: null,
        note: `Left out the opening balance: ${values.carerName} is already in your account`,
      };
    const earlier = keys.map((key) => rowByCarer.get(key)).find((each) => each !== undefined);
    for (const key of keys) rowByCarer.set(key, earlier ?? row);
    if (earlier !== undefined)
      return { balance: null, note: `The opening balance of this family is in row ${earlier}` };
    const parsed = OpeningBalanceInput.safeParse({
      amount: typed.minor,
      currency: typed.currency ?? defaultCurrency,
      date,
    });
    return parsed.success
      ? { balance: parsed.data }
      : { balance: null, error: parsed.error.issues[0]?.message ?? '' };
  };
}

function readValues(readCell: CellReader): Values {
  const join = (first: string, last: string) =>
    [readCell(first), readCell(last)].filter(Boolean).join(' ');
  const values = Object.fromEntries(
    STUDENT_FIELDS.map((field) => [field, readCell(field)]),
  ) as Values;
  return {
    ...values,
    name: values.name || join('firstName', 'lastName'),
    carerName: values.carerName || join('carerFirstName', 'carerLastName'),
  };
}

/** Removes phone numbers that cannot be dialled, so that the student is still imported. */
function removeInvalidPhones(
  values: Values,
  findProblem: (phone: string) => string | null,
): { values: Values; notes: string[] } {
  const notes: string[] = [];
  const kept = { ...values };
  for (const field of ['phone', 'carerPhone'] as const) {
    const problem = values[field] === '' ? null : findProblem(values[field]);
    if (problem === null) continue;
    kept[field] = '';
    notes.push(`Left out ${FIELD_LABELS[field]} “${values[field]}”: ${problem}`);
  }
  return { values: kept, notes };
}

/** Adds only what is missing; nothing is replaced. */
function planUpdate(
  row: number,
  student: Student,
  values: Values,
  notes: string[],
): PlannedRow<StudentPlan> {
  const hasOtherCarer =
    student.carerName !== null &&
    values.carerName !== '' &&
    normalizeName(values.carerName) !== normalizeName(student.carerName);
  const ignored: readonly StudentField[] = hasOtherCarer ? CARER_FIELDS : [];
  const added = STUDENT_FIELDS.filter(
    (field) => values[field] !== '' && !student[field] && !ignored.includes(field),
  );
  const carerNote = hasOtherCarer ? [`Carer unchanged: ${student.carerName}`] : [];
  const allNotes = ['Already in your account', ...carerNote, ...notes];
  if (added.length === 0)
    return { row, what: student.name, state: 'existing', makes: null, notes: allNotes };
  const current = Object.fromEntries(
    STUDENT_FIELDS.map((field) => [field, student[field] ?? '']),
  ) as Values;
  const changes = Object.fromEntries(added.map((field) => [field, values[field]]));
  const input = StudentInput.parse({ ...current, ...changes, carerId: student.carerId });
  return {
    row,
    what: student.name,
    state: 'updated',
    makes: `Adds ${added.map((field) => FIELD_LABELS[field]).join(', ')}`,
    notes: allNotes,
    input: { studentId: student.id, input, openingBalance: null },
  };
}

function formatIssue(issue: { path: PropertyKey[]; message: string }): string {
  const label = FIELD_LABELS[issue.path[0] as StudentField];
  const isNamed = label === undefined || issue.message.startsWith('Name');
  return isNamed ? issue.message : `${capitalize(label)}: ${issue.message}`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function checkCarerName(values: Values): string[] {
  const hasDetails = CARER_FIELDS.some((field) => values[field] !== '');
  return hasDetails && values.carerName === '' ? ['Carer name is required'] : [];
}

/** Siblings share a carer: carers with the same name and the same email address or phone number are one person. */
export async function saveStudents(
  context: Context,
  tx: Tx,
  tutorId: string,
  plans: readonly StudentPlan[],
): Promise<void> {
  const newCount = plans.filter(({ studentId }) => studentId === null).length;
  await assertStudentLimit(tx, tutorId, newCount);
  const existing = (await getCarers(tx, tutorId)).flatMap((carer) =>
    carerKeys(carer.name, carer).map((key) => [key, carer.id] as const),
  );
  const carers = new Map(existing);
  for (const { studentId, input, openingBalance } of plans) {
    const keys = carerKeys(input.carerName ?? '', {
      email: input.carerEmail ?? null,
      phone: input.carerPhone ?? null,
    });
    const known = keys.map((key) => carers.get(key)).find((id) => id !== undefined);
    const isLinked = typeof input.carerId === 'number';
    const resolved =
      isLinked || known === undefined ? input : { ...input, ...NO_CARER_CHANGES, carerId: known };
    const student =
      studentId === null
        ? await addStudentInTx(context, tx, tutorId, resolved)
        : await changeStudentInTx(context, tx, tutorId, studentId, resolved);
    if (openingBalance && student.familyId !== null)
      await setOpeningBalanceInTx(context, tx, tutorId, student.familyId, openingBalance);
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
