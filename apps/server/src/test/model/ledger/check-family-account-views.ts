import { arrears } from '@lessonbook/contract/arrears';
import { bulkMessages } from '@lessonbook/contract/bulk-messages';
import { families } from '@lessonbook/contract/families';
import type { InstalmentPlan } from '@lessonbook/contract/instalments';
import { messages } from '@lessonbook/contract/messages';
import type { Currency } from '@lessonbook/contract/money';
import { portalMoney } from '@lessonbook/contract/portal-charges-and-invoices';
import { publicBills } from '@lessonbook/contract/public-bill';
import { readPdfText } from '../../pdf-text.ts';
import { difference } from '../schedule/compare-with-server.ts';
import { invoiceState } from './check-invoices.ts';
import type { Ids } from './compare-with-server.ts';
import { callOrThrow, type LedgerFixture } from './ledger-fixture.ts';
import {
  balanceOf,
  compareByDueDate,
  FIRST_DAY,
  getCharge,
  heldAmountOf,
  isQueried,
  type Ledger,
  type ModelCharge,
  outstandingOf,
  requireDefined,
  sum,
} from './ledger-model.ts';
import { type LedgerState, plusDays, today, usesPortal } from './ledger-state.ts';
import { SIGNED_IN } from './random-arrears-commands.ts';
import {
  dueDateOf,
  instalmentDueDate,
  invoiceDueDate,
  isOverdue,
  requestedAmountOf,
  unpaidPartsOfInstalments,
} from './write-offs-plans-and-questions-model.ts';

/* Compares what the tutor and the payer see of an account: the amounts due, on hold, overdue and written off. */

const CURRENCIES = ['EUR', 'GBP'] as const;

interface View {
  state: LedgerState;
  fixture: LedgerFixture;
  ids: Ids;
  payer: string;
  familyId: number;
}

const VIEWS = [arrearsDifference, billDifference, reminderDifference, portalDifference];

/** Compares one view of one account. Each step compares a different one. */
export async function accountDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  ids: Ids,
  step: number,
): Promise<string | null> {
  const payers = [...fixture.families.keys()];
  const payer = requireDefined(payers[Math.floor(step / VIEWS.length) % payers.length]);
  const compare = requireDefined(VIEWS[step % VIEWS.length]);
  return compare(toView(state, fixture, ids, payer));
}

export async function allAccountsDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  ids: Ids,
): Promise<string | null> {
  for (const payer of fixture.families.keys()) {
    const view = toView(state, fixture, ids, payer);
    for (const compare of VIEWS) {
      const mismatch = await compare(view);
      if (mismatch) return mismatch;
    }
  }
  return overdueDifference(state, fixture);
}

const toView = (state: LedgerState, fixture: LedgerFixture, ids: Ids, payer: string): View => ({
  state,
  fixture,
  ids,
  payer,
  familyId: requireDefined(fixture.families.get(payer)),
});

const openCharges = ({ ledger }: LedgerState, payer: string): ModelCharge[] =>
  ledger.charges
    .filter((charge) => charge.family === payer && outstandingOf(ledger, charge) > 0)
    .toSorted(compareByDueDate);

const askedIn = (state: LedgerState, payer: string, currency: Currency): number =>
  sum(
    openCharges(state, payer)
      .filter((charge) => charge.currency === currency)
      .map((charge) => requestedAmountOf(state.ledger, charge)),
  );

const askedAmounts = (state: LedgerState, payer: string) =>
  CURRENCIES.map((currency) => ({ currency, due: askedIn(state, payer, currency) })).filter(
    ({ due }) => due > 0,
  );

/** Amounts by currency and reason, as sorted text. */
function expectedOnHold(state: LedgerState, payer: string): string[] {
  const { ledger } = state;
  const charges = openCharges(state, payer);
  return CURRENCIES.flatMap((currency) =>
    [true, false].map((queried) => {
      const held = charges
        .filter((charge) => charge.currency === currency && isQueried(ledger, charge) === queried)
        .map((charge) => heldAmountOf(ledger, charge));
      return { currency, reason: queried ? 'query' : 'instalments', amount: sum(held) };
    }),
  )
    .filter(({ amount }) => amount > 0)
    .map(formatHold)
    .toSorted();
}

const formatHold = (hold: { currency: string; reason: string; amount: number }): string =>
  `${hold.amount} ${hold.currency} for ${hold.reason}`;

/** Plans that have not been fully paid. */
const expectedPlans = ({ ledger }: LedgerState, payer: string): InstalmentPlan[] =>
  ledger.plans
    .filter(({ ended, family }) => !ended && family === payer)
    .map((plan) => ({ plan, left: unpaidPartsOfInstalments(ledger, plan) }))
    .filter(({ left }) => sum(left) > 0)
    .map(({ plan, left }) => ({
      currency: plan.currency,
      instalments: plan.instalments.map(({ due: dueOn, amount, isDue }, index) => ({
        dueOn,
        amount,
        outstanding: requireDefined(left[index]),
        isDue,
      })),
    }))
    .toSorted((a, b) => a.currency.localeCompare(b.currency));

