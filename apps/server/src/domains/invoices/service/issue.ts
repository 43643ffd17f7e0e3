import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { createSharedLinks } from '../../../platform/payment-and-feed-link-tokens.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { type SeatRef, seatKey } from '../../lessons/events.ts';
import {
  addCharges,
  CREATED_BY_TUTOR,
  chargesForSeats,
  type PlannedCharge,
  planCharges,
  setChargesInvoice,
} from '../../payments/service/charges.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import {
  type LineRecord,
  linesByInvoices,
  type NewLine,
  replaceLines,
} from '../queries/invoice-lines.ts';
import { allocateNumbers } from '../queries/invoice-numbers.ts';
import { type InvoiceRecord, markIssued } from '../queries/invoices.ts';
import { uninvoicedCharges, upcomingSessions } from '../queries/uninvoiced-charges-and-sessions.ts';
import { formatCreditNoteNumber, formatInvoiceNumber } from '../rules/invoice-number.ts';
import { toPartySnapshot } from '../rules/party-snapshot.ts';
import { getDueDate } from './business-settings.ts';
import { getDraftsOrThrow, getInvoiceOrThrow } from './guards.ts';
import { toSessionLines } from './session-lines.ts';
import { draftOutdatedError, toNewLine } from './validate-draft-lines.ts';

interface Draft {
  invoice: InvoiceRecord;
  lines: readonly LineRecord[];
  dueOn: string;
}

/**
 * Issues all the drafts or none of them, in one transaction under the tutor's lock. Uses a fixed number of SQL statements,
 * however many drafts there are.
 */
export async function issueInvoices(
  context: Context,
  tutorId: string,
  ids: readonly number[],
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      await issueDrafts(context, tx, tutorId, await getDrafts(context, tx, tutorId, ids));
      return true;
    }),
  );
}

