import { type DueAmounts, families } from '@lessonbook/contract/families';
import type { InvoiceLine } from '@lessonbook/contract/invoices';
import { type Balance, payments } from '@lessonbook/contract/payments';
import { reports } from '@lessonbook/contract/reports';
import { type SessionRow, sessions } from '@lessonbook/contract/sessions';
import type pg from 'pg';
import { findViolations } from '../../../invariants.ts';
import { difference } from '../schedule/compare-with-server.ts';
import { reportDifference } from './check-earnings-report.ts';
import { statementDifference } from './check-family-account-views.ts';
import { invoicesDifference } from './check-invoices.ts';
import type { Ids } from './compare-with-server.ts';
import { callOrThrow, type LedgerFixture } from './ledger-fixture.ts';
import {
  balanceOf,
  findSettlingPayment,
  getCharge,
  type ModelCharge,
  outstandingOf,
  remainingValue,
  requireDefined,
  sum,
  unallocatedOf,
} from './ledger-model.ts';
import { getSeatCharges, getSessionCharges, type LedgerState, today } from './ledger-state.ts';
import { upcomingShares } from './random-commands.ts';
import { dueDateOf, isOverdue, requestedAmountOf } from './write-offs-plans-and-questions-model.ts';

/* Compares the ledger data shown on the screens with the model. */

const CURRENCIES = ['GBP', 'EUR'] as const;

/** Balances as text, excluding zero balances. */
const formatBalances = (balances: readonly Balance[]): string =>
  balances
    .filter(({ owed, credit }) => owed !== 0 || credit !== 0)
    .map(({ currency, owed, credit }) => `${owed} owed, ${credit} in credit in ${currency}`)
    .toSorted()
    .join('; ');

const expectedBalances = (state: LedgerState, family: string): string =>
  formatBalances(
    CURRENCIES.map((currency) => {
      const balance = balanceOf(state.ledger, family, currency);
      return { currency, owed: Math.max(0, balance), credit: Math.max(0, -balance) };
    }),
  );

const expectedAccount = (state: LedgerState, family: string): string => {
  const openCharges = state.ledger.charges.filter(
    (charge) => charge.family === family && outstandingOf(state.ledger, charge) > 0,
  );
  const [oldest] = openCharges.map(({ due }) => due).toSorted();
  return `${expectedBalances(state, family)} since ${oldest ?? null}`;
};

/** Compares every family's balance; called after each command. */
export async function balanceDifference(
  state: LedgerState,
  fixture: LedgerFixture,
): Promise<string | null> {
  const list = await callOrThrow(fixture, families.listFamilies, { query: {} });
  const expected = [...fixture.families].map(([payer, id]) => [id, expectedAccount(state, payer)]);
  // A family that has no balance and no students may be missing from the list.
  const actual = [...fixture.families.values()].map((id) => {
    const shown = list.find((family) => family.id === id);
    return [
      id,
      shown ? `${formatBalances(shown.balances)} since ${shown.oldestDueDate}` : ' since null',
    ];
  });
  return (
    difference(Object.fromEntries(expected), Object.fromEntries(actual), 'balance for family') ??
    difference(
      Object.fromEntries(
        [...fixture.families].map(([payer, id]) => [id, expectedDue(state, payer)]),
      ),
      Object.fromEntries(
        [...fixture.families.values()].map((id) => [
          id,
          list.find((family) => family.id === id)?.due ?? [],
        ]),
      ),
      'due from family',
    )
  );
}

/** By currency: the overdue amount, and when the rest is due. */
function expectedDue(state: LedgerState, payer: string): DueAmounts[] {
  const { ledger } = state;
  const open = ledger.charges
    .filter((charge) => charge.family === payer && outstandingOf(ledger, charge) > 0)
    .map((charge) => ({
      charge,
      outstanding: outstandingOf(ledger, charge),
      due: dueDateOf(state, charge),
    }));
  return [...Map.groupBy(open, ({ charge }) => charge.currency)]
    .map(([currency, charges]): DueAmounts => {
      const overdue = charges.filter(({ charge }) => isOverdue(state, charge));
      const dates = charges.flatMap(({ due }) => due ?? []).filter((due) => due >= today(state));
      const sumOf = (some: typeof charges) => sum(some.map(({ outstanding }) => outstanding));
      return {
        currency,
        overdue: sum(overdue.map(({ charge }) => requestedAmountOf(ledger, charge))),
        overdueSince: overdue.flatMap(({ due }) => due ?? []).toSorted()[0] ?? null,
        dueOn: dates.toSorted()[0] ?? null,
        uninvoiced: sumOf(
          charges.filter(({ charge }) => charge.invoice === null && charge.kind !== 'opening'),
        ),
        withoutDueDate: sumOf(charges.filter(({ due }) => due === null)),
      };
    })
    .toSorted((a, b) => a.currency.localeCompare(b.currency));
}