async function arrearsDifference(view: View): Promise<string | null> {
  const { state, fixture, ids, payer, familyId } = view;
  const { ledger } = state;
  const shown = await callOrThrow(fixture, arrears.arrears, { params: { id: familyId } });
  const charges = openCharges(state, payer);
  const overdue = charges.filter((charge) => isOverdue(state, charge));
  const [overdueSince = null] = overdue
    .map((charge) => dueDateOf(state, charge))
    .filter((date) => date !== null)
    .toSorted();
  return difference(
    {
      overdueSince,
      isInArrears: overdueSince !== null && plusDays(overdueSince, 60) <= today(state),
      charges: charges.map((charge) => ({
        id: chargeId(ids, charge),
        outstanding: outstandingOf(ledger, charge),
        isOverdue: isOverdue(state, charge),
        isOnHold: heldAmountOf(ledger, charge) > 0,
      })),
      writtenOff: expectedWriteOffs(ledger, payer).map(({ charge, date }) => ({
        id: chargeId(ids, charge),
        writtenOff: charge.writtenOff,
        writtenOffOn: date,
      })),
      plans: expectedPlans(state, payer),
    },
    {
      overdueSince: shown.overdueSince,
      isInArrears: shown.isInArrears,
      charges: shown.charges.map(({ id, outstanding, isOverdue: late, isOnHold }) => ({
        id,
        outstanding,
        isOverdue: late,
        isOnHold,
      })),
      writtenOff: shown.writtenOff.map(({ id, writtenOff, writtenOffOn }) => ({
        id,
        writtenOff,
        writtenOffOn,
      })),
      plans: shown.plans,
    },
    `arrears of ${payer}`,
  );
}

const chargeId = (ids: Ids, { n }: ModelCharge): number => requireDefined(ids.charges[n - 1]);

/** The charges that are written off, with the date of the latest write-off, latest first. */
function expectedWriteOffs({ charges, reductions }: Ledger, payer: string) {
  const latest = new Map<number, { index: number; date: string }>();
  for (const [index, { kind, charge, amount, date }] of reductions.entries()) {
    if (kind === 'write-off' && amount > 0) latest.set(charge, { index, date });
  }
  return charges
    .filter((charge) => charge.family === payer && charge.writtenOff > 0)
    .map((charge) => ({ charge, ...requireDefined(latest.get(charge.n)) }))
    .toSorted((a, b) => b.index - a.index);
}

/** The public page on which the account is paid. */
async function billDifference(view: View): Promise<string | null> {
  const { state, fixture, payer, familyId } = view;
  const params = { token: await payToken(fixture, familyId) };
  const bill = await callOrThrow(fixture, publicBills.publicBill, { params });
  if (bill.state === 'void') return `the bill of ${payer} is void`;
  const amounts = askedAmounts(state, payer);
  const onHold = expectedOnHold(state, payer);
  const isPaid = amounts.length + onHold.length === 0;
  return difference(
    {
      state: amounts.length > 0 ? 'due' : onHold.length > 0 ? 'on_hold' : 'paid',
      amounts,
      onHold,
      credits: CURRENCIES.map((currency) => ({
        currency,
        amount: -balanceOf(state.ledger, payer, currency),
      })).filter(({ amount }) => amount > 0),
      plans: expectedPlans(state, payer),
      lines: isPaid ? null : expectedLines(state, payer),
    },
    {
      state: bill.state,
      amounts: bill.amounts.toSorted((a, b) => a.currency.localeCompare(b.currency)),
      onHold: bill.onHold.map(formatHold).toSorted(),
      credits: bill.credits.toSorted((a, b) => a.currency.localeCompare(b.currency)),
      plans: bill.plans,
      // If nothing is due, the bill shows what the latest payment was for.
      lines: isPaid
        ? null
        : bill.lines
            .map(({ date, currency, amount, outstanding }) =>
              formatLine(date, currency, amount, outstanding),
            )
            .toSorted(),
    },
    `bill of ${payer}`,
  );
}

const formatLine = (date: string, currency: string, amount: number, asked: number): string =>
  `${asked} of ${amount} ${currency} for ${date}`;

const expectedLines = (state: LedgerState, payer: string): string[] =>
  openCharges(state, payer)
    .map((charge) => ({ charge, asked: requestedAmountOf(state.ledger, charge) }))
    .filter(({ asked }) => asked > 0)
    .map(({ charge: { due, currency, amount, credited, writtenOff }, asked }) =>
      formatLine(due, currency, amount - credited - writtenOff, asked),
    )
    .toSorted();

