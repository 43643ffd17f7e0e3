import type {
  InvoiceDraftInput,
  InvoiceDraftUpdate,
  InvoicePeriod,
} from '@lessonbook/contract/invoice-inputs';
import type { InvoiceLine } from '@lessonbook/contract/invoices';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { seatKey } from '../../lessons/events.ts';
import { assertFamilyExists } from '../../payments/service/assert-family-or-payment-exists.ts';
import { CREATED_BY_TUTOR } from '../../payments/service/charges.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { linesByInvoice, type NewLine, replaceLines } from '../queries/invoice-lines.ts';
import { insertDrafts, invoiceById, updateInvoice } from '../queries/invoices.ts';
import {
  type LineCandidate,
  uninvoicedCharges,
  upcomingSessions,
} from '../queries/uninvoiced-charges-and-sessions.ts';
import { getDraftOrThrow, invoiceNotFound } from './guards.ts';
import { toSessionLines } from './session-lines.ts';
import { toNewLine, validateLines } from './validate-draft-lines.ts';

/** Creates drafts for one payer, one per currency. */
export async function createDraft(
  context: Context,
  tutorId: string,
  input: InvoiceDraftInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      await assertFamilyExists(tx, tutorId, input.familyId);
      const lines = await proposeLines(tx, tutorId, input, input.familyId);
      if (lines.length > 0) return insertDraftsWithLines(tx, tutorId, lines, input, now);
      // An empty draft is useful, because the tutor can add items that are not lessons.
      return [await insertEmptyDraft(tx, tutorId, input, now)];
    }),
  );
}

/** Creates one draft per payer and currency, if there is anything that is not yet on an invoice or a draft. */
export async function createDraftsForAll(
  context: Context,
  tutorId: string,
  input: InvoicePeriod,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const lines = await proposeLines(tx, tutorId, input);
      return insertDraftsWithLines(tx, tutorId, lines, input, now);
    }),
  );
}

/** Unpaid, uninvoiced charges in the period, optionally with upcoming sessions, except those already on a draft. */
async function proposeLines(
  tx: Tx,
  tutorId: string,
  period: { from: string; to: string; includeUpcoming: boolean },
  familyId?: number,
): Promise<LineCandidate[]> {
  const filter = {
    from: period.from,
    to: period.to,
    ...(familyId === undefined ? {} : { familyId }),
  };
  const charges = await uninvoicedCharges(tx, tutorId, filter).execute();
  const upcoming = period.includeUpcoming
    ? toSessionLines(await upcomingSessions(tx, tutorId, filter).execute(), familyId)
    : [];
  return [...charges.filter((charge) => (charge.outstanding ?? 0) > 0), ...upcoming].filter(
    (line) => !line.onDraft,
  );
}

async function insertDraftsWithLines(
  tx: Tx,
  tutorId: string,
  candidates: readonly LineCandidate[],
  period: { from: string; to: string },
  now: Date,
): Promise<number[]> {
  const groups = Map.groupBy(candidates, (line) => `${line.familyId} ${line.currency}`);
  if (groups.size === 0) return [];
  const ids = await nextIdsForKind(tx, tutorId, 'invoice', groups.size);
  const note = await defaultNote(tx, tutorId);
  const drafts = [...groups.values()].map((lines, index) => {
    const [{ familyId, currency }] = lines as [LineCandidate, ...LineCandidate[]];
    const draft = { ...draftDefaults(period, now), id: ids[index] as number, familyId, currency };
    return { ...draft, note, lines: lines.toSorted(compareByStudent).map(toNewLine) };
  });
  await insertDrafts(tx, tutorId, drafts);
  await replaceLines(
    tx,
    tutorId,
    drafts.map(({ id, lines }) => ({ invoiceId: id, lines })),
  );
  return ids;
}

const draftDefaults = (period: { from: string; to: string }, now: Date) => ({
  kind: 'invoice' as const,
  periodFrom: period.from,
  periodTo: period.to,
  correctedInvoiceId: null,
  createdBy: CREATED_BY_TUTOR,
  now,
});

async function insertEmptyDraft(
  tx: Tx,
  tutorId: string,
  input: InvoiceDraftInput,
  now: Date,
): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'invoice')) as [number];
  const { familyId } = input;
  const [charge] = await uninvoicedCharges(tx, tutorId, { familyId }).execute();
  const upcoming = await upcomingSessions(tx, tutorId, { familyId }).execute();
  const [session] = toSessionLines(upcoming, familyId);
  const currency = charge?.currency ?? session?.currency ?? 'GBP';
  const note = await defaultNote(tx, tutorId);
  const draft = { ...draftDefaults(input, now), id, familyId, currency, note };
  await insertDrafts(tx, tutorId, [draft]);
  return id;
}

const defaultNote = async (tx: Tx, tutorId: string): Promise<string | null> =>
  (await businessSettingsByTutor(tx, tutorId).executeTakeFirst())?.invoiceNote ?? null;

const compareByStudent = (a: LineCandidate, b: LineCandidate): number =>
  (a.studentName ?? '').localeCompare(b.studentName ?? '', 'en') || a.date.localeCompare(b.date);

/** Returns the lines that could be added to the draft. */
export async function readAvailableLines(
  context: Context,
  tutorId: string,
  id: number,
): Promise<InvoiceLine[]> {
  const { currency, lines, charges, upcoming } = await context.db.tutorSnapshot(
    tutorId,
    async (tx) => {
      const [[draft], chosen] = await executeBatch(tx, [
        invoiceById(tx, tutorId, id),
        linesByInvoice(tx, tutorId, id),
      ]);
      if (!draft) throw invoiceNotFound();
      const { familyId } = draft;
      const [uninvoiced, sessions] = await executeBatch(tx, [
        uninvoicedCharges(tx, tutorId, { familyId }),
        upcomingSessions(tx, tutorId, { familyId }),
      ]);
      const upcomingLines = toSessionLines(sessions, familyId);
      return {
        currency: draft.currency,
        lines: chosen,
        charges: uninvoiced,
        upcoming: upcomingLines,
      };
    },
  );
  const chosenCharges = new Set(lines.map((line) => line.chargeId));
  const chosenSeats = new Set(lines.map(seatKey));
  return [...charges, ...upcoming]
    .filter((line) => line.currency === currency)
    .filter((line) =>
      line.chargeId === null ? !chosenSeats.has(seatKey(line)) : !chosenCharges.has(line.chargeId),
    )
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .map((line, index) => {
      const { outstanding } = line;
      const isFutureSession = line.chargeId === null;
      return { ...toNewLine(line), position: index + 1, isFutureSession, outstanding, credited: 0 };
    });
}

export async function updateDraft(
  context: Context,
  tutorId: string,
  id: number,
  input: InvoiceDraftUpdate,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const draft = await getDraftOrThrow(tx, tutorId, id);
    const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    const content = { ...draft, lines: input.lines };
    const [lines] = (await validateLines(tx, tutorId, [content], today)) as [NewLine[]];
    await replaceLines(tx, tutorId, [{ invoiceId: id, lines }]);
    await updateInvoice(tx, tutorId, id, {
      ...(input.dueOn === undefined ? {} : { due_on: input.dueOn }),
      ...(input.note === undefined ? {} : { note: input.note || null }),
    });
  });
}
