import { addDaysToDate } from '@lessonbook/contract/dates';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { addPublicLinks } from '../../../platform/public-link-store.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import {
  addCharges,
  CREATED_BY_TUTOR,
  chargesForSessions,
  type PlannedCharge,
  planCharges,
  setChargesInvoice,
} from '../../payments/service/charges.ts';
import { allocateNumber, businessSettingsByTutor } from '../queries/business-settings.ts';
import { type InvoiceRecord, updateInvoice } from '../queries/invoices.ts';
import {
  type LineRecord,
  linesByInvoice,
  type NewLine,
  replaceLines,
  uninvoicedCharges,
  upcomingSessions,
} from '../queries/lines.ts';
import { formatCreditNoteNumber, formatInvoiceNumber } from '../rules/invoice-number.ts';
import { toPartySnapshot } from '../rules/party-snapshot.ts';
import { DEFAULT_DUE_DAYS } from './business-settings.ts';
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
      for (const id of new Set(ids)) await issueInvoice(context, tx, tutorId, id);
      return true;
    }),
  );
}

async function issueInvoice(context: Context, tx: Tx, tutorId: string, id: number): Promise<void> {
  const draft = await getDraftOrThrow(tx, tutorId, id);
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  const dueOn = draft.dueOn ?? addDaysToDate(today, business?.dueDays ?? DEFAULT_DUE_DAYS);
  const lines = await linesByInvoice(tx, tutorId, id).execute();
  if (lines.length === 0) {
    throw new AppError('conflict', `The draft for ${draft.familyName} has no lines yet.`);
  }
  const finalLines = await ensureCharges(context, tx, tutorId, draft, lines, dueOn);
  await replaceLines(tx, tutorId, id, finalLines);
  await setChargesInvoice(
    tx,
    tutorId,
    finalLines.flatMap((line) => line.chargeId ?? []),
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
  const newCharges = [...sessions, ...items.map((line) => toItemCharge(draft, line, dueOn, now))];
  // Added in one call, so that credit is allocated to the charge with the oldest due date, not to the first one inserted.
  const itemChargeIds = (await addCharges(tx, tutorId, newCharges, now)).slice(sessions.length);
  const chargeIdByPosition = new Map(
    items.map((line, index) => [line.position, itemChargeIds[index] ?? null]),
  );
  const chargeIdBySession = new Map(
    (await chargesForSessions(tx, tutorId, prepaidIds)).map((charge) => [
      charge.sessionId,
      charge.id,
    ]),
  );
  const lineChargeIds = lines.map(
    (line) => line.chargeId ?? chargeIdBySession.get(line.sessionId) ?? null,
  );
  const chargeIds = lineChargeIds.flatMap((chargeId) => chargeId ?? []);
  const uninvoiced = await uninvoicedCharges(tx, tutorId, { chargeIds }).execute();
  return lines.map((line, index) => {
    if (isItem(line)) return { ...line, chargeId: chargeIdByPosition.get(line.position) ?? null };
    const charge = uninvoiced.find(({ chargeId }) => chargeId === lineChargeIds[index]);
    if (charge?.familyId !== draft.familyId || charge.currency !== draft.currency) {
      throw draftOutdated(draft.familyName);
    }
    return toNewLine(charge);
  });
}

const isItem = (line: LineRecord): boolean => line.chargeId === null && line.sessionId === null;

const toItemCharge = (
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
  createdBy: CREATED_BY_TUTOR,
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
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
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
    number:
      draft.kind === 'invoice'
        ? formatInvoiceNumber(prefix, sequence)
        : formatCreditNoteNumber(sequence),
    token,
    issued_on: dateInZone(timeZone, now),
    issued_at: now,
    parties_snapshot: JSON.stringify(toPartySnapshot(name, business, payer)),
  });
  await addPublicLinks(tx, [
    { tokenHash: sha256(token), tutorId, kind: 'invoice', targetId: draft.id, now },
  ]);
}
