import { plusDays } from '@lessonbook/contract/dates';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { addPublicLinks } from '../../../platform/public-links.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import {
  addCharges,
  assignToInvoice,
  chargesOfSessions,
  type PlannedCharge,
  planCharges,
  TUTOR,
} from '../../payments/service/charges.ts';
import { allocateNumber, businessOf } from '../queries/business.ts';
import { type InvoiceRecord, updateInvoice } from '../queries/invoices.ts';
import {
  type LineRecord,
  linesOf,
  type NewLine,
  replaceLines,
  uninvoicedCharges,
  upcomingSessions,
} from '../queries/lines.ts';
import { creditNoteNumber, invoiceNumber } from '../rules/number.ts';
import { toPartySnapshot } from '../rules/party-snapshot.ts';
import { DEFAULT_DUE_DAYS } from './business.ts';
import { getDraftOrThrow } from './guards.ts';
import { draftOutdated, toNewLine } from './invoice-drafts.ts';

/** Issues all the drafts or none of them, in one transaction under the tutor's lock. */
export async function issueInvoices(
  context: Context,
  tutorId: string,
  ids: readonly number[],
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      for (const id of new Set(ids)) await issue(context, tx, tutorId, id);
      return true;
    }),
  );
}

async function issue(context: Context, tx: Tx, tutorId: string, id: number): Promise<void> {
  const draft = await getDraftOrThrow(tx, tutorId, id);
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const business = await businessOf(tx, tutorId).executeTakeFirst();
  const dueOn = draft.dueOn ?? plusDays(today, business?.dueDays ?? DEFAULT_DUE_DAYS);
  const lines = await linesOf(tx, tutorId, id).execute();
  if (lines.length === 0) {
    throw new AppError('conflict', `The draft for ${draft.familyName} has no lines yet.`);
  }
  const final = await ensureCharges(context, tx, tutorId, draft, lines, dueOn);
  await replaceLines(tx, tutorId, id, final);
  await assignToInvoice(
    tx,
    tutorId,
    final.flatMap((line) => line.chargeId ?? []),
    id,
  );
  await updateInvoice(tx, tutorId, id, { due_on: dueOn });
  await finalizeInvoice(context, tx, tutorId, draft);
}

/** Ensures that every line has a charge: an existing one, a new one for an upcoming session, or a new one for another item. */
async function ensureCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  draft: InvoiceRecord,
  lines: readonly LineRecord[],
  dueOn: string,
): Promise<NewLine[]> {
  const now = context.clock.now();
  const prepaidIds = lines.flatMap((line) =>
    line.chargeId === null ? (line.sessionId ?? []) : [],
  );
  await assertSessionsUpcoming(tx, tutorId, draft, prepaidIds);
  const sessions = await planCharges(context, tx, tutorId, prepaidIds, { kind: 'lesson' });
  const items = lines.filter(isItem);
  const newCharges = [...sessions, ...items.map((line) => itemCharge(draft, line, dueOn, now))];
  // Added in one call, so that credit is allocated to the charge with the oldest due date, not to the first one inserted.
  const itemChargeIds = (await addCharges(tx, tutorId, newCharges, now)).slice(sessions.length);
  const itemIds = new Map(
    items.map((line, index) => [line.position, itemChargeIds[index] ?? null]),
  );
  const bySession = new Map(
    (await chargesOfSessions(tx, tutorId, prepaidIds)).map((charge) => [
      charge.sessionId,
      charge.id,
    ]),
  );
  const lineChargeIds = lines.map((line) => line.chargeId ?? bySession.get(line.sessionId) ?? null);
  const chargeIds = lineChargeIds.flatMap((chargeId) => chargeId ?? []);
  const uninvoiced = await uninvoicedCharges(tx, tutorId, { chargeIds }).execute();
  return lines.map((line, index) => {
    if (isItem(line)) return { ...line, chargeId: itemIds.get(line.position) ?? null };
    const charge = uninvoiced.find(({ chargeId }) => chargeId === lineChargeIds[index]);
    if (charge?.familyId !== draft.familyId || charge.currency !== draft.currency) {
      throw draftOutdated(draft.familyName);
    }
    return toNewLine(charge);
  });
}

const isItem = (line: LineRecord): boolean => line.chargeId === null && line.sessionId === null;

const itemCharge = (
  draft: InvoiceRecord,
  line: LineRecord,
  dueDate: string,
  now: Date,
): PlannedCharge => ({
  familyId: draft.familyId,
  studentId: null,
  sessionId: null,
  kind: 'item',
  description: line.description,
  amount: line.amount,
  currency: draft.currency,
  dueDate,
  invoiceId: draft.id,
  createdBy: TUTOR,
  now,
});

/** Completed sessions already have a charge, and cancelled or moved ones cannot be invoiced. */
async function assertSessionsUpcoming(
  tx: Tx,
  tutorId: string,
  draft: InvoiceRecord,
  sessionIds: readonly number[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  const upcoming = await upcomingSessions(tx, tutorId, { sessionIds }).execute();
  const charges = await uninvoicedCharges(tx, tutorId, { familyId: draft.familyId }).execute();
  const billable = new Set([...upcoming, ...charges].map((candidate) => candidate.sessionId));
  if (sessionIds.some((sessionId) => !billable.has(sessionId))) {
    throw draftOutdated(draft.familyName);
  }
}

/** Once an invoice is final, a trigger rejects every change except voiding and erasure. */
export async function finalizeInvoice(
  context: Context,
  tx: Tx,
  tutorId: string,
  draft: Pick<InvoiceRecord, 'id' | 'kind' | 'familyName' | 'familyAddress' | 'reference'>,
): Promise<void> {
  const now = context.clock.now();
  const { name, timeZone } = await getTutor(tx, tutorId);
  const business = await businessOf(tx, tutorId).executeTakeFirst();
  const { sequence, prefix } = await allocateNumber(
    tx,
    tutorId,
    draft.kind === 'invoice' ? 'next_invoice_number' : 'next_credit_note_number',
  );
  const token = `i_${randomToken(24)}`;
  const payer = {
    name: draft.familyName,
    address: draft.familyAddress,
    reference: draft.reference,
  };
  await updateInvoice(tx, tutorId, draft.id, {
    sequence,
    number: draft.kind === 'invoice' ? invoiceNumber(prefix, sequence) : creditNoteNumber(sequence),
    token,
    issued_on: dateInZone(timeZone, now),
    issued_at: now,
    parties_snapshot: JSON.stringify(toPartySnapshot(name, business, payer)),
  });
  await addPublicLinks(tx, [
    { tokenHash: sha256(token), tutorId, kind: 'invoice', targetId: draft.id, now },
  ]);
}