/** A draft for the whole period must propose all unpaid charges not yet invoiced and all future sessions without a charge. */
export function draftDifference(
  state: LedgerState,
  { family, currency }: { family: string; currency: string },
  proposed: readonly InvoiceLine[],
  ids: Ids,
  fixture: LedgerFixture,
): string | null {
  const charges = state.ledger.charges
    .filter((charge) => charge.family === family && charge.currency === currency)
    .filter((charge) => charge.kind !== 'opening' && charge.invoice === null)
    .filter((charge) => outstandingOf(state.ledger, charge) > 0)
    .map((charge) => `charge ${requireDefined(ids.charges[charge.n - 1])}: ${charge.amount}`);
  const upcoming = upcomingShares(state, family, currency).map(
    ({ session, student, amount }) =>
      `session ${requireDefined(fixture.sessions[session - 1])}, student ${requireDefined(fixture.students[student - 1])}: ${amount}`,
  );
  const untilToday = new Set(
    state.sessions
      .filter(({ date }) => date <= today(state))
      .map(({ n }) => requireDefined(fixture.sessions[n - 1])),
  );
  // Whether a session today is still in the future depends on its time, which the schedule tests check.
  const lines = proposed
    .filter(({ chargeId, sessionId }) => chargeId !== null || !untilToday.has(sessionId ?? 0))
    .map(({ chargeId, sessionId, studentId, amount }) =>
      chargeId === null
        ? `session ${sessionId}, student ${studentId}: ${amount}`
        : `charge ${chargeId}: ${amount}`,
    );
  return difference([...charges, ...upcoming].toSorted(), lines.toSorted(), 'draft');
}

/** Checks the invariants and the earnings report; called at the end of a history. */
export async function finalStateDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  adminDb: pg.Client,
): Promise<string | null> {
  const [violation] = await findViolations(adminDb, fixture.tutorId);
  if (violation) return `${violation.rule}: ${violation.detail}`;
  const query = { period: 'all_time' } as const;
  return reportDifference(state, await callOrThrow(fixture, reports.earnings, { query }));
}

/** Compares the amounts on all other screens. */
export async function screensDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  ids: Ids,
): Promise<string | null> {
  return (
    (await sessionsDifference(state, fixture, ids)) ??
    (await studentsDifference(state, fixture)) ??
    (await familiesDifference(state, fixture)) ??
    (await paymentsDifference(state, fixture, ids)) ??
    (await invoicesDifference(state, fixture, ids)) ??
    (await statementsDifference(state, fixture))
  );
}

async function statementsDifference(
  state: LedgerState,
  fixture: LedgerFixture,
): Promise<string | null> {
  for (const payer of fixture.families.keys()) {
    const mismatch = await statementDifference(state, fixture, payer);
    if (mismatch) return mismatch;
  }
  return null;
}

/** The endpoint accepts ranges of at most a hundred days. */
const RANGES = [
  ['2026-11-01', '2027-01-31'],
  ['2027-02-01', '2027-04-30'],
  ['2027-05-01', '2027-07-31'],
  ['2027-08-01', '2027-10-31'],
] as const;

async function sessionsDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  ids: Ids,
): Promise<string | null> {
  const rows: SessionRow[] = [];
  for (const [from, to] of RANGES)
    rows.push(...(await callOrThrow(fixture, sessions.listSessions, { query: { from, to } })));
  const shown = new Map(rows.map((row) => [row.id, row]));
  for (const { n, seats } of state.sessions) {
    const {
      charged,
      outstanding,
      paymentId,
      students: shownSeats,
    } = requireDefined(shown.get(requireDefined(fixture.sessions[n - 1])));
    const expected = {
      ...expectedAmounts(state, getSessionCharges(state, n), ids),
      seats: seats.map(({ student, fee, cancelled }) => ({
        studentId: requireDefined(fixture.students[student - 1]),
        fee,
        cancelled,
        ...expectedAmounts(state, getSeatCharges(state, n, student), ids),
      })),
    };
    const actual = {
      charged,
      outstanding,
      paymentId,
      seats: shownSeats.map(
        ({ name: _, attendance: _attendance, feeSource: _source, state: seatState, ...seat }) => ({
          ...seat,
          cancelled: seatState === 'cancelled',
        }),
      ),
    };
    const mismatch = difference(expected, actual, `row for session ${n}`);
    if (mismatch) return mismatch;
  }
  return null;
}

/** All null if there is no charge. Once everything is paid, `paymentId` is that of the latest payment. */
function expectedAmounts(state: LedgerState, charges: readonly ModelCharge[], ids: Ids) {
  if (charges.length === 0) return { charged: null, outstanding: null, paymentId: null };
  const settling = charges.flatMap((charge) => findSettlingPayment(state.ledger, charge) ?? []);
  const paymentIds = settling.map((payment) => requireDefined(ids.payments[payment - 1]));
  return {
    charged: sum(charges.map(remainingValue)),
    outstanding: sum(charges.map((charge) => outstandingOf(state.ledger, charge))),
    paymentId: settling.length === charges.length ? Math.max(...paymentIds) : null,
  };
}

