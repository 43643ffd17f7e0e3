import type pg from 'pg';
import { difference } from '../schedule/compare-with-server.ts';
import type { LedgerFixture } from './ledger-fixture.ts';
import {
  findModelViolation,
  findSettlingPayment,
  isFullyReversed,
  type Ledger,
  outstandingOf,
  requireDefined,
  unallocatedOf,
} from './ledger-model.ts';
import type { LedgerState } from './ledger-state.ts';

/* Reads a tutor's ledger from the database and compares it with the model. */

export interface ServerLedger {
  sessions: {
    id: number;
    date: string;
    status: string;
    seats: {
      student: number;
      fee: number | null;
      source: string;
      cancelled: boolean;
      charged: boolean;
    }[];
  }[];
  charges: {
    id: number;
    family: number;
    student: number | null;
    session: number | null;
    kind: string;
    amount: number;
    currency: string;
    due: string;
    outstanding: number;
    credited: number;
    writtenOff: number;
    reversed: boolean;
    reverses: number | null;
    date: string;
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
    unallocated: number;
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
  plans: {
    id: number;
    family: number;
    currency: string;
    ended: boolean;
    charges: number[];
    instalments: { due: string; amount: number; isDue: boolean; isMissed: boolean }[];
  }[];
  queries: { id: number; charge: number; status: string; isOwed: boolean | null }[];
  /** Notifications of missed instalments. */
  missedCount: number;
}

const READ_LEDGER_SQL = `
  select
    (select coalesce(json_agg(json_build_object('id', id, 'date', date, 'status', status, 'seats', (
        select json_agg(json_build_object('student', x.student_id, 'fee', x.fee, 'cancelled', x.state = 'cancelled',
          'source', case when x.fee_source in ('rate', 'subject') then x.fee_source else 'entered' end,
          'charged', x.is_billable) order by x.position)
        from session_students x where x.tutor_id = s.tutor_id and x.session_id = s.id)) order by id), '[]')
      from sessions s where tutor_id = $1) as sessions,
    (select coalesce(json_agg(json_build_object('id', id, 'family', family_id, 'student', student_id,
        'session', session_id, 'kind', kind, 'amount', amount, 'currency', currency, 'due', due_date, 'outstanding', outstanding, 'credited', credited,
        'writtenOff', written_off, 'date', due_date, 'reversed', reversed, 'reverses', reverses_id, 'invoice', invoice_id, 'paidBy', paid_by_id) order by id), '[]')
      from charges where tutor_id = $1) as charges,
    (select coalesce(json_agg(json_build_object('id', id, 'family', family_id, 'kind', kind, 'amount', amount,
        'currency', currency, 'paidOn', paid_on, 'unallocated', unallocated, 'refunded', refunded, 'reversed', reversed,
        'reverses', reverses_id) order by id), '[]')
      from payments where tutor_id = $1) as payments,
    (select coalesce(json_agg(json_build_object('payment', payment_id, 'charge', charge_id, 'amount', amount)), '[]')
      from (select payment_id, charge_id, sum(amount) as amount from allocations where tutor_id = $1
        group by payment_id, charge_id having sum(amount) <> 0) as allocated) as allocations,
    (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'number', sequence, 'corrects', corrected_invoice_id,
        'void', voided_at is not null, 'total', (select sum(amount) from invoice_lines l
          where l.tutor_id = i.tutor_id and l.invoice_id = i.id)) order by kind desc, sequence), '[]')
      from invoices i where tutor_id = $1) as invoices,
    (select coalesce(json_agg(json_build_object('id', id, 'family', family_id, 'currency', currency, 'ended', ended_at is not null,
        'charges', (select json_agg(charge_id order by charge_id) from instalment_plan_charges c
          where c.tutor_id = p.tutor_id and c.plan_id = p.id),
        'instalments', (select json_agg(json_build_object('due', n.due_on, 'amount', n.amount, 'isDue', n.is_due,
          'isMissed', n.is_missed) order by n.position) from instalments n where n.tutor_id = p.tutor_id and n.plan_id = p.id))
        order by id), '[]')
      from instalment_plans p where tutor_id = $1) as plans,
    (select coalesce(json_agg(json_build_object('id', id, 'charge', charge_id, 'status', status, 'isOwed', is_owed)
        order by id), '[]')
      from charge_queries where tutor_id = $1) as queries,
    (select count(*)::int from notifications where tutor_id = $1 and kind = 'instalment_missed') as "missedCount"`;

/** Reads a tutor's ledger in one query, using a role that bypasses row-level security. */
export async function readLedger(adminDb: pg.Client, tutorId: string): Promise<ServerLedger> {
  const { rows } = await adminDb.query<ServerLedger>({
    name: 'ledger',
    text: READ_LEDGER_SQL,
    values: [tutorId],
  });
  return requireDefined(rows[0]);
}

/** The server's ids, in the order of the model's numbering. */
export interface Ids {
  charges: number[];
  payments: number[];
  invoices: number[];
  queries: number[];
}

export const collectIds = (server: ServerLedger): Ids => ({
  charges: server.charges.filter((each) => each.reverses === null).map((each) => each.id),
  payments: server.payments.filter((each) => each.reverses === null).map((each) => each.id),
  invoices: server.invoices.filter((each) => each.kind === 'invoice').map((each) => each.id),
  queries: server.queries.map((each) => each.id),
});

const toRecord = (entries: [string, unknown][]) => Object.fromEntries(entries);
const positionOf = (ids: readonly number[], id: number | null): number | null =>
  id === null ? null : ids.indexOf(id) + 1;

/** Compares everything that a command could have changed. */
export function ledgerDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  server: ServerLedger,
): string | null {
  const ids = collectIds(server);
  const nameOf = (id: number) => [...fixture.families].find(([, known]) => known === id)?.[0];
  return (
    findModelViolation(state.ledger) ??
    difference(
      toRecord(
        state.sessions.map(({ n, date, status, seats }) => [`${n}`, { date, status, seats }]),
      ),
      toRecord(
        server.sessions.map(({ id, date, status, seats }) => [
          `${positionOf(fixture.sessions, id)}`,
          {
            date,
            status,
            seats: seats.map((seat) => ({
              ...seat,
              student: positionOf(fixture.students, seat.student),
            })),
          },
        ]),
      ),
      'session',
    ) ??
    difference(
      expectedCharges(state.ledger),
      readCharges(server, ids, fixture, nameOf),
      'charge',
    ) ??
    difference(expectedReversals(state), readReversals(server, ids), 'reversals') ??
    difference(expectedPayments(state.ledger), readPayments(server, ids, nameOf), 'payment') ??
    difference(
      toRecord(
        state.ledger.allocations.map((each) => [`${each.payment} for ${each.charge}`, each.amount]),
      ),
      toRecord(
        server.allocations.map(({ payment, charge, amount }) => [
          `${positionOf(ids.payments, payment)} for ${positionOf(ids.charges, charge)}`,
          amount,
        ]),
      ),
      'allocation',
    ) ??
    difference(expectedDocuments(state), readDocuments(server, ids), 'document') ??
    difference(expectedPlans(state.ledger), readPlans(server, ids, nameOf), 'plan') ??
    difference(expectedQueries(state.ledger), readQueries(server, ids), 'query')
  );
}

