import type pg from 'pg';
import { difference } from '../schedule/system-adapter.ts';
import type { LedgerFixture } from './ledger-fixture.ts';
import {
  findModelViolation,
  isFullyReversed,
  type Ledger,
  orThrow,
  outstandingOf,
  paidBy,
  unallocatedOf,
} from './ledger-model.ts';
import type { LedgerState } from './ledger-state.ts';

/* Converts database rows into the model's form and finds the first difference. */

export interface ServerLedger {
  sessions: { id: number; date: string; status: string; charged: boolean }[];
  charges: {
    id: number;
    family: number;
    session: number | null;
    kind: string;
    amount: number;
    currency: string;
    due: string;
    open: number;
    credited: number;
    reversed: boolean;
    reverses: number | null;
    invoice: number | null;
    paidBy: number | null;
  }[];
  payments: {
    id: number;
    family: number;
    kind: string;
    amount: number;
    currency: string;
    paidOn: string;
    free: number;
    refunded: number;
    reversed: boolean;
    reverses: number | null;
  }[];
  allocations: { payment: number; charge: number; amount: number }[];
  invoices: {
    id: number;
    kind: string;
    number: number;
    total: number;
    void: boolean;
    corrects: number | null;
  }[];
}

const READ_LEDGER_SQL = `
  select
    (select coalesce(json_agg(json_build_object('id', id, 'date', date, 'status', status, 'charged', is_billable) order by id), '[]')
      from sessions where tutor_id = $1) as sessions,
    (select coalesce(json_agg(json_build_object('id', id, 'family', family_id, 'session', session_id, 'kind', kind,
        'amount', amount, 'currency', currency, 'due', due_date, 'open', outstanding, 'credited', credited,
        'reversed', reversed, 'reverses', reverses_id, 'invoice', invoice_id, 'paidBy', paid_by_id) order by id), '[]')
      from charges where tutor_id = $1) as charges,
    (select coalesce(json_agg(json_build_object('id', id, 'family', family_id, 'kind', kind, 'amount', amount,
        'currency', currency, 'paidOn', paid_on, 'free', unallocated, 'refunded', refunded, 'reversed', reversed,
        'reverses', reverses_id) order by id), '[]')
      from payments where tutor_id = $1) as payments,
    (select coalesce(json_agg(json_build_object('payment', payment_id, 'charge', charge_id, 'amount', amount)), '[]')
      from (select payment_id, charge_id, sum(amount) as amount from allocations where tutor_id = $1
        group by payment_id, charge_id having sum(amount) <> 0) as allocated) as allocations,
    (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'number', sequence, 'corrects', corrected_invoice_id,
        'void', voided_at is not null, 'total', (select sum(amount) from invoice_lines l
          where l.tutor_id = i.tutor_id and l.invoice_id = i.id)) order by kind desc, sequence), '[]')
      from invoices i where tutor_id = $1) as invoices`;

/** Reads a tutor's ledger in one query, using a role that bypasses row-level security. */
export async function readLedger(adminDb: pg.Client, tutorId: string): Promise<ServerLedger> {
  const { rows } = await adminDb.query<ServerLedger>({
    name: 'ledger',
    text: READ_LEDGER_SQL,
    values: [tutorId],
  });
  return orThrow(rows[0]);
}

/** The server's ids, in the order of the model's numbering. */
export interface Ids {
  charges: number[];
  payments: number[];
  invoices: number[];
}

export const idsOf = (server: ServerLedger): Ids => ({
  charges: server.charges.filter((each) => each.reverses === null).map((each) => each.id),
  payments: server.payments.filter((each) => each.reverses === null).map((each) => each.id),
  invoices: server.invoices.filter((each) => each.kind === 'invoice').map((each) => each.id),
});

const byKey = (parts: [string, unknown][]) => Object.fromEntries(parts);
const nth = (ids: readonly number[], id: number | null): number | null =>
  id === null ? null : ids.indexOf(id) + 1;