/** Issues a draft. An invoice that has already been issued is not affected. */
export async function ensureIssued(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<void> {
  const { issuedOn } = await getInvoiceOrThrow(tx, tutorId, id);
  if (issuedOn !== null) return;
  await issueDrafts(context, tx, tutorId, await getDrafts(context, tx, tutorId, [id]));
}

/** The numbers that the next invoices get if nothing else is issued in the meantime. */
export async function nextInvoiceNumbers(
  tx: Tx,
  tutorId: string,
  count: number,
): Promise<string[]> {
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  const next = business?.nextInvoiceNumber ?? 1;
  return Array.from({ length: count }, (_, index) =>
    formatInvoiceNumber(business?.invoicePrefix ?? '', next + index),
  );
}

async function getDrafts(
  context: Context,
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<Draft[]> {
  const invoices = await getDraftsOrThrow(tx, tutorId, [...new Set(ids)]);
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const defaultDueOn = await getDueDate(tx, tutorId, today);
  const lines = Map.groupBy(
    await linesByInvoices(tx, tutorId, ids).execute(),
    (line) => line.invoiceId,
  );
  return invoices.map((invoice) => {
    const draftLines = lines.get(invoice.id);
    if (!draftLines)
      throw new AppError('conflict', `The draft for ${invoice.familyName} has no items yet.`);
    return { invoice, lines: draftLines, dueOn: invoice.dueOn ?? defaultDueOn };
  });
}

async function issueDrafts(
  context: Context,
  tx: Tx,
  tutorId: string,
  drafts: readonly Draft[],
): Promise<void> {
  const finalLines = await ensureCharges(context, tx, tutorId, drafts);
  await replaceLines(tx, tutorId, finalLines);
  await setChargesInvoice(
    tx,
    tutorId,
    finalLines.flatMap(({ invoiceId, lines }) =>
      lines.flatMap(({ chargeId }) => (chargeId === null ? [] : [{ chargeId, invoiceId }])),
    ),
  );
  await finalizeInvoices(
    context,
    tx,
    tutorId,
    'invoice',
    drafts.map(({ invoice, dueOn }) => ({ ...invoice, dueOn })),
  );
}

/** Ensures that every line has a charge: an existing one, a new one for an upcoming session, or a new one for another item. */
async function ensureCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  drafts: readonly Draft[],
): Promise<{ invoiceId: number; lines: NewLine[] }[]> {
  const now = context.clock.now();
  await assertSessionsBillable(tx, tutorId, drafts);
  const prepaid = drafts.flatMap(prepaidSeats);
  const prepaidShares = new Set(drafts.flatMap(prepaidShareKeys));
  // Only the shares on the drafts: the other payers are charged when the session is completed, or by their own invoices.
  const sessionCharges = (await planCharges(context, tx, tutorId, prepaid, 'lesson')).filter(
    (planned) => prepaidShares.has(shareKey(planned)),
  );
  const items = drafts.flatMap((draft) =>
    draft.lines.filter(isItem).map((line) => ({ draft, line })),
  );
  const itemCharges = items.map(({ draft, line }) => toItemCharge(draft, line, now));
  // Added in one call, so that credit is allocated to the charge with the oldest due date, not to the first one inserted.
  const newIds = await addCharges(tx, tutorId, [...sessionCharges, ...itemCharges], now);
  const chargeIdByItem = new Map(
    items.map(({ line }, index) => [line, newIds[sessionCharges.length + index] ?? null]),
  );
  const chargeIdByShare = new Map(
    (await chargesForSeats(tx, tutorId, prepaid)).map((charge) => [shareKey(charge), charge.id]),
  );
  const chargeIdOf = ({ invoice }: Draft, line: LineRecord): number | null =>
    line.chargeId ?? chargeIdByShare.get(shareKey({ ...line, familyId: invoice.familyId })) ?? null;
  const chargeIds = drafts.flatMap((draft) =>
    draft.lines.flatMap((line) => chargeIdOf(draft, line) ?? []),
  );
  const uninvoiced = new Map(
    (await uninvoicedCharges(tx, tutorId, { chargeIds }).execute()).map((charge) => [
      charge.chargeId,
      charge,
    ]),
  );
  const usedByEarlierDraft = new Set<number | null>();
  return drafts.map((draft) => {
    const { invoice, lines } = draft;
    const draftLines = lines.map((line) => {
      if (isItem(line)) return { ...line, chargeId: chargeIdByItem.get(line) ?? null };
      const charge = uninvoiced.get(chargeIdOf(draft, line));
      if (
        charge?.familyId !== invoice.familyId ||
        charge.currency !== invoice.currency ||
        usedByEarlierDraft.has(charge.chargeId)
      ) {
        throw draftOutdatedError(invoice.familyName);
      }
      return toNewLine(charge);
    });
    for (const line of draftLines) usedByEarlierDraft.add(line.chargeId);
    return { invoiceId: invoice.id, lines: draftLines };
  });
}

const isItem = (line: LineRecord): boolean => line.chargeId === null && line.sessionId === null;

const prepaidSeats = ({ lines }: Draft): SeatRef[] =>
  lines.flatMap(({ chargeId, sessionId, studentId }) =>
    chargeId !== null || sessionId === null || studentId === null ? [] : [{ sessionId, studentId }],
  );

/** A payer's share of a session. */
const shareKey = (share: {
  sessionId: number | null;
  studentId: number | null;
  familyId: number;
}): string => `${seatKey(share)} ${share.familyId}`;

const prepaidShareKeys = ({ invoice, lines }: Draft): string[] =>
  lines
    .filter((line) => line.chargeId === null && line.sessionId !== null)
    .map((line) => shareKey({ ...line, familyId: invoice.familyId }));

const toItemCharge = ({ invoice, dueOn }: Draft, line: LineRecord, now: Date): PlannedCharge => ({
  familyId: invoice.familyId,
  studentId: null,
  sessionId: null,
  kind: 'item',
  description: line.description,
  amount: line.amount,
  currency: invoice.currency,
  dueDate: dueOn,
  payersDate: null,
  invoiceId: invoice.id,
  createdBy: CREATED_BY_TUTOR,
  now,
});

/** Completed sessions already have a charge, and cancelled or moved ones cannot be invoiced. */
async function assertSessionsBillable(
  tx: Tx,
  tutorId: string,
  drafts: readonly Draft[],
): Promise<void> {
  const sessionIds = drafts.flatMap(prepaidSeats).map(({ sessionId }) => sessionId);
  if (sessionIds.length === 0) return;
  const upcoming = toSessionLines(await upcomingSessions(tx, tutorId, { sessionIds }).execute());
  const charges = await uninvoicedCharges(tx, tutorId, { sessionIds }).execute();
  const billable = new Set([...upcoming, ...charges].map(shareKey));
  const outdated = drafts.find((draft) =>
    prepaidShareKeys(draft).some((share) => !billable.has(share)),
  );
  if (outdated) throw draftOutdatedError(outdated.invoice.familyName);
}

/** Assigns numbers and links to the documents, in order. */
export async function finalizeInvoices(
  context: Context,
  tx: Tx,
  tutorId: string,
  kind: InvoiceRecord['kind'],
  drafts: readonly Pick<
    InvoiceRecord,
    'id' | 'familyName' | 'familyAddress' | 'reference' | 'dueOn'
  >[],
): Promise<void> {
  const now = context.clock.now();
  const { name, timeZone } = await getTutor(tx, tutorId);
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  const { sequences, prefix } = await allocateNumbers(
    tx,
    tutorId,
    kind === 'invoice' ? 'next_invoice_number' : 'next_credit_note_number',
    drafts.length,
  );
  const documents = drafts.map((draft, index) => {
    const sequence = sequences[index] as number;
    const payer = {
      name: draft.familyName,
      address: draft.familyAddress,
      reference: draft.reference,
    };
    return {
      id: draft.id,
      sequence,
      number:
        kind === 'invoice'
          ? formatInvoiceNumber(prefix, sequence)
          : formatCreditNoteNumber(sequence),
      dueOn: draft.dueOn,
      partiesSnapshot: JSON.stringify(toPartySnapshot(name, business, payer)),
    };
  });
  await markIssued(tx, tutorId, documents, { on: dateInZone(timeZone, now), at: now });
  await createSharedLinks(
    tx,
    tutorId,
    'invoice',
    documents.map(({ id }) => id),
    now,
  );
}
