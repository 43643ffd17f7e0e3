import type { CreditNoteInput } from '@lessonbook/contract/invoice-inputs';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { type SeatRef, seatKey } from '../../lessons/events.ts';
import { markNotBillable } from '../../lessons/service/cancel-without-fee-and-restore.ts';
import { repriceSessions } from '../../lessons/service/rates.ts';
import { amountOwedReduced } from '../../payments/events.ts';
import {
  type Charge,
  CREATED_BY_TUTOR,
  chargesForSeats,
  findCharges,
  remainingAmount,
  reverseCharges,
  setChargesInvoice,
} from '../../payments/service/charges.ts';
import { linesByInvoice, replaceLines } from '../queries/invoice-lines.ts';
import {
  creditNotesByInvoice,
  type InvoiceRecord,
  insertDrafts,
  updateInvoice,
} from '../queries/invoices.ts';
import { chargesOnInvoice } from '../queries/uninvoiced-charges-and-sessions.ts';
import { getIssuedInvoiceOrThrow } from './guards.ts';
import { finalizeInvoices } from './issue.ts';

/** Keeps the number and lines. Lesson charges can be invoiced again; charges created by the invoice are reversed. */
export async function voidInvoice(
  context: Context,
  tutorId: string,
  id: number,
  reason: string | null,
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const invoice = await getIssuedInvoiceOrThrow(tx, tutorId, id);
      if ((await creditNotesByInvoice(tx, tutorId, id).execute()).length > 0) {
        throw new AppError(
          'conflict',
          'This invoice already has a credit note. Credit the remaining items instead.',
        );
      }
      const invoicedCharges = await chargesOnInvoice(tx, tutorId, id).execute();
      const createdByInvoice = invoicedCharges.filter(
        (charge) => charge.kind === 'item' || charge.isPrepaid,
      );
      const createdIds = createdByInvoice.map((charge) => charge.id);
      const reversals = (await findCharges(tx, tutorId, createdIds)).map((charge) => ({
        charge,
        amount: remainingAmount(charge),
      }));
      await reverseCharges(context, tx, tutorId, reversals, { kind: 'reversal' });
      const seats = reversals.flatMap(({ charge }) => toSeatRef(charge));
      await repriceSessions({ tx, tutorId }, toSessionIds(seats));
      await setChargesInvoice(
        tx,
        tutorId,
        invoicedCharges.map((charge) => ({ chargeId: charge.id, invoiceId: null })),
      );
      await updateInvoice(tx, tutorId, invoice.id, {
        voided_at: now,
        voided_on: dateInZone(await getTimeZone(tx, tutorId), now),
        void_reason: reason,
      });
      const familyIds = [invoice.familyId];
      await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds });
      const metadata = { number: invoice.number ?? '' };
      await recordAudit(tx, tutorId, { action: 'invoice_voided', at: now, metadata });
      return true;
    }),
  );
}

export async function creditInvoice(
  context: Context,
  tutorId: string,
  id: number,
  input: CreditNoteInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number> {
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, context.clock.now(), () =>
      createCreditNote(context, tx, tutorId, id, input),
    ),
  );
}

/** Credits lines of an issued invoice in full or in part. Payments allocated to them become credit. */
export async function createCreditNote(
  context: Context,
  tx: Tx,
  tutorId: string,
  invoiceId: number,
  input: CreditNoteInput,
): Promise<number> {
  const invoice = await getIssuedInvoiceOrThrow(tx, tutorId, invoiceId);
  const charges = await getCreditableCharges(tx, tutorId, invoice, input);
  const [id] = (await nextIdsForKind(tx, tutorId, 'invoice')) as [number];
  const draft = {
    id,
    kind: 'credit_note' as const,
    familyId: invoice.familyId,
    currency: invoice.currency,
    periodFrom: null,
    periodTo: null,
    note: input.reason || null,
    correctedInvoiceId: invoice.id,
    createdBy: CREATED_BY_TUTOR,
    now: context.clock.now(),
  };
  await insertDrafts(tx, tutorId, [draft]);
  const lines = await linesByInvoice(tx, tutorId, invoice.id).execute();
  const credits = input.lines.map(({ chargeId, amount }) => {
    const line = lines.find((invoiceLine) => invoiceLine.chargeId === chargeId);
    if (!line) throw lineNotFound(invoice);
    return { ...line, amount };
  });
  await replaceLines(tx, tutorId, [{ invoiceId: id, lines: credits }]);
  await finalizeInvoices(context, tx, tutorId, 'credit_note', [{ ...invoice, id, dueOn: null }]);
  const reversals = input.lines.map(({ chargeId, amount }) => ({
    charge: charges.get(chargeId) as Charge,
    amount,
  }));
  await reverseCharges(context, tx, tutorId, reversals, { kind: 'credit_note', invoiceId: id });
  await markCreditedSeats(tx, tutorId, reversals);
  return id;
}

