import type {
  InvoiceChange,
  InvoiceLine,
  InvoicePeriod,
  InvoiceStart,
} from '@lessonbook/contract/invoices';
import { firstName } from '@lessonbook/contract/names';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { takeIds } from '../../../platform/counters.ts';
import type { Tx } from '../../../platform/db.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import { TUTOR } from '../../payments/service/charges.ts';
import { describeEntry } from '../../payments/service/describe.ts';
import { mustBeFamily } from '../../payments/service/families.ts';
import { businessOf } from '../queries/business.ts';
import {
  deleteDraft,
  type InvoiceRecord,
  insertDraft,
  invoiceById,
  updateInvoice,
} from '../queries/invoices.ts';
import {
  type Candidate,
  comingSessions,
  linesOf,
  type NewLine,
  replaceLines,
  uninvoicedCharges,
} from '../queries/lines.ts';
import { noSuchInvoice } from './read.ts';

/** A draft for one payer, one for each currency; nothing to bill is said, not drafted. */
export async function draftInvoice(
  context: Context,
  tutorId: string,
  input: InvoiceStart,
  repeat: Repeatable | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      await mustBeFamily(tx, tutorId, input.familyId);
      const lines = await proposal(tx, tutorId, input, input.familyId);
      if (lines.length > 0) return makeDrafts(tx, tutorId, lines, input, now);
      // An empty draft is still of use: the tutor may add items that are no lesson.
      return [await emptyDraft(tx, tutorId, input, now)];
    }),
  );
}

/** A month's end in one go: one draft for each payer and currency who has something that stands on no invoice or draft. */
export async function invoiceEveryone(
  context: Context,
  tutorId: string,
  input: InvoicePeriod,
  repeat: Repeatable | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const lines = await proposal(tx, tutorId, input);
      return makeDrafts(tx, tutorId, lines, input, now);
    }),
  );
}

/** What is still to be paid in the period, and what is to come if wanted; what another draft has is left to that draft. */
async function proposal(
  tx: Tx,
  tutorId: string,
  period: { from: string; to: string; includeComing: boolean },
  familyId?: number,
): Promise<Candidate[]> {
  const only = {
    from: period.from,
    to: period.to,
    ...(familyId === undefined ? {} : { familyId }),
  };
  const charges = await uninvoicedCharges(tx, tutorId, only).execute();
  const coming = period.includeComing ? await comingSessions(tx, tutorId, only).execute() : [];
  return [...charges.filter((charge) => (charge.outstanding ?? 0) > 0), ...coming].filter(
    (line) => !line.onDraft,
  );
}

async function makeDrafts(
  tx: Tx,
  tutorId: string,
  candidates: readonly Candidate[],
  period: { from: string; to: string },
  now: Date,
): Promise<number[]> {
  const groups = Map.groupBy(candidates, (line) => `${line.familyId} ${line.currency}`);
  if (groups.size === 0) return [];
  const ids = await takeIds(tx, tutorId, 'invoice', groups.size);
  const note = await standingNote(tx, tutorId);
  for (const [index, lines] of [...groups.values()].entries()) {
    const id = ids[index] as number;
    const [{ familyId, currency }] = lines as [Candidate, ...Candidate[]];
    const draft = { id, familyId, currency, note };
    await insertDraft(tx, tutorId, { ...newInvoice(period, now), ...draft });
    await replaceLines(tx, tutorId, id, lines.toSorted(byChild).map(asNewLine));
  }
  return ids;
}

const newInvoice = (period: { from: string; to: string }, now: Date) => ({
  kind: 'invoice' as const,
  periodFrom: period.from,
  periodTo: period.to,
  correctsId: null,
  author: TUTOR,
  now,
});

async function emptyDraft(
  tx: Tx,
  tutorId: string,
  input: InvoiceStart,
  now: Date,
): Promise<number> {
  const [id] = (await takeIds(tx, tutorId, 'invoice')) as [number];
  const { familyId } = input;
  const [known] = await uninvoicedCharges(tx, tutorId, { familyId }).execute();
  const [coming] = await comingSessions(tx, tutorId, { familyId }).execute();
  const currency = known?.currency ?? coming?.currency ?? 'GBP';
  const note = await standingNote(tx, tutorId);
  await insertDraft(tx, tutorId, { ...newInvoice(input, now), id, familyId, currency, note });
  return id;
}

const standingNote = async (tx: Tx, tutorId: string): Promise<string | null> =>
  (await businessOf(tx, tutorId).executeTakeFirst())?.invoiceNote ?? null;

const byChild = (a: Candidate, b: Candidate): number =>
  (a.studentName ?? '').localeCompare(b.studentName ?? '', 'en') || a.date.localeCompare(b.date);

