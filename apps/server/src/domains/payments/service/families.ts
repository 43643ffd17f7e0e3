import { MAX_PAGE_SIZE } from '@lessonbook/contract/endpoint';
import type {
  Family,
  FamilyDetails,
  FamilyInput,
  LedgerEntry,
} from '@lessonbook/contract/families';
import type { Currency } from '@lessonbook/contract/money';
import type { Balance } from '@lessonbook/contract/payments';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { executeBatch } from '../../../platform/db/batch.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { replaceSharedLink, sharedLinkToken } from '../../../platform/shared-links.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { setContactTimeZone } from '../../students/service/contacts.ts';
import {
  familyBalances,
  familyById,
  familyForStudent,
  outstandingForFamilyStudents,
  outstandingForStudent,
  studentsByFamily,
  updateFamily,
} from '../queries/families.ts';
import { type FamilyListRecord, familiesPage, owingFamiliesPage } from '../queries/family-list.ts';
import { type EntryRecord, familyEntries } from '../queries/ledger.ts';
import { latestLessonCurrency } from '../queries/payment-form.ts';
import { lastManualPayment } from '../queries/payment-views.ts';
import { returnedPayments } from '../queries/returned-payments.ts';
import { suggestCurrency, toBalance } from '../rules/balance.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { familyNotFound } from './guards.ts';
import { toReturnedPayment } from './read-payments.ts';