const payToken = async (fixture: LedgerFixture, id: number): Promise<string> =>
  (await callOrThrow(fixture, families.family, { params: { id }, query: {} })).payToken;

const SYMBOLS: Record<string, string> = { GBP: '£', EUR: '€' };

const formatAmount = (amount: number, currency: string): string =>
  requireDefined(SYMBOLS[currency]) +
  (amount / 100).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A payment reminder asks for the same amounts as the bill, with one line for the instalments of each plan. */
async function reminderDifference(view: View): Promise<string | null> {
  const { state, fixture, payer, familyId } = view;
  const body = { familyId, channel: 'email' as const };
  const preview = await fixture.browser.call(messages.previewReminder, { body });
  const path = `reminder to ${payer}`;
  const amounts = askedAmounts(state, payer);
  if (amounts.length === 0) return difference(409, preview.status, path);
  if (preview.status !== 200) return difference(200, preview.status, path);
  const asked = amounts.map(({ currency, due }) => formatAmount(due, currency)).toSorted();
  const instalments = CURRENCIES.flatMap((currency) => {
    const planned = openCharges(state, payer).filter(
      (charge) => charge.currency === currency && instalmentDueDate(state.ledger, charge) !== null,
    );
    const amount = sum(planned.map((charge) => requestedAmountOf(state.ledger, charge)));
    return amount > 0 ? formatAmount(amount, currency) : [];
  });
  const { subject, text } = preview.body;
  return difference(
    { asked, instalments },
    {
      asked: subject?.replace('Payment reminder: ', '').split(' and ').toSorted(),
      instalments: [...text.matchAll(/^Instalment due .*, (\S+)$/gm)]
        .map(([, amount]) => amount)
        .toSorted((a, b) => Number(a?.startsWith('£')) - Number(b?.startsWith('£'))),
    },
    path,
  );
}

/** Only the main contact of a student is certain to have access. */
async function portalDifference(view: View): Promise<string | null> {
  const { state, fixture, ids, payer, familyId } = view;
  if (!SIGNED_IN.has(payer) || !usesPortal(state, payer)) return null;
  const { ledger } = state;
  const { browser, publicId } = await fixture.portal(payer);
  const money = await callOrThrow({ browser }, portalMoney.portalMoney, { params: { publicId } });
  const account = requireDefined(money.accounts.find(({ id }) => id === familyId));
  const asked = openCharges(state, payer).filter((charge) => requestedAmountOf(ledger, charge) > 0);
  const issued = state.invoices.filter((invoice) => invoice.family === payer && !invoice.void);
  const stateOf = new Map(issued.map((invoice) => [ids.invoices[invoice.n - 1], invoice]));
  return difference(
    {
      owed: askedAmounts(state, payer),
      charges: asked.map((charge) => ({
        id: chargeId(ids, charge),
        outstanding: requestedAmountOf(ledger, charge),
        dueOn:
          instalmentDueDate(ledger, charge) ??
          (charge.invoice === null ? null : invoiceDueDate(state, charge.invoice)),
      })),
      onHold: expectedOnHold(state, payer),
      plans: expectedPlans(state, payer),
      openQueries: ledger.queries
        .filter(
          ({ status, charge }) => status === 'open' && getCharge(ledger, charge).family === payer,
        )
        .map(({ n }) => requireDefined(ids.queries[n - 1])),
      invoices: account.invoices
        .filter(({ kind }) => kind === 'invoice')
        .map(({ id }) => invoiceState(state, requireDefined(stateOf.get(id)))),
      invoiceCount: Math.min(12, issued.length + creditNoteCount(state, payer)),
    },
    {
      owed: account.balances
        .filter(({ owed }) => owed > 0)
        .map(({ currency, owed: due }) => ({ currency, due }))
        .toSorted((a, b) => a.currency.localeCompare(b.currency)),
      charges: account.charges.map(({ id, outstanding, dueOn }) => ({ id, outstanding, dueOn })),
      onHold: account.onHold.map(formatHold).toSorted(),
      plans: account.plans,
      openQueries: account.queries
        .filter(({ status }) => status === 'open')
        .map(({ id }) => id)
        .toSorted((a, b) => a - b),
      invoices: account.invoices
        .filter(({ kind }) => kind === 'invoice')
        .map(({ state: shown }) => shown),
      invoiceCount: account.invoices.length,
    },
    `portal of ${payer}`,
  );
}

const creditNoteCount = ({ creditNotes, invoices }: LedgerState, payer: string): number =>
  creditNotes.filter(({ invoice }) => invoices[invoice - 1]?.family === payer).length;