/** First names only: the paper goes to the family, and perhaps further. */
export const asNewLine = (candidate: Candidate): NewLine => ({
  chargeId: candidate.chargeId,
  sessionId: candidate.sessionId,
  studentId: candidate.studentId,
  studentName: candidate.studentName === null ? null : firstName(candidate.studentName),
  description: describeEntry(candidate),
  date: candidate.date,
  amount: candidate.amount,
});

/** What else could stand on the draft. */
export async function lineChoices(
  context: Context,
  tutorId: string,
  id: number,
): Promise<InvoiceLine[]> {
  const [[draft], lines] = await context.db.readTutor(tutorId, (tx) => [
    invoiceById(tx, tutorId, id),
    linesOf(tx, tutorId, id),
  ]);
  if (!draft) throw noSuchInvoice();
  const { familyId, currency } = draft;
  const [charges, coming] = await context.db.readTutor(tutorId, (tx) => [
    uninvoicedCharges(tx, tutorId, { familyId }),
    comingSessions(tx, tutorId, { familyId }),
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
      const { studentId: _, ...shown } = asNewLine(line);
      const { outstanding } = line;
      const ahead = line.chargeId === null;
      return { ...shown, position: index + 1, ahead, outstanding, credited: 0 };
    });
}

export async function changeDraft(
  context: Context,
  tutorId: string,
  id: number,
  input: InvoiceChange,
): Promise<void> {
  await context.db.withTutor(tutorId, async (tx) => {
    const draft = await draftInBook(tx, tutorId, id);
    const today = dateIn(await timeZoneOf(tx, tutorId), context.clock.now());
    await replaceLines(tx, tutorId, id, await checkedLines(tx, tutorId, draft, input, today));
    await updateInvoice(tx, tutorId, id, {
      ...(input.dueOn === undefined ? {} : { due_on: input.dueOn }),
      ...(input.note === undefined ? {} : { note: input.note || null }),
    });
  });
}

/** Amounts of lessons are the server's; only an item brings its own. */
async function checkedLines(
  tx: Tx,
  tutorId: string,
  draft: InvoiceRecord,
  input: InvoiceChange,
  today: string,
): Promise<NewLine[]> {
  const chargeIds = input.lines.flatMap((line) => line.chargeId ?? []);
  const sessionIds = input.lines.flatMap((line) => (line.chargeId ? [] : (line.sessionId ?? [])));
  const charges = await uninvoicedCharges(tx, tutorId, { chargeIds }).execute();
  const sessions = await comingSessions(tx, tutorId, { sessionIds }).execute();
  const used = new Set<string>();
  return input.lines.map((line, index) => {
    if (!line.chargeId && !line.sessionId) return itemLine(line, index, today);
    const found = line.chargeId
      ? charges.find((each) => each.chargeId === line.chargeId)
      : sessions.find((each) => each.sessionId === line.sessionId);
    const key = `${line.chargeId ?? ''} ${line.sessionId ?? ''}`;
    const belongs = found?.familyId === draft.familyId && found.currency === draft.currency;
    if (!found || !belongs || used.has(key)) throw changedMeanwhile(draft.familyName);
    used.add(key);
    return asNewLine(found);
  });
}

function itemLine(line: InvoiceChange['lines'][number], index: number, today: string): NewLine {
  const { description, amount } = line;
  if (!description || !amount) {
    const missing = description ? 'Please enter an amount' : 'Please say what it is for';
    const field = description ? 'amount' : 'description';
    throw new AppError('invalid', missing, { fields: { [`lines.${index}.${field}`]: missing } });
  }
  const nothing = { chargeId: null, sessionId: null, studentId: null, studentName: null };
  return { ...nothing, description, amount, date: today };
}

export const changedMeanwhile = (familyName: string): AppError =>
  new AppError(
    'conflict',
    `Some lessons on the draft for ${familyName} have changed. Please look at it again.`,
  );

export async function throwAway(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.withTutor(tutorId, async (tx) => {
    await draftInBook(tx, tutorId, id);
    await deleteDraft(tx, tutorId, id);
  });
}

export async function invoiceInBook(tx: Tx, tutorId: string, id: number): Promise<InvoiceRecord> {
  const [invoice] = await invoiceById(tx, tutorId, id).execute();
  if (!invoice) throw noSuchInvoice();
  return invoice;
}

export async function draftInBook(tx: Tx, tutorId: string, id: number): Promise<InvoiceRecord> {
  const invoice = await invoiceInBook(tx, tutorId, id);
  if (invoice.issuedOn !== null) {
    throw new AppError('conflict', `Invoice ${invoice.number} is issued and cannot change.`);
  }
  return invoice;
}