const expectedCharges = (ledger: Ledger) =>
  toRecord(
    ledger.charges.map((charge) => {
      const { n, family, student, kind, amount, currency, due, credited, writtenOff } = charge;
      const reversed = isFullyReversed(charge);
      const links = reversed ? {} : { session: charge.session, invoice: charge.invoice };
      const outstanding = outstandingOf(ledger, charge);
      const settledBy = findSettlingPayment(ledger, charge);
      const account = { family, student, kind, amount, currency, due };
      const fields = { ...account, credited, writtenOff, outstanding };
      return [`${n}`, { ...fields, settledBy, reversed, ...links }];
    }),
  );

const readCharges = (
  server: ServerLedger,
  ids: Ids,
  fixture: LedgerFixture,
  nameOf: (id: number) => string | undefined,
) =>
  toRecord(
    server.charges
      .filter((each) => each.reverses === null)
      .map((each) => {
        const { kind, amount, currency, due, credited, writtenOff, outstanding, reversed } = each;
        const session = positionOf(fixture.sessions, each.session);
        const links = reversed ? {} : { session, invoice: positionOf(ids.invoices, each.invoice) };
        const settledBy = positionOf(ids.payments, each.paidBy);
        const fields = {
          family: nameOf(each.family),
          student: positionOf(fixture.students, each.student),
          kind,
          amount,
          currency,
          due,
          credited,
          writtenOff,
          outstanding,
        };
        return [
          `${positionOf(ids.charges, each.id)}`,
          { ...fields, settledBy, reversed, ...links },
        ];
      }),
  );

