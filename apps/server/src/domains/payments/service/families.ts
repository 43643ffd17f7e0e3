import type {
  Family,
  FamilyDetails,
  FamilyInput,
  LedgerEntry,
  OpeningBalanceInput,
} from '@lessonbook/contract/families';
import type { Currency } from '@lessonbook/contract/money';
import type { Balance } from '@lessonbook/contract/payments';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { readTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { findCharges } from '../queries/charges.ts';
import {
  type BalanceRecord,
  balancesOf,
  childrenOfFamilies,
  type FamilyRecord,
  families,
  familyById,
  familyOfStudent,
  outstandingByStudent,
  updateFamily,
} from '../queries/families.ts';
import { type EntryRecord, entriesOfFamily } from '../queries/ledger.ts';
import { lessonCurrency } from '../queries/payment-form.ts';
import { lastManualPayment } from '../queries/payment-views.ts';
import { likelyCurrency, toBalance } from '../rules/balance.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { allocatePayments } from './allocate-payments.ts';
import { addCharges, reverseCharge, TUTOR } from './charges.ts';
import { assertFamilyExists, familyNotFound } from './guards.ts';
import { addPaymentEntry } from './payment-ledger.ts';

type Child = Awaited<ReturnType<ReturnType<typeof childrenOfFamilies>['execute']>>[number];

/** Payers who have a current student, debt or credit. */
export async function listFamilies(context: Context, tutorId: string): Promise<Family[]> {
  const timeZone = await readTimeZone(context, tutorId);
  const [rows, children, balances] = await context.db.tutorRead(tutorId, (tx) => [
    families(tx, tutorId),
    childrenOfFamilies(tx, tutorId),
    balancesOf(tx, tutorId),
  ]);
  const open = new Set(balances.map((balance) => balance.familyId));
  return rows
    .filter((row) => open.has(row.id) || children.some((child) => isPaidFor(child, row)))
    .map((row) => toFamily(row, children, balances, timeZone))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id);
}

/** False if the student is archived or now has a different payer. */
const isPaidFor = (child: Child, family: FamilyRecord): boolean =>
  child.familyId === family.id && child.archivedAt === null && child.carerId === family.carerId;

/** Families that owe money, ordered by the due date of their oldest open charge. */
export async function listBalances(context: Context, tutorId: string): Promise<Family[]> {
  const all = await listFamilies(context, tutorId);
  return all
    .filter((family) => family.balances.some((balance) => balance.owed > 0))
    .toSorted((a, b) => (a.oldestDue ?? '').localeCompare(b.oldestDue ?? '') || a.id - b.id);
}

function toFamily(
  row: FamilyRecord,
  children: readonly Child[],
  balances: readonly BalanceRecord[],
  timeZone: string,
): Family {
  const own = balances.filter((balance) => balance.familyId === row.id);
  const due = own.flatMap((balance) => (balance.oldestDue === null ? [] : [balance.oldestDue]));
  return {
    id: row.id,
    name: row.name,
    students: children.filter((child) => child.familyId === row.id).map((child) => child.name),
    balances: own.map(toBalance),
    oldestDue: due.toSorted()[0] ?? null,
    claim: toTransferClaim(row, own, timeZone),
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
    on: dateInZone(timeZone, row.transferClaimedAt),
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
  const timeZone = await readTimeZone(context, tutorId);
  const [[row], children, balances, open, [last], [lesson], entries] = await context.db.tutorRead(
    tutorId,
    (tx) => [
      familyById(tx, tutorId, id),
      childrenOfFamilies(tx, tutorId).where('families.id', '=', id),
      balancesOf(tx, tutorId, id),
      outstandingByStudent(tx, tutorId),
      lastManualPayment(tx, tutorId, id),
      lessonCurrency(tx, tutorId, id),
      entriesOfFamily(tx, tutorId, id, page),
    ],
  );
  if (!row) throw familyNotFound();
  const owedFor = (studentId: number): Balance[] =>
    open
      .filter((each) => each.studentId === studentId)
      .map((each) => toBalance({ ...each, credit: 0 }));
  return {
    ...toFamily(row, children, balances, timeZone),
    carerId: row.carerId,
    studentId: row.studentId,
    email: row.email,
    phone: row.phone,
    address: row.address,
    reference: row.reference,
    payToken: row.payToken,
    lastMethod: (last?.method ?? null) as FamilyDetails['lastMethod'],
    currency: likelyCurrency(balances, last, lesson),
    children: children.map((child) => ({
      id: child.studentId,
      name: child.name,
      balances: owedFor(child.studentId),
    })),
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
        const entry = { familyId, currency, createdBy: TUTOR, now };
        const opening = { kind: 'opening' as const, description: null, amount, dueDate: date };
        const unlinked = { studentId: null, sessionId: null, invoiceId: null };
        await addCharges(tx, tutorId, [{ ...entry, ...opening, ...unlinked }], now);
      } else {
        const opening = { kind: 'payment', method: 'opening', amount: -amount } as const;
        await addPaymentEntry(tx, tutorId, {
          familyId,
          currency,
          ...opening,
          paidOn: date,
          now,
          createdBy: TUTOR,
        });
        await allocatePayments(tx, tutorId, { familyId, currency }, now);
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
      await reverseCharge(context, tx, tutorId, charge, {
        kind: 'reversal',
        amount: charge.amount,
      });
      return readBalances(tx, tutorId, familyId);
    }),
  );
}

async function readBalances(tx: Tx, tutorId: string, familyId: number): Promise<Balance[]> {
  return (await balancesOf(tx, tutorId, familyId).execute()).map(toBalance);
}

export async function readStudentBalance(
  context: Context,
  tutorId: string,
  studentId: number,
): Promise<{ familyId: number | null; balances: Balance[] }> {
  const [[student], open] = await context.db.tutorRead(tutorId, (tx) => [
    familyOfStudent(tx, tutorId, studentId),
    outstandingByStudent(tx, tutorId).where('student_id', '=', studentId),
  ]);
  if (!student) throw new AppError('not_found', 'That student is not in your book.');
  return {
    familyId: student.familyId,
    balances: open.map((each) => toBalance({ ...each, credit: 0 })),
  };
}
