import { addDaysToDate, dateFromDayNumber, dayNumber } from '@lessonbook/contract/dates';
import { invoices } from '@lessonbook/contract/invoices';
import { DELETED, NOT_NULL } from '../expected-state.ts';
import type { VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { pickFamily } from './lessons.ts';
import { sendInvoice } from './messages.ts';

interface Draft {
  id: number;
  familyId: number;
  /** The start of the invoice period, unique so that the invoice can be identified. */
  marker: string;
}

async function createDraft(user: VirtualUser): Promise<Draft | undefined> {
  const familyId = await pickFamily(user);
  if (familyId === undefined) return undefined;
  const marker = dateFromDayNumber(
    dayNumber('1980-01-01') + user.number * 3_000 + user.nextDraftNumber(),
  );
  const outcome = await user.client.write(invoices.draftInvoice, {
    body: { familyId, from: marker, to: addDaysToDate(user.context.today, 100) },
  });
  const [row] = outcome.status === 201 ? outcome.body : [];
  if (!row) {
    user.reportUnexplained('drafting an invoice', outcome);
    return undefined;
  }
  user.expected.expectMarker('invoice', marker, 1);
  return { id: row.id, familyId, marker };
}

export async function deleteDraft(user: VirtualUser): Promise<void> {
  const draft = await createDraft(user);
  if (!draft) return;
  const outcome = await user.client.write(invoices.deleteInvoice, { params: { id: draft.id } });
  const isDeleted = outcome.status === 200 || (outcome.outcomeUnknown && outcome.status === 404);
  if (!isDeleted) return user.reportUnexplained('deleting a draft', outcome);
  user.expected.expectRow('invoices', draft.id, DELETED);
  user.expected.expectMarker('invoice', draft.marker, 0);
}

/** Drafts and issues an invoice, then sometimes voids, credits or sends it. */
export async function issueInvoice(user: VirtualUser): Promise<void> {
  const draft = await createDraft(user);
  if (!draft) return;
  const { id, familyId } = draft;
  const amount = user.random.between(100, 9_000);
  if (!(await fillDraft(user, draft, amount))) return;
  const issued = await user.client.write(invoices.issueInvoices, { body: { ids: [id] } });
  const [row] = issued.status === 200 ? issued.body : [];
  if (!row?.number) return user.reportUnexplained('issuing an invoice', issued);
  user.expected.expectRow('invoices', id, {
    number: row.number,
    issued_at: NOT_NULL,
    voided_at: null,
  });
  user.expected.addToBalance(familyId, amount);
  const draw = user.random.next();
  if (draw < 0.3) await voidInvoice(user, draft, amount);
  else if (draw < 0.6) await creditInvoice(user, draft);
  else if (draw < 0.75) await sendInvoice(user, id);
}

/** Adds an item and, if available, one of this virtual user's sessions, which can then no longer be reopened. */
async function fillDraft(user: VirtualUser, { id }: Draft, amount: number): Promise<boolean> {
  const params = { id };
  const { body } = await user.client.read(invoices.invoice, { params });
  const line = body.lines.find(({ sessionId }) => user.sessions.has(sessionId ?? 0));
  const session = user.sessions.get(line?.sessionId ?? 0);
  if (session) session.isLocked = true;
  const note = `Note ${id}`;
  const outcome = await user.client.write(invoices.updateInvoiceDraft, {
    params,
    body: {
      lines: [
        { description: 'Workbook', amount },
        ...(line?.chargeId ? [{ chargeId: line.chargeId }] : []),
      ],
      note,
    },
  });
  if (outcome.status !== 200) user.reportUnexplained('updating a draft', outcome);
  else user.expected.expectRow('invoices', id, { note });
  return outcome.status === 200;
}

async function voidInvoice(
  user: VirtualUser,
  { id, familyId }: Draft,
  amount: number,
): Promise<void> {
  const outcome = await user.client.write(invoices.voidInvoice, {
    params: { id },
    body: { reason: 'A mistake' },
  });
  if (outcome.status !== 200) return user.reportUnexplained('voiding an invoice', outcome);
  user.expected.expectRow('invoices', id, { voided_at: NOT_NULL, void_reason: 'A mistake' });
  user.expected.addToBalance(familyId, -amount);
}

async function creditInvoice(user: VirtualUser, { id, familyId }: Draft): Promise<void> {
  const params = { id };
  const { body } = await user.client.read(invoices.invoice, { params });
  const item = body.lines.find(({ sessionId }) => sessionId === null);
  if (!item?.chargeId) return;
  const amount = user.random.between(1, item.amount);
  const outcome = await user.client.write(invoices.creditInvoice, {
    params,
    body: { lines: [{ chargeId: item.chargeId, amount }], reason: 'A discount' },
  });
  if (outcome.status !== 201) return user.reportUnexplained('crediting an invoice', outcome);
  user.expected.addToBalance(familyId, -amount);
}
