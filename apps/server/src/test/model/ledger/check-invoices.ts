import { type InvoiceState, invoices } from '@lessonbook/contract/invoices';
import { difference } from '../schedule/compare-with-server.ts';
import type { Ids } from './compare-with-server.ts';
import { callOrThrow, type LedgerFixture } from './ledger-fixture.ts';
import { getCharge, heldAmountOf, outstandingOf, requireDefined, sum } from './ledger-model.ts';
import { type LedgerState, type ModelInvoice, today } from './ledger-state.ts';
import { invoiceDueDate } from './write-offs-plans-and-questions-model.ts';

/* Compares invoices, and the lists of invoices in a state, with the model. */

function amountsOf({ ledger }: LedgerState, invoice: ModelInvoice) {
  const charges = invoice.void ? [] : invoice.lines.map(({ charge }) => getCharge(ledger, charge));
  return {
    total: sum(invoice.lines.map(({ amount }) => amount)),
    due: sum(charges.map((charge) => outstandingOf(ledger, charge))),
    onHold: sum(charges.map((charge) => heldAmountOf(ledger, charge))),
    credited: sum(charges.map(({ credited, writtenOff }) => credited + writtenOff)),
    writtenOff: sum(charges.map(({ writtenOff }) => writtenOff)),
  };
}

export function invoiceState(state: LedgerState, invoice: ModelInvoice): InvoiceState {
  const { total, due, onHold, credited, writtenOff } = amountsOf(state, invoice);
  if (invoice.void) return 'void';
  if (due === 0) return writtenOff > 0 ? 'written_off' : 'paid';
  if (due === onHold) return 'on_hold';
  if (invoiceDueDate(state, invoice.n) < today(state)) return 'overdue';
  return due < total - credited ? 'part_paid' : 'sent';
}

export async function invoicesDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  ids: Ids,
): Promise<string | null> {
  for (const expected of state.invoices) {
    const params = { id: requireDefined(ids.invoices[expected.n - 1]) };
    const invoice = await callOrThrow(fixture, invoices.invoice, { params });
    const amounts = amountsOf(state, expected);
    const { total, due, onHold, credited, writtenOff, paid } = invoice;
    const mismatch = difference(
      {
        ...amounts,
        state: invoiceState(state, expected),
        paid: expected.void ? paid : amounts.total - amounts.due - amounts.credited,
      },
      { total, due, onHold, credited, writtenOff, state: invoice.state, paid },
      `invoice ${expected.n}`,
    );
    if (mismatch) return mismatch;
  }
  return listsDifference(state, fixture, ids);
}

/** The states whose lists contain exactly the invoices in that state. */
const LISTED_STATES = ['overdue', 'on_hold', 'paid', 'written_off', 'void'] as const;

async function listsDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  ids: Ids,
): Promise<string | null> {
  for (const listed of LISTED_STATES) {
    const query = { state: listed, limit: 200 };
    const rows = await callOrThrow(fixture, invoices.listInvoices, { query });
    const mismatch = difference(
      state.invoices
        .filter((invoice) => invoiceState(state, invoice) === listed)
        .map(({ n }) => requireDefined(ids.invoices[n - 1]))
        .toSorted((a, b) => a - b),
      rows
        .filter(({ kind }) => kind === 'invoice')
        .map(({ id }) => id)
        .toSorted((a, b) => a - b),
      `list of invoices that are ${listed}`,
    );
    if (mismatch) return mismatch;
  }
  return null;
}