/** Payers who have a current student, debt or credit, ordered by id. */
export const listFamilies = (
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Family[]> => context.db.tutorSnapshot(tutorId, (tx) => getFamilies(tx, tutorId, page));

async function getFamilies(tx: Tx, tutorId: string, page: PageQuery): Promise<Family[]> {
  const [tutors, rows] = await executeBatch(tx, [
    tutorQuery(tx, tutorId),
    familiesPage(tx, tutorId, page),
  ]);
  const { timeZone } = toTutorOrThrow(tutors);
  return rows.map((row) => toFamily(row, timeZone));
}

/** Payers who owe money, ordered by id. */
export async function listBalances(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Family[]> {
  const [tutors, rows] = await context.db.tutorRead(tutorId, (tx) => [
    tutorQuery(tx, tutorId),
    owingFamiliesPage(tx, tutorId, page),
  ]);
  const { timeZone } = toTutorOrThrow(tutors);
  return rows.map((row) => toFamily(row, timeZone));
}

/** Returns all pages of listFamilies combined. */
export async function getAllFamilies(tx: Tx, tutorId: string): Promise<Family[]> {
  const all: Family[] = [];
  for (;;) {
    const after = all.at(-1)?.id ?? 0;
    const page = await getFamilies(tx, tutorId, { limit: MAX_PAGE_SIZE, after });
    all.push(...page);
    if (page.length < MAX_PAGE_SIZE) return all;
  }
}

function toFamily(row: FamilyListRecord, timeZone: string): Family {
  const dueDates = row.balances.flatMap((balance) => balance.oldestDueDate ?? []);
  return {
    id: row.id,
    name: row.name,
    students: row.students,
    balances: row.balances.map(toBalance),
    oldestDueDate: dueDates.toSorted()[0] ?? null,
    claim: toTransferClaim(row, row.balances, timeZone),
  };
}

/** The transfer is assumed to be for the full amount owed, if it is all in one currency. */
export function toTransferClaim(
  row: { transferClaimedAt: Date | null },
  balances: readonly { owed: number; currency: string }[],
  timeZone: string,
): Family['claim'] {
  if (row.transferClaimedAt === null) return null;
  const owing = balances.filter((balance) => balance.owed > 0);
  const balance = owing.length === 1 ? owing[0] : undefined;
  return {
    claimedOn: dateInZone(timeZone, row.transferClaimedAt),
    amount: balance?.owed ?? null,
    currency: (balance?.currency ?? null) as Currency | null,
  };
}

export async function readFamily(
  context: Context,
  tutorId: string,
  id: number,
  page: { limit: number; offset: number },
): Promise<FamilyDetails> {
  const [
    tutors,
    [row],
    students,
    balances,
    outstanding,
    [lastPayment],
    [latestLesson],
    entries,
    returned,
  ] = await context.db.tutorRead(tutorId, (tx) => [
    tutorQuery(tx, tutorId),
    familyById(tx, tutorId, id),
    studentsByFamily(tx, tutorId, id),
    familyBalances(tx, tutorId, [id]),
    outstandingForFamilyStudents(tx, tutorId, id),
    lastManualPayment(tx, tutorId, id),
    latestLessonCurrency(tx, tutorId, id),
    familyEntries(tx, tutorId, id, page),
    returnedPayments(tx, tutorId, { familyId: id }),
  ]);
  if (!row) throw familyNotFound();
  const { timeZone } = toTutorOrThrow(tutors);
  const owedFor = (studentId: number): Balance[] =>
    outstanding
      .filter((amount) => amount.studentId === studentId)
      .map((amount) => toBalance({ ...amount, credit: 0 }));
  return {
    ...toFamily({ ...row, students: students.map(({ name }) => name), balances }, timeZone),
    carerId: row.carerId,
    studentId: row.studentId,
    email: row.email,
    phone: row.phone,
    address: row.address,
    timeZone: row.timeZone,
    reference: row.reference,
    payToken: sharedLinkToken(context.config, 'balance', row.linkKey),
    lastMethod: (lastPayment?.method ?? null) as FamilyDetails['lastMethod'],
    currency: suggestCurrency(balances, lastPayment, latestLesson),
    children: students.map((student) => ({
      id: student.studentId,
      name: student.name,
      balances: owedFor(student.studentId),
    })),
    returnedPayments: returned.map(toReturnedPayment),
    entries: entries.map(toLedgerEntry),
    entryCount: entries[0]?.entryCount ?? 0,
  };
}

function toLedgerEntry(record: EntryRecord): LedgerEntry {
  const { subjectName: _subject, invoiceId, invoiceNumber, entryCount: _count, ...entry } = record;
  return {
    ...entry,
    kind: record.kind as LedgerEntry['kind'],
    currency: record.currency as Currency,
    createdAt: record.createdAt.toISOString(),
    description: formatEntryLabel(record),
    invoice:
      invoiceId === null || invoiceNumber === null
        ? null
        : { id: invoiceId, number: invoiceNumber },
  };
}

export async function changeFamily(
  context: Context,
  tutorId: string,
  id: number,
  input: FamilyInput,
): Promise<{ address: string | null; reference: string; timeZone: string | null }> {
  const change = { address: input.address || null, payment_reference: input.reference };
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const family = await familyById(tx, tutorId, id).executeTakeFirst();
    if (!family) throw familyNotFound();
    await updateFamily(tx, tutorId, id, change);
    const timeZone = input.timeZone === undefined ? family.timeZone : input.timeZone || null;
    await setContactTimeZone(tx, tutorId, family.contactId, timeZone);
    return { address: change.address, reference: change.payment_reference, timeZone };
  });
}

/** The old payment link stops working immediately. */
export async function replacePayLink(
  context: Context,
  tutorId: string,
  id: number,
): Promise<{ payToken: string }> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const linkKey = await replaceSharedLink(tx, tutorId, 'balance', id);
    if (linkKey === undefined) throw familyNotFound();
    const metadata = { familyId: id };
    await recordAudit(tx, tutorId, { action: 'link_replaced', at: context.clock.now(), metadata });
    return { payToken: sharedLinkToken(context.config, 'balance', linkKey) };
  });
}

/** The tutor has not received the reported transfer. */
export async function dismissClaim(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    if (!(await updateFamily(tx, tutorId, id, { transfer_claimed_at: null })))
      throw familyNotFound();
  });
}

export async function readStudentBalance(
  context: Context,
  tutorId: string,
  studentId: number,
): Promise<{ familyId: number | null; balances: Balance[] }> {
  const [[student], outstanding] = await context.db.tutorRead(tutorId, (tx) => [
    familyForStudent(tx, tutorId, studentId),
    outstandingForStudent(tx, tutorId, studentId),
  ]);
  if (!student) throw new AppError('not_found', 'That student is not in your book.');
  return {
    familyId: student.familyId,
    balances: outstanding.map((amount) => toBalance({ ...amount, credit: 0 })),
  };
}