interface ChargeCredit {
  charge: Charge;
  amount: number;
}

/** Seats whose charges have been credited in full are no longer billable. */
async function markCreditedSeats(
  tx: Tx,
  tutorId: string,
  credits: readonly ChargeCredit[],
): Promise<void> {
  const creditedSeats = credits.flatMap(({ charge, amount }) =>
    charge.credited + amount === charge.amount ? toSeatRef(charge) : [],
  );
  // Another payer may still be charged for the seat.
  const chargedSeats = new Set((await chargesForSeats(tx, tutorId, creditedSeats)).map(seatKey));
  await markNotBillable(
    tx,
    tutorId,
    creditedSeats.filter((seat) => !chargedSeats.has(seatKey(seat))),
  );
  await repriceSessions({ tx, tutorId }, toSessionIds(creditedSeats));
}

const toSessionIds = (seats: readonly SeatRef[]): number[] => [
  ...new Set(seats.map(({ sessionId }) => sessionId)),
];

/**
 * Credits charges that are no longer owed. Creates a credit note for each invoice, but none for charges that are not on
 * an invoice.
 */
export async function creditCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  credits: readonly { chargeId: number; amount: number }[],
  reason: string,
): Promise<void> {
  const amounts = new Map(credits.map(({ chargeId, amount }) => [chargeId, amount]));
  const charges = await findCharges(tx, tutorId, [...amounts.keys()]);
  const byInvoice = Map.groupBy(
    charges.map((charge) => ({ charge, amount: amounts.get(charge.id) ?? 0 })),
    ({ charge }) => charge.invoiceId,
  );
  for (const [invoiceId, group] of byInvoice) {
    if (invoiceId === null) {
      await reverseCharges(context, tx, tutorId, group, { kind: 'credit_note', invoiceId });
      await markCreditedSeats(tx, tutorId, group);
    } else {
      const lines = group.map(({ charge, amount }) => ({ chargeId: charge.id, amount }));
      await createCreditNote(context, tx, tutorId, invoiceId, { lines, reason });
    }
  }
}

/** Empty for a charge that is not for a lesson. */
const toSeatRef = ({ sessionId, studentId }: Charge): SeatRef[] =>
  sessionId === null || studentId === null ? [] : [{ sessionId, studentId }];

const lineNotFound = (invoice: InvoiceRecord): AppError =>
  new AppError('not_found', `That item isn't on invoice ${invoice.number}.`);

async function getCreditableCharges(
  tx: Tx,
  tutorId: string,
  invoice: InvoiceRecord,
  input: CreditNoteInput,
): Promise<Map<number, Charge>> {
  const ids = input.lines.map((line) => line.chargeId);
  const found = await findCharges(tx, tutorId, ids);
  const charges = new Map(found.map((charge) => [charge.id, charge]));
  if (new Set(ids).size !== ids.length) {
    throw new AppError('invalid', 'Each item can be credited once on a credit note.');
  }
  for (const [index, { chargeId, amount }] of input.lines.entries()) {
    const charge = charges.get(chargeId);
    if (charge?.invoiceId !== invoice.id) throw lineNotFound(invoice);
    const remaining = charge.reversed ? 0 : remainingAmount(charge);
    if (amount > remaining) {
      const message = "That's more than is left to credit";
      throw new AppError('invalid', message, { fields: { [`lines.${index}.amount`]: message } });
    }
  }
  return charges;
}
