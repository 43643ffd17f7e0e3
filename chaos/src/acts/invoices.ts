import { dateOfDay, dayNumber, plusDays } from '@lessonbook/contract/dates';
import { invoices } from '@lessonbook/contract/invoices';
import type { Pupil, Seat } from '../clients/seat.ts';
import { GONE, SET } from '../journal.ts';
import { somePupil } from './lessons.ts';
import { sendInvoice } from './messages.ts';

interface Draft {
  id: number;
  pupil: Pupil;
  /** Its period begins on a day of its own, by which it can be counted. */
  mark: string;
}

async function draft(seat: Seat): Promise<Draft | undefined> {
  const pupil = await somePupil(seat);
  if (!pupil) return undefined;
  const mark = dateOfDay(dayNumber('1980-01-01') + seat.number * 3_000 + seat.nextDraft());
  const outcome = await seat.client.write(invoices.draftInvoice, {
    body: { familyId: pupil.familyId, from: mark, to: plusDays(seat.room.today, 100) },
  });
  const [row] = outcome.status === 201 ? outcome.body : [];
  if (!row) {
    seat.unexplained('a draft', outcome);
    return undefined;
  }
  seat.journal.mark('invoice', mark, 'once');
  return { id: row.id, pupil, mark };
}

export async function throwDraftAway(seat: Seat): Promise<void> {
  const made = await draft(seat);
  if (!made) return;
  const outcome = await seat.client.write(invoices.deleteInvoice, { params: { id: made.id } });
  const gone = outcome.status === 200 || (outcome.unsure && outcome.status === 404);
  if (!gone) return seat.unexplained('throwing a draft away', outcome);
  seat.journal.note('invoices', made.id, GONE);
  seat.journal.mark('invoice', made.mark, 'never');
}

/** Drafts, issues, and now and then corrects or sends an invoice. */
export async function bill(seat: Seat): Promise<void> {
  const made = await draft(seat);
  if (!made) return;
  const { id, pupil } = made;
  const amount = seat.random.between(100, 9_000);
  if (!(await fill(seat, made, amount))) return;
  const issued = await seat.client.write(invoices.issueInvoices, { body: { ids: [id] } });
  const [row] = issued.status === 200 ? issued.body : [];
  if (!row?.number) return seat.unexplained('issuing an invoice', issued);
  seat.journal.note('invoices', id, { number: row.number, issued_at: SET, voided_at: null });
  seat.journal.owe(pupil.familyId, amount);
  const next = seat.random.next();
  if (next < 0.3) await voidIt(seat, made, amount);
  else if (next < 0.6) await creditPart(seat, made);
  else if (next < 0.75) await sendInvoice(seat, id);
}

/** One item of its own, and one lesson of this browser's where there is one: that can no longer be reopened. */
async function fill(seat: Seat, { id }: Draft, amount: number): Promise<boolean> {
  const params = { id };
  const { body } = await seat.client.read(invoices.invoice, { params });
  const line = body.lines.find(({ sessionId }) => seat.sessions.has(sessionId ?? 0));
  const session = seat.sessions.get(line?.sessionId ?? 0);
  if (session) session.held = true;
  const note = `Note ${id}`;
  const outcome = await seat.client.write(invoices.changeInvoice, {
    params,
    body: {
      lines: [
        { description: 'Workbook', amount },
        ...(line?.chargeId ? [{ chargeId: line.chargeId }] : []),
      ],
      note,
    },
  });
  if (outcome.status !== 200) seat.unexplained('a change of a draft', outcome);
  else seat.journal.note('invoices', id, { note });
  return outcome.status === 200;
}

async function voidIt(seat: Seat, { id, pupil }: Draft, amount: number): Promise<void> {
  const outcome = await seat.client.write(invoices.voidInvoice, {
    params: { id },
    body: { reason: 'A mistake' },
  });
  if (outcome.status !== 200) return seat.unexplained('voiding an invoice', outcome);
  seat.journal.note('invoices', id, { voided_at: SET, void_reason: 'A mistake' });
  seat.journal.owe(pupil.familyId, -amount);
}

async function creditPart(seat: Seat, { id, pupil }: Draft): Promise<void> {
  const params = { id };
  const { body } = await seat.client.read(invoices.invoice, { params });
  const item = body.lines.find(({ sessionId }) => sessionId === null);
  if (!item?.chargeId) return;
  const amount = seat.random.between(1, item.amount);
  const outcome = await seat.client.write(invoices.creditInvoice, {
    params,
    body: { lines: [{ chargeId: item.chargeId, amount }], reason: 'A discount' },
  });
  if (outcome.status !== 201) return seat.unexplained('a credit note', outcome);
  seat.journal.owe(pupil.familyId, -amount);
}