/** The list of families that can be reminded of an overdue amount. */
async function overdueDifference(
  state: LedgerState,
  fixture: LedgerFixture,
): Promise<string | null> {
  const { families: shown } = await callOrThrow(fixture, bulkMessages.overdueReminders);
  const expected = [...fixture.families].flatMap(([payer, familyId]) => {
    const charges = openCharges(state, payer).filter((charge) => isOverdue(state, charge));
    const [dueSince] = charges
      .map((charge) => dueDateOf(state, charge))
      .filter((date) => date !== null)
      .toSorted();
    if (!dueSince) return [];
    const overdue = CURRENCIES.map((currency) => ({
      currency,
      amount: sum(
        charges
          .filter((charge) => charge.currency === currency)
          .map((charge) => requestedAmountOf(state.ledger, charge)),
      ),
    }));
    return { familyId, dueSince, overdue: overdue.filter(({ amount }) => amount > 0) };
  });
  return difference(
    expected.toSorted((a, b) => a.familyId - b.familyId),
    shown
      .map(({ familyId, dueSince, overdue }) => ({ familyId, dueSince, overdue }))
      .toSorted((a, b) => a.familyId - b.familyId),
    'families to remind',
  );
}

/** The balances at the start and the end of a statement, and the write-offs on it. */
export async function statementDifference(
  state: LedgerState,
  fixture: LedgerFixture,
  payer: string,
): Promise<string | null> {
  const period = { from: plusDays(FIRST_DAY, -7), to: today(state) };
  const query = new URLSearchParams(period).toString();
  const path = `/api/families/${requireDefined(fixture.families.get(payer))}/statement.pdf?${query}`;
  const text = (await readPdfText(await fixture.fetchFile(path))).replaceAll(/\s+/g, ' ');
  const entries = entriesOf(state.ledger, payer);
  const expected = CURRENCIES.flatMap((currency) => {
    const sumWhere = (isIncluded: (date: string) => boolean) =>
      sum(
        entries
          .filter((entry) => entry.currency === currency && isIncluded(entry.date))
          .map(({ amount }) => amount),
      );
    const balances = [
      [period.from, sumWhere((date) => date < period.from)],
      [period.to, sumWhere((date) => date <= period.to)],
    ] as const;
    return balances
      .filter(([, owed]) => owed !== 0)
      .map(([date, owed]) => {
        const label = `${owed < 0 ? 'In credit' : 'Owed'} on ${formatDate(date)}`;
        return `${label} ${formatAmount(Math.abs(owed), currency)}`;
      });
  });
  const balances = [...text.matchAll(/(?:Owed|In credit) on \d+ \w+ \d{4} \S[\d,.]+/g)]
    .map(([balance]) => balance)
    .filter((balance) => !/[£€]0\.00$/.test(balance));
  return difference(
    { balances: expected.toSorted(), writeOffs: shownWriteOffs(state.ledger, payer, period) },
    {
      balances: balances.toSorted(),
      writeOffs: [...text.matchAll(/Written off|Write-off reversed/g)].length,
    },
    `statement of ${payer}`,
  );
}

const formatDate = (date: string): string => {
  const [year, month, day] = date.split('-').map(Number);
  const names = [
    'Jan',
    'Feb',
    'Mar',
    'Apr',
    'May',
    'Jun',
    'Jul',
    'Aug',
    'Sep',
    'Oct',
    'Nov',
    'Dec',
  ];
  return `${day} ${names[(month ?? 0) - 1]} ${year}`;
};

/** Everything that changes the balance, with its date. Reversed payments are left out, as a reversal has the same date. */
function entriesOf({ charges, reductions, payments }: Ledger, payer: string) {
  const own = new Map(
    charges.filter(({ family }) => family === payer).map((each) => [each.n, each]),
  );
  return [
    ...[...own.values()].map(({ due: date, currency, amount }) => ({ date, currency, amount })),
    ...reductions.flatMap(({ charge, date, amount }) => {
      const currency = own.get(charge)?.currency;
      return currency ? { date, currency, amount: -amount } : [];
    }),
    ...payments
      .filter(({ family, reversed }) => family === payer && !reversed)
      .map(({ paidOn: date, currency, amount }) => ({ date, currency, amount: -amount })),
  ];
}

/** A write-off and its reversal in the same period are left out. */
function shownWriteOffs(
  { charges, reductions }: Ledger,
  payer: string,
  { from, to }: { from: string; to: string },
): number {
  const own = new Set(charges.filter(({ family }) => family === payer).map(({ n }) => n));
  const writeOffs = reductions.filter(
    ({ kind, charge, date }) =>
      kind === 'write-off' && own.has(charge) && date >= from && date <= to,
  );
  return [...Map.groupBy(writeOffs, ({ charge }) => charge).values()]
    .filter((group) => sum(group.map(({ amount }) => amount)) !== 0)
    .flat().length;
}