/** A student's balance: charges less credit notes less payments. */
async function studentsDifference(
  state: LedgerState,
  fixture: LedgerFixture,
): Promise<string | null> {
  for (const [index, id] of fixture.students.entries()) {
    const { familyId, balances } = await callOrThrow(fixture, families.studentBalance, {
      params: { id },
    });
    const charges = state.ledger.charges.filter((charge) => charge.student === index + 1);
    const expectedBalance = CURRENCIES.map((currency) => ({
      currency,
      owed: sum(
        charges
          .filter((charge) => charge.currency === currency)
          .map((charge) => outstandingOf(state.ledger, charge)),
      ),
      credit: 0,
    }));
    // The first payer of the latest arrangement, even if it starts in the future.
    const latest = requireDefined(requireDefined(state.payers[index]).at(-1));
    const payer = fixture.families.get(requireDefined(latest.shares[0]).payer);
    const expected = { payer, balance: formatBalances(expectedBalance) };
    const actual = { payer: familyId ?? undefined, balance: formatBalances(balances) };
    const mismatch = difference(expected, actual, `balance for student ${index + 1}`);
    if (mismatch) return mismatch;
  }
  return null;
}

const PAGE_SIZE = 100;

async function readAllPages<T>(
  readPage: (query: { limit: number; offset: number }) => Promise<T[]>,
): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const page = await readPage({ limit: PAGE_SIZE, offset: rows.length });
    rows.push(...page);
    if (page.length < PAGE_SIZE) return rows;
  }
}

/** Entries are listed newest first, so each balance is the balance of the entry below it plus the entry's amount. */
async function familiesDifference(
  state: LedgerState,
  fixture: LedgerFixture,
): Promise<string | null> {
  for (const [payer, id] of fixture.families) {
    const entries = await readAllPages(
      async (query) =>
        (await callOrThrow(fixture, families.family, { params: { id }, query })).entries,
    );
    const path = `account for ${payer}`;
    const running: Record<string, number> = {};
    for (const entry of entries.toReversed()) {
      const balance = (running[entry.currency] ?? 0) + entry.amount;
      if (balance !== entry.balance) return difference(balance, entry.balance, path);
      running[entry.currency] = balance;
    }
    for (const currency of CURRENCIES) {
      const balance = balanceOf(state.ledger, payer, currency);
      if (balance !== (running[currency] ?? 0)) return difference(balance, running[currency], path);
    }
  }
  return null;
}

/** Compares the list of payments, and each payment with its allocations. */
async function paymentsDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  ids: Ids,
): Promise<string | null> {
  const { ledger } = state;
  const list = await readAllPages((query) =>
    callOrThrow(fixture, payments.listPayments, { query: { period: 'all_time', ...query } }),
  );
  // Opening balances are not in the list of payments.
  const listed = ledger.payments.filter((payment) => !payment.reversed && !payment.opening);
  const listMismatch = difference(
    listed.map(({ n, amount }) => `${requireDefined(ids.payments[n - 1])}: ${amount}`).toSorted(),
    list
      .filter(({ method }) => method !== 'opening')
      .map(({ id, amount }) => `${id}: ${amount}`)
      .toSorted(),
    'list of payments',
  );
  if (listMismatch) return listMismatch;
  for (const payment of ledger.payments) {
    if (payment.kind === 'refund') continue;
    const params = { id: requireDefined(ids.payments[payment.n - 1]) };
    const receipt = await callOrThrow(fixture, payments.payment, { params });
    const covered = ledger.allocations
      .filter((each) => each.payment === payment.n)
      .map(({ charge: n, amount }) => {
        const outstanding = outstandingOf(ledger, getCharge(ledger, n));
        return `${amount} of charge ${requireDefined(ids.charges[n - 1])}, ${outstanding} outstanding`;
      });
    const covers = receipt.allocations.map(
      ({ chargeId, amount, outstanding }) =>
        `${amount} of charge ${chargeId}, ${outstanding} outstanding`,
    );
    const mismatch = difference(
      {
        covers: covered.toSorted(),
        credit: unallocatedOf(ledger, payment),
        refunded: payment.refunded,
        balance: balanceOf(ledger, payment.family, payment.currency),
      },
      {
        covers: covers.toSorted(),
        credit: receipt.credit,
        refunded: receipt.refunded,
        balance: receipt.balance.owed - receipt.balance.credit,
      },
      `receipt for payment ${payment.n}`,
    );
    if (mismatch) return mismatch;
  }
  return null;
}