/** Reversals, credits and write-offs as sorted text, so that their order does not matter. */
const expectedReversals = (state: LedgerState): string[] =>
  state.ledger.reductions
    .map(({ kind, charge, amount, date, creditNote }) => {
      const label = kind === 'credit' && creditNote !== null ? `credit note ${creditNote}` : kind;
      return `${label} of charge ${charge} on ${date}: ${amount}`;
    })
    .toSorted();

const REDUCTION_LABELS: Record<string, string> = { reversal: 'reversal', write_off: 'write-off' };

const readReversals = (server: ServerLedger, ids: Ids): string[] =>
  server.charges
    .filter((each) => each.reverses !== null)
    .map((each) => {
      const note = server.invoices.find(({ id }) => id === each.invoice);
      const label = REDUCTION_LABELS[each.kind] ?? (note ? `credit note ${note.number}` : 'credit');
      return `${label} of charge ${positionOf(ids.charges, each.reverses)} on ${each.date}: ${-each.amount}`;
    })
    .toSorted();

const expectedPayments = (ledger: Ledger) =>
  toRecord(
    ledger.payments.map((payment) => {
      const { n, family, kind, amount, currency, paidOn, refunded, reversed } = payment;
      const unallocated = unallocatedOf(ledger, payment);
      return [`${n}`, { family, kind, amount, currency, paidOn, refunded, reversed, unallocated }];
    }),
  );

const readPayments = (server: ServerLedger, ids: Ids, nameOf: (id: number) => string | undefined) =>
  toRecord(
    server.payments
      .filter((each) => each.reverses === null)
      .map((each) => {
        const { kind, amount, currency, paidOn, refunded, reversed, unallocated } = each;
        const fields = { family: nameOf(each.family), kind, amount, currency, paidOn };
        return [
          `${positionOf(ids.payments, each.id)}`,
          { ...fields, refunded, reversed, unallocated },
        ];
      }),
  );

const sumLines = (lines: readonly { amount: number }[]): number =>
  lines.reduce((sum, line) => sum + line.amount, 0);

const expectedDocuments = (state: LedgerState): string[] => [
  ...state.invoices.map(
    (each) => `invoice ${each.n}: ${sumLines(each.lines)}${each.void ? ', void' : ''}`,
  ),
  ...state.creditNotes.map(
    (each) => `credit_note ${each.n} for invoice ${each.invoice}: ${sumLines(each.lines)}`,
  ),
];

const readDocuments = (server: ServerLedger, ids: Ids): string[] =>
  server.invoices.map((each) => {
    const target =
      each.corrects === null ? '' : ` for invoice ${positionOf(ids.invoices, each.corrects)}`;
    return `${each.kind} ${each.number}${target}: ${each.total}${each.void ? ', void' : ''}`;
  });

const expectedPlans = ({ plans }: Ledger) => ({
  plans,
  missedCount: plans.flatMap(({ instalments }) => instalments).filter(({ isMissed }) => isMissed)
    .length,
});

const readPlans = (
  { plans, missedCount }: ServerLedger,
  ids: Ids,
  nameOf: (id: number) => string | undefined,
) => ({
  plans: plans.map(({ id: n, ...plan }) => ({
    n,
    ...plan,
    family: nameOf(plan.family),
    charges: plan.charges.map((id) => positionOf(ids.charges, id)),
  })),
  missedCount,
});

const expectedQueries = ({ queries }: Ledger) =>
  queries.map(({ charge, status, isOwed }) => ({ charge, status, isOwed }));

const readQueries = ({ queries }: ServerLedger, ids: Ids) =>
  queries.map(({ charge, status, isOwed }) => ({
    charge: positionOf(ids.charges, charge),
    status,
    isOwed,
  }));
