import { MAX_PAGE_SIZE } from '@lessonbook/contract/endpoint';
import type {
  Family,
  FamilyDetails,
  FamilyInput,
  LedgerEntry,
  OpeningBalanceInput,
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
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { replaceSharedLink, sharedLinkToken } from '../../../platform/shared-links.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { amountOwedReduced } from '../events.ts';
import { findCharges } from '../queries/charges.ts';
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
import { allocatePayments } from './allocate-payments.ts';
import { addCharges, CREATED_BY_TUTOR, reverseCharges } from './charges.ts';
import { assertFamilyExists, familyNotFound } from './guards.ts';
import { addPaymentEntry } from './payment-ledger.ts';
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
): Promise<{ address: string | null; reference: string }> {
  const change = { address: input.address || null, payment_reference: input.reference };
  await context.db.tutorTransaction(tutorId, async (tx) => {
    if (!(await updateFamily(tx, tutorId, id, change))) throw familyNotFound();
  });
  return { address: change.address, reference: change.payment_reference };
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

/** Records an earlier debt as a charge, or a credit as a payment. Both count towards the balance but not in reports. */
export async function setOpeningBalance(
  context: Context,
  tutorId: string,
  familyId: number,
  input: OpeningBalanceInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<Balance[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      await assertFamilyExists(tx, tutorId, familyId);
      const { amount, currency, date } = input;
      if (amount > 0) {
        const entry = { familyId, currency, createdBy: CREATED_BY_TUTOR, now };
        const opening = { kind: 'opening' as const, description: null, amount, dueDate: date };
        const unlinked = { studentId: null, sessionId: null, payersDate: null, invoiceId: null };
        await addCharges(tx, tutorId, [{ ...entry, ...opening, ...unlinked }], now);
      } else {
        const opening = { kind: 'payment', method: 'opening', amount: -amount } as const;
        await addPaymentEntry(tx, tutorId, {
          familyId,
          currency,
          ...opening,
          paidOn: date,
          now,
          createdBy: CREATED_BY_TUTOR,
        });
        await allocatePayments(tx, tutorId, [{ familyId, currency }], now);
        await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds: [familyId] });
      }
      return readBalances(tx, tutorId, familyId);
    }),
  );
}

/** Only for opening balances. Other charges are reversed by reopening the session or crediting the invoice. */
export async function reverseOpeningBalance(
  context: Context,
  tutorId: string,
  familyId: number,
  chargeId: number,
  idempotencyKey: IdempotencyKey | null,
): Promise<Balance[]> {
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, context.clock.now(), async () => {
      const [charge] = await findCharges(tx, tutorId, [chargeId]);
      if (charge?.familyId !== familyId) {
        throw new AppError('not_found', 'That charge is not on this account.');
      }
      if (charge.kind !== 'opening' || charge.reversed) {
        throw new AppError('conflict', 'Only an opening balance that stands can be taken back.');
      }
      const reversal = { charge, amount: charge.amount };
      await reverseCharges(context, tx, tutorId, [reversal], { kind: 'reversal' });
      return readBalances(tx, tutorId, familyId);
    }),
  );
}

async function readBalances(tx: Tx, tutorId: string, familyId: number): Promise<Balance[]> {
  return (await familyBalances(tx, tutorId, [familyId]).execute()).map(toBalance);
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
