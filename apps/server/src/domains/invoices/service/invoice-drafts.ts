import type {
  InvoiceDraftInput,
  InvoiceDraftUpdate,
  InvoiceLine,
  InvoicePeriod,
} from '@lessonbook/contract/invoices';
import { firstName } from '@lessonbook/contract/person-name';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/profile.ts';
import { formatEntryLabel, TUTOR } from '../../payments/service/charges.ts';
import { assertFamilyExists } from '../../payments/service/families.ts';
import { businessOf } from '../queries/business.ts';
import {
  deleteInvoice,
  type InvoiceRecord,
  insertDraft,
  invoiceById,
  updateInvoice,
} from '../queries/invoices.ts';
import {
  type LineCandidate,
  linesOf,
  type NewLine,
  replaceLines,
  uninvoicedCharges,
  upcomingSessions,
} from '../queries/lines.ts';
import { invoiceNotFound } from './read.ts';

/** A draft for one payer, one for each currency; nothing to bill is said, not drafted. */
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
      if (lines.length > 0) return insertDrafts(tx, tutorId, lines, input, now);
      // An empty draft is still of use: the tutor may add items that are no lesson.
      return [await insertEmptyDraft(tx, tutorId, input, now)];
    }),
  );
}

/** A month's end in one go: one draft for each payer and currency who has something that stands on no invoice or draft. */
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
      return insertDrafts(tx, tutorId, lines, input, now);
    }),
  );
}

/** What is still to be paid in the period, and what is to come if wanted; what another draft has is left to that draft. */
async function proposeLines(
  tx: Tx,
  tutorId: string,
  period: { from: string; to: string; includeComing: boolean },
  familyId?: number,
): Promise<LineCandidate[]> {
  const only = {
    from: period.from,
    to: period.to,
    ...(familyId === undefined ? {} : { familyId }),
  };
  const charges = await uninvoicedCharges(tx, tutorId, only).execute();
  const coming = period.includeComing ? await upcomingSessions(tx, tutorId, only).execute() : [];
  return [...charges.filter((charge) => (charge.outstanding ?? 0) > 0), ...coming].filter(
    (line) => !line.onDraft,
  );
}

async function insertDrafts(
  tx: Tx,
  tutorId: string,
  candidates: readonly LineCandidate[],
  period: { from: string; to: string },
  now: Date,
): Promise<number[]> {
  const groups = Map.groupBy(candidates, (line) => `${line.familyId} ${line.currency}`);
  if (groups.size === 0) return [];
  const ids = await nextIds(tx, tutorId, 'invoice', groups.size);
  const note = await defaultNote(tx, tutorId);
  for (const [index, lines] of [...groups.values()].entries()) {
    const id = ids[index] as number;
    const [{ familyId, currency }] = lines as [LineCandidate, ...LineCandidate[]];
    const draft = { id, familyId, currency, note };
    await insertDraft(tx, tutorId, { ...draftDefaults(period, now), ...draft });
    await replaceLines(tx, tutorId, id, lines.toSorted(compareByStudent).map(toNewLine));
  }
  return ids;
}

const draftDefaults = (period: { from: string; to: string }, now: Date) => ({
  kind: 'invoice' as const,
  periodFrom: period.from,
  periodTo: period.to,
  correctsId: null,
  author: TUTOR,
  now,
});

async function insertEmptyDraft(
  tx: Tx,
  tutorId: string,
  input: InvoiceDraftInput,
  now: Date,
): Promise<number> {
  const [id] = (await nextIds(tx, tutorId, 'invoice')) as [number];
  const { familyId } = input;
  const [known] = await uninvoicedCharges(tx, tutorId, { familyId }).execute();
  const [coming] = await upcomingSessions(tx, tutorId, { familyId }).execute();
  const currency = known?.currency ?? coming?.currency ?? 'GBP';
  const note = await defaultNote(tx, tutorId);
  await insertDraft(tx, tutorId, { ...draftDefaults(input, now), id, familyId, currency, note });
  return id;
}

const defaultNote = async (tx: Tx, tutorId: string): Promise<string | null> =>
  (await businessOf(tx, tutorId).executeTakeFirst())?.invoiceNote ?? null;

const compareByStudent = (a: LineCandidate, b: LineCandidate): number =>
  (a.studentName ?? '').localeCompare(b.studentName ?? '', 'en') || a.date.localeCompare(b.date);

