import type { CreditNoteInput } from '@lessonbook/contract/invoices';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { takeIds } from '../../../platform/counters.ts';
import type { Tx } from '../../../platform/db.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import { markUncharged } from '../../lessons/service/uncharge.ts';
import {
  type Charge,
  findCharges,
  putOnInvoice,
  TUTOR,
  takeBack,
} from '../../payments/service/charges.ts';
import {
  creditNotesOf,
  type InvoiceRecord,
  insertDraft,
  updateInvoice,
} from '../queries/invoices.ts';
import { chargesOnInvoice, linesOf, replaceLines } from '../queries/lines.ts';
import { invoiceInBook } from './drafts.ts';
import { stamp } from './issue.ts';

/** A void invoice keeps its number and its lines; what it billed can be billed again, and what only it made is taken back. */
export async function voidInvoice(
  context: Context,
  tutorId: string,
  id: number,
  reason: string | null,
  repeat: Repeatable | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const invoice = await issuedInvoice(tx, tutorId, id);
      if ((await creditNotesOf(tx, tutorId, id).execute()).length > 0) {
        throw new AppError('conflict', 'It has a credit note. Credit the rest instead.');
      }
      const onIt = await chargesOnInvoice(tx, tutorId, id).execute();
      const madeByIt = onIt.filter(
        (charge) => charge.kind === 'item' || charge.sessionStatus === 'scheduled',
      );
      for (const charge of await findCharges(
        tx,
        tutorId,
        madeByIt.map((each) => each.id),
      )) {
        await takeBack(context, tx, tutorId, charge, { kind: 'reversal', amount: charge.amount });
      }
      await putOnInvoice(
        tx,
        tutorId,
        onIt.map((charge) => charge.id),
        null,
      );
      await updateInvoice(tx, tutorId, invoice.id, {
        voided_at: now,
        voided_on: dateIn(await timeZoneOf(tx, tutorId), now),
        void_reason: reason,
      });
      const facts = { number: invoice.number ?? '' };
      await audit(tx, tutorId, { act: 'invoice_voided', at: now, facts });
      return true;
    }),
  );
}

async function issuedInvoice(tx: Tx, tutorId: string, id: number): Promise<InvoiceRecord> {
  const invoice = await invoiceInBook(tx, tutorId, id);
  if (invoice.kind !== 'invoice' || invoice.issuedOn === null) {
    throw new AppError('conflict', 'Only an issued invoice can be corrected.');
  }
  if (invoice.voidedOn !== null) {
    throw new AppError('conflict', `Invoice ${invoice.number} is void.`);
  }
  return invoice;
}

export async function creditInvoice(
  context: Context,
  tutorId: string,
  id: number,
  input: CreditNoteInput,
  repeat: Repeatable | null,
): Promise<number> {
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, context.clock.now(), () =>
      makeCreditNote(context, tx, tutorId, id, input),
    ),
  );
}

/** Takes back all or part of lines of an issued invoice by a document of its own; money paid for them becomes credit. */
export async function makeCreditNote(
  context: Context,
  tx: Tx,
  tutorId: string,
  invoiceId: number,
  input: CreditNoteInput,
): Promise<number> {
  const invoice = await issuedInvoice(tx, tutorId, invoiceId);
  const charges = await creditable(tx, tutorId, invoice, input);
  const [id] = (await takeIds(tx, tutorId, 'invoice')) as [number];
  await insertDraft(tx, tutorId, {
    id,
    kind: 'credit_note',
    familyId: invoice.familyId,
    currency: invoice.currency,
    periodFrom: null,
    periodTo: null,
    note: input.reason || null,
    correctsId: invoice.id,
    author: TUTOR,
    now: context.clock.now(),
  });
  const lines = await linesOf(tx, tutorId, invoice.id).execute();
  const credits = input.lines.map(({ chargeId, amount }) => {
    const line = lines.find((each) => each.chargeId === chargeId);
    if (!line) throw notOnIt(invoice);
    return { ...line, amount };
  });
  await replaceLines(tx, tutorId, id, credits);
  await stamp(context, tx, tutorId, { ...invoice, id, kind: 'credit_note' });
  for (const { chargeId, amount } of input.lines) {
    const charge = charges.get(chargeId) as Charge;
    await takeBack(context, tx, tutorId, charge, { kind: 'credit_note', amount, invoiceId: id });
    const whole = charge.credited + amount === charge.amount;
    if (whole && charge.sessionId !== null) await markUncharged(tx, tutorId, [charge.sessionId]);
  }
  return id;
}

const notOnIt = (invoice: InvoiceRecord): AppError =>
  new AppError('not_found', `That line is not on invoice ${invoice.number}.`);

async function creditable(
  tx: Tx,
  tutorId: string,
  invoice: InvoiceRecord,
  input: CreditNoteInput,
): Promise<Map<number, Charge>> {
  const ids = input.lines.map((line) => line.chargeId);
  const found = await findCharges(tx, tutorId, ids);
  const charges = new Map(found.map((charge) => [charge.id, charge]));
  if (new Set(ids).size !== ids.length) {
    throw new AppError('invalid', 'Each line can be credited once on one note.');
  }
  for (const [index, { chargeId, amount }] of input.lines.entries()) {
    const charge = charges.get(chargeId);
    if (charge?.invoiceId !== invoice.id) throw notOnIt(invoice);
    const left = charge.reversed ? 0 : charge.amount - charge.credited;
    if (amount > left) {
      const message = 'That is more than is left of this line';
      throw new AppError('invalid', message, { fields: { [`lines.${index}.amount`]: message } });
    }
  }
  return charges;
}