/** Compares everything that a command could have changed. */
export function ledgerDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  server: ServerLedger,
): string | null {
  const ids = idsOf(server);
  const family = (id: number) => [...fixture.families].find(([, known]) => known === id)?.[0];
  return (
    findModelViolation(state.ledger) ??
    difference(
      byKey(
        state.sessions.map(({ n, date, status, charged }) => [`${n}`, { date, status, charged }]),
      ),
      byKey(
        server.sessions.map(({ id, date, status, charged }) => [
          `${nth(fixture.sessions, id)}`,
          { date, status, charged },
        ]),
      ),
      'session',
    ) ??
    difference(chargeFields(state.ledger), readCharges(server, ids, fixture, family), 'charge') ??
    difference(reversals(state), readReversals(server, ids), 'reversals') ??
    difference(paymentFields(state.ledger), readPayments(server, ids, family), 'payment') ??
    difference(
      byKey(
        state.ledger.allocations.map((each) => [`${each.payment} for ${each.charge}`, each.amount]),
      ),
      byKey(
        server.allocations.map(({ payment, charge, amount }) => [
          `${nth(ids.payments, payment)} for ${nth(ids.charges, charge)}`,
          amount,
        ]),
      ),
      'payment',
    ) ??
    difference(documents(state), readDocuments(server, ids), 'document')
  );
}

const chargeFields = (ledger: Ledger) =>
  byKey(
    ledger.charges.map((charge) => {
      const { n, family, kind, amount, currency, due, credited } = charge;
      const reversed = isFullyReversed(charge);
      const links = reversed ? {} : { session: charge.session, invoice: charge.invoice };
      const open = outstandingOf(ledger, charge);
      const paid = paidBy(ledger, charge);
      const fields = { family, kind, amount, currency, due, credited, open };
      return [`${n}`, { ...fields, paid, reversed, ...links }];
    }),
  );

const readCharges = (
  server: ServerLedger,
  ids: Ids,
  fixture: LedgerFixture,
  family: (id: number) => string | undefined,
) =>
  byKey(
    server.charges
      .filter((each) => each.reverses === null)
      .map((each) => {
        const { kind, amount, currency, due, credited, open, reversed } = each;
        const session = nth(fixture.sessions, each.session);
        const links = reversed ? {} : { session, invoice: nth(ids.invoices, each.invoice) };
        const paid = nth(ids.payments, each.paidBy);
        const fields = { family: family(each.family), kind, amount, currency, due, credited, open };
        return [`${nth(ids.charges, each.id)}`, { ...fields, paid, reversed, ...links }];
      }),
  );

/** Reversals and credit note lines as sorted text, so that their order does not matter. */
const reversals = (state: LedgerState): string[] =>
  [
    ...state.ledger.charges
      .filter((charge) => charge.reversed)
      .map((charge) => `reversal of ${charge.n}: ${charge.amount}`),
    ...state.creditNotes.flatMap(({ n, lines }) =>
      lines.map(({ charge, amount }) => `credit note ${n} of ${charge}: ${amount}`),
    ),
  ].toSorted();

const readReversals = (server: ServerLedger, ids: Ids): string[] =>
  server.charges
    .filter((each) => each.reverses !== null)
    .map((each) => {
      const note = server.invoices.find(({ id }) => id === each.invoice);
      const label = each.kind === 'reversal' ? 'reversal' : `credit note ${note?.number}`;
      return `${label} of ${nth(ids.charges, each.reverses)}: ${-each.amount}`;
    })
    .toSorted();

const paymentFields = (ledger: Ledger) =>
  byKey(
    ledger.payments.map((payment) => {
      const { n, family, kind, amount, currency, paidOn, refunded, reversed } = payment;
      const free = unallocatedOf(ledger, payment);
      return [`${n}`, { family, kind, amount, currency, paidOn, refunded, reversed, free }];
    }),
  );

const readPayments = (server: ServerLedger, ids: Ids, family: (id: number) => string | undefined) =>
  byKey(
    server.payments
      .filter((each) => each.reverses === null)
      .map((each) => {
        const { kind, amount, currency, paidOn, refunded, reversed, free } = each;
        const fields = { family: family(each.family), kind, amount, currency, paidOn };
        return [`${nth(ids.payments, each.id)}`, { ...fields, refunded, reversed, free }];
      }),
  );

const total = (lines: readonly { amount: number }[]): number =>
  lines.reduce((all, line) => all + line.amount, 0);

const documents = (state: LedgerState): string[] => [
  ...state.invoices.map(
    (each) => `invoice ${each.n}: ${total(each.lines)}${each.void ? ', void' : ''}`,
  ),
  ...state.creditNotes.map(
    (each) => `credit_note ${each.n} to ${each.invoice}: ${total(each.lines)}`,
  ),
];

const readDocuments = (server: ServerLedger, ids: Ids): string[] =>
  server.invoices.map((each) => {
    const to = each.corrects === null ? '' : ` to ${nth(ids.invoices, each.corrects)}`;
    return `${each.kind} ${each.number}${to}: ${each.total}${each.void ? ', void' : ''}`;
  });
