import { MAX_PAGE_SIZE } from '@lessonbook/contract/endpoint';
import type {
  DueAmounts,
  Family,
  FamilyDetails,
  FamilyInput,
  FamilyListItem,
  LedgerEntry,
} from '@lessonbook/contract/families';
import type { Currency } from '@lessonbook/contract/money';
import type { Balance } from '@lessonbook/contract/payments';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import {
  replaceSharedLink,
  sharedLinkToken,
} from '../../../platform/payment-and-feed-link-tokens.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { setContactTimeZone } from '../../students/service/carers-and-contact-records.ts';
import {
  familyById,
  familyForStudent,
  peopleByFamily,
  studentsByFamily,
  updateFamily,
} from '../queries/family-accounts.ts';
import {
  familyBalances,
  familyBalancesForStudent,
  outstandingForFamilyStudents,
  outstandingForStudent,
} from '../queries/family-balances.ts';
import {
  type DueRecord,
  type FamilyListRecord,
  familiesByIds,
  familiesPage,
  familyDueAmounts,
  nextLessonByFamily,
  owingFamiliesPage,
} from '../queries/family-list.ts';
import { type EntryRecord, familyEntries } from '../queries/ledger.ts';
import { latestLessonCurrency } from '../queries/payment-form.ts';
import { lastManualPayment } from '../queries/payment-views.ts';
import { returnedPayments } from '../queries/returned-payments-and-charges-on-hold.ts';
import { suggestCurrency, toBalance } from '../rules/balances-and-suggested-currency.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { familyNotFound } from './assert-family-or-payment-exists.ts';
import { toReturnedPayment } from './read-payments.ts';

/** Payers who have a current student, debt or credit, ordered by id. */
export const listFamilies = (
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<FamilyListItem[]> =>
  context.db.tutorSnapshot(tutorId, async (tx) => {
    const { rows, timeZone } = await getFamilyRows(tx, tutorId, page);
    const ids = rows.map(({ id }) => id);
    const now = context.clock.now();
    const [due, nextLessons] = await executeBatch(tx, [
      familyDueAmounts(tx, tutorId, ids, now),
      nextLessonByFamily(tx, tutorId, ids, now),
    ]);
    const dueByFamily = Map.groupBy(due, ({ familyId }) => familyId);
    const nextByFamily = new Map(nextLessons.map(({ familyId, ...next }) => [familyId, next]));
    return rows.map((row) => ({
      ...toFamily(row, timeZone),
      children: row.children,
      nextLesson: nextByFamily.get(row.id) ?? null,
      due: (dueByFamily.get(row.id) ?? []).map(toDueAmounts),
    }));
  });

async function getFamilyRows(tx: Tx, tutorId: string, page: PageQuery) {
  const [tutors, rows] = await executeBatch(tx, [
    tutorQuery(tx, tutorId),
    familiesPage(tx, tutorId, page),
  ]);
  return { rows, timeZone: toTutorOrThrow(tutors).timeZone };
}

const toDueAmounts = ({ familyId: _family, currency, ...amounts }: DueRecord): DueAmounts => ({
  ...amounts,
  currency: currency as Currency,
});

/** Payers who owe money, ordered by id. */
export async function listOwingFamilies(
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

/** All pages of the list, without due dates and lessons. */
export async function getAllFamilies(tx: Tx, tutorId: string): Promise<Family[]> {
  const all: Family[] = [];
  for (;;) {
    const after = all.at(-1)?.id ?? 0;
    const page = await getFamilyRows(tx, tutorId, { limit: MAX_PAGE_SIZE, after });
    all.push(...page.rows.map((row) => toFamily(row, page.timeZone)));
    if (page.rows.length < MAX_PAGE_SIZE) return all;
  }
}

/** Sorted by id. */
export async function getFamiliesByIds(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<Pick<Family, 'id' | 'name' | 'students' | 'balances'>[]> {
  if (ids.length === 0) return [];
  const rows = await familiesByIds(tx, tutorId, ids).execute();
  const families = rows.map(({ balances, ...row }) => ({
    ...row,
    balances: balances.map(toBalance),
  }));
  return ids.flatMap((id) => families.filter((family) => family.id === id));
}

function toFamily(row: Omit<FamilyListRecord, 'children'>, timeZone: string): Family {
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
    due,
    people,
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
    familyDueAmounts(tx, tutorId, [id], context.clock.now()),
    peopleByFamily(tx, tutorId, id),
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
      isCurrent: student.isCurrent,
      balances: owedFor(student.studentId),
    })),
    due: due.map(toDueAmounts),
    people,
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

/** Dismisses the report of a transfer that the tutor has not received. */
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
): Promise<{ familyId: number | null; balances: Balance[]; familyBalances: Balance[] }> {
  const [[student], outstanding, familyTotals] = await context.db.tutorRead(tutorId, (tx) => [
    familyForStudent(tx, tutorId, studentId),
    outstandingForStudent(tx, tutorId, studentId),
    familyBalancesForStudent(tx, tutorId, studentId),
  ]);
  if (!student) throw new AppError('not_found', "We couldn't find that student.");
  return {
    familyId: student.familyId,
    balances: outstanding.map((amount) => toBalance({ ...amount, credit: 0 })),
    familyBalances: familyTotals.map(toBalance),
  };
}