/** First names only: the paper goes to the family, and perhaps further. */
export const toNewLine = (candidate: LineCandidate): NewLine => ({
  chargeId: candidate.chargeId,
  sessionId: candidate.sessionId,
  studentId: candidate.studentId,
  studentName: candidate.studentName === null ? null : firstName(candidate.studentName),
  description: formatEntryLabel(candidate),
  date: candidate.date,
  amount: candidate.amount,
});

/** What else could stand on the draft. */
export async function readLineChoices(
  context: Context,
  tutorId: string,
  id: number,
): Promise<InvoiceLine[]> {
  const [[draft], lines] = await context.db.tutorRead(tutorId, (tx) => [
    invoiceById(tx, tutorId, id),
    linesOf(tx, tutorId, id),
  ]);
  if (!draft) throw invoiceNotFound();
  const { familyId, currency } = draft;
  const [charges, coming] = await context.db.tutorRead(tutorId, (tx) => [
    uninvoicedCharges(tx, tutorId, { familyId }),
    upcomingSessions(tx, tutorId, { familyId }),
  ]);
  const chosenCharges = new Set(lines.map((line) => line.chargeId));
  const chosenSessions = new Set(lines.map((line) => line.sessionId));
  return [...charges, ...coming]
    .filter((line) => line.currency === currency)
    .filter((line) =>
      line.chargeId === null
        ? !chosenSessions.has(line.sessionId)
        : !chosenCharges.has(line.chargeId),
    )
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .map((line, index) => {
      const { studentId: _, ...shown } = toNewLine(line);
      const { outstanding } = line;
      const ahead = line.chargeId === null;
      return { ...shown, position: index + 1, ahead, outstanding, credited: 0 };
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
    await replaceLines(tx, tutorId, id, await validateLines(tx, tutorId, draft, input, today));
    await updateInvoice(tx, tutorId, id, {
      ...(input.dueOn === undefined ? {} : { due_on: input.dueOn }),
      ...(input.note === undefined ? {} : { note: input.note || null }),
    });
  });
}

/** Amounts of lessons are the server's; only an item brings its own. */
async function validateLines(
  tx: Tx,
  tutorId: string,
  draft: InvoiceRecord,
  input: InvoiceDraftUpdate,
  today: string,
): Promise<NewLine[]> {
  const chargeIds = input.lines.flatMap((line) => line.chargeId ?? []);
  const sessionIds = input.lines.flatMap((line) => (line.chargeId ? [] : (line.sessionId ?? [])));
  const charges = await uninvoicedCharges(tx, tutorId, { chargeIds }).execute();
  const sessions = await upcomingSessions(tx, tutorId, { sessionIds }).execute();
  const used = new Set<string>();
  return input.lines.map((line, index) => {
    if (!line.chargeId && !line.sessionId) return toItemLine(line, index, today);
    const found = line.chargeId
      ? charges.find((each) => each.chargeId === line.chargeId)
      : sessions.find((each) => each.sessionId === line.sessionId);
    const key = `${line.chargeId ?? ''} ${line.sessionId ?? ''}`;
    const belongs = found?.familyId === draft.familyId && found.currency === draft.currency;
    if (!found || !belongs || used.has(key)) throw draftOutdated(draft.familyName);
    used.add(key);
    return toNewLine(found);
  });
}

function toItemLine(
  line: InvoiceDraftUpdate['lines'][number],
  index: number,
  today: string,
): NewLine {
  const { description, amount } = line;
  if (!description || !amount) {
    const missing = description ? 'Please enter an amount' : 'Please say what it is for';
    const field = description ? 'amount' : 'description';
    throw new AppError('invalid', missing, { fields: { [`lines.${index}.${field}`]: missing } });
  }
  const nothing = { chargeId: null, sessionId: null, studentId: null, studentName: null };
  return { ...nothing, description, amount, date: today };
}

export const draftOutdated = (familyName: string): AppError =>
  new AppError(
    'conflict',
    `Some lessons on the draft for ${familyName} have changed. Please look at it again.`,
  );

export async function deleteDraft(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await getDraftOrThrow(tx, tutorId, id);
    await deleteInvoice(tx, tutorId, id);
  });
}

export async function getInvoiceOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<InvoiceRecord> {
  const [invoice] = await invoiceById(tx, tutorId, id).execute();
  if (!invoice) throw invoiceNotFound();
  return invoice;
}

export async function getDraftOrThrow(tx: Tx, tutorId: string, id: number): Promise<InvoiceRecord> {
  const invoice = await getInvoiceOrThrow(tx, tutorId, id);
  if (invoice.issuedOn !== null) {
    throw new AppError('conflict', `Invoice ${invoice.number} is issued and cannot change.`);
  }
  return invoice;
}
