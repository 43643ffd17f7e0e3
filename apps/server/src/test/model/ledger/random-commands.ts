import type { Random } from '../random.ts';
import { isRepeatable, type LedgerCommand, type LineInput } from './ledger-commands.ts';
import { isFullyReversed, type ModelCharge, outstandingOf, sum } from './ledger-model.ts';
import {
  expectedSeats,
  getSessionCharges,
  type LedgerState,
  plusDays,
  today,
  unchargedShares,
} from './ledger-state.ts';
import {
  agreePlanCommand,
  answerCommand,
  askCommand,
  endPlanCommand,
  payMoreThanOwedCommand,
  reverseWriteOffCommand,
  withdrawCommand,
  writeOffCommand,
} from './random-arrears-commands.ts';
import {
  accountCharges,
  CURRENCIES,
  PAYERS,
  pickOne,
  pickSome,
  randomAccount,
} from './random-picks.ts';

/* Generates random commands. Most are valid, but some must be rejected. */

type CommandGenerator = (random: Random, state: LedgerState) => LedgerCommand | null;

/** Relative frequencies of the commands. */
const WEIGHTS: [CommandGenerator, number][] = [
  [completeCommand, 20],
  [cancelCommand, 10],
  [reopenCommand, 9],
  [moveCommand, 6],
  [undoMoveCommand, 5],
  [payCommand, 22],
  [refundCommand, 9],
  [reversePaymentCommand, 6],
  [openingBalanceCommand, 5],
  [reverseOpeningBalanceCommand, 2],
  [invoiceCommand, 13],
  [voidInvoiceCommand, 4],
  [creditCommand, 8],
  [changePayerCommand, 4],
  [cancelSeatCommand, 10],
  [restoreSeatCommand, 5],
  [contactCommand, 5],
  [splitCommand, 8],
  [raisePricesCommand, 12],
  [writeOffCommand, 12],
  [payMoreThanOwedCommand, 5],
  [reverseWriteOffCommand, 9],
  [agreePlanCommand, 14],
  [endPlanCommand, 2],
  [askCommand, 9],
  [withdrawCommand, 2],
  [answerCommand, 7],
  [waitCommand, 10],
];
const WEIGHTED_GENERATORS = WEIGHTS.flatMap(([generator, weight]) =>
  Array.from({ length: weight }, () => generator),
);

export function nextCommand(random: Random, state: LedgerState): LedgerCommand {
  for (;;) {
    const command = random.pick(WEIGHTED_GENERATORS)(random, state);
    if (!command) continue;
    if (!isRepeatable(command) || random.chance(0.9)) return command;
    return { kind: 'repeat', command, times: random.between(2, 3), sameKey: random.chance(0.5) };
  }
}

/** Usually picks a session with a suitable status. */
const randomSession = (
  random: Random,
  state: LedgerState,
  isSuitable: (status: string) => boolean,
) => {
  const ignoresStatus = random.chance(0.08);
  return pickOne(
    random,
    state.sessions.filter((session) => ignoresStatus || isSuitable(session.status)),
  );
};

/** Half of the time, picks a session that was invoiced in advance. */
function randomScheduled(random: Random, state: LedgerState) {
  const prepaid = state.sessions.filter(
    ({ n, status }) => status === 'scheduled' && getSessionCharges(state, n).length > 0,
  );
  if (prepaid.length > 0 && random.chance(0.5)) return random.pick(prepaid);
  return randomSession(random, state, (status) => status === 'scheduled');
}

function completeCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const first = randomScheduled(random, state);
  if (!first) return null;
  const others = state.sessions.filter(
    ({ n, status }) => status === 'scheduled' && n !== first.n && first.status === 'scheduled',
  );
  if (random.chance(0.35)) {
    const students = expectedSeats(first).map(({ student }) => student);
    const exceptions = students.filter(() => random.chance(0.4));
    return { kind: 'complete', sessions: [first.n], charge: random.chance(0.5), exceptions };
  }
  const additional = random.chance(0.3) ? pickSome(random, others, 4) : [];
  const sessions = [first, ...additional].map(({ n }) => n).toSorted((a, b) => a - b);
  return { kind: 'complete', sessions, charge: true, exceptions: [] };
}

const CANCEL_METHODS = ['cancel', 'time off', 'delete'] as const;

function cancelCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const session = randomScheduled(random, state);
  if (!session) return null;
  const by = random.pick(['tutor', 'student', 'carer', 'carer', 'carer'] as const);
  // The first twenty sessions belong to series.
  const inSeries = session.n <= 20 && session.status === 'scheduled' && session.date > today(state);
  const via = by === 'tutor' && inSeries ? random.pick(CANCEL_METHODS) : 'cancel';
  return { kind: 'cancel', session: session.n, by, fee: random.chance(0.75), via };
}

function reopenCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const session = randomSession(random, state, (status) =>
    ['completed', 'cancelled'].includes(status),
  );
  return session && { kind: 'reopen', session: session.n };
}

function moveCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const session = randomScheduled(random, state);
  if (!session) return null;
  // Uses a date that is not in any series, so that the session always moves.
  return {
    kind: 'move',
    session: session.n,
    date: plusDays(today(state), 60 + state.sessions.length),
  };
}

/** Occasionally picks a session that was not moved. */
function undoMoveCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const moved = state.sessions.filter(
    ({ movedFrom, status }) => movedFrom !== null && (status === 'scheduled' || random.chance(0.1)),
  );
  const session = pickOne(random, random.chance(0.03) ? state.sessions : moved);
  return session && { kind: 'undo move', session: session.n };
}

function payCommand(random: Random, state: LedgerState): LedgerCommand {
  const { family, currency } = randomAccount(random, state);
  const charges = accountCharges(state, family, currency);
  const openCharges = charges.filter((charge) => outstandingOf(state.ledger, charge) > 0);
  const total = sum(openCharges.map((charge) => outstandingOf(state.ledger, charge)));
  // Occasionally includes charges that are paid, reversed, another family's or in another currency.
  const candidates = random.chance(0.05)
    ? state.ledger.charges
    : random.chance(0.1)
      ? charges
      : openCharges;
  const chosen = random.chance(0.4) ? pickSome(random, candidates, 3) : [];
  const chosenTotal = sum(chosen.map((charge) => Math.max(0, outstandingOf(state.ledger, charge))));
  const amounts = [
    total,
    total,
    chosenTotal,
    chosenTotal + random.between(1, 900),
    random.between(1, Math.max(1, total)),
    total + random.between(1, 4000),
  ];
  const amount = random.pick(amounts) || random.between(500, 9000);
  const on = plusDays(today(state), -random.pick([0, 0, 1, 3, 20, 45]));
  return { kind: 'pay', family, currency, amount, on, chosenCharges: chosen.map(({ n }) => n) };
}

function refundCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const refundable = state.ledger.payments.filter(
    ({ kind, reversed }) => kind === 'payment' && !reversed,
  );
  const payment = pickOne(random, random.chance(0.9) ? refundable : state.ledger.payments);
  if (!payment) return null;
  const remaining = Math.max(1, payment.amount - payment.refunded);
  const amount = random.pick([
    remaining,
    random.between(1, remaining),
    random.between(1, remaining),
    remaining + 1,
  ]);
  return { kind: 'refund', payment: payment.n, amount };
}

function reversePaymentCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const payment = pickOne(random, state.ledger.payments);
  return payment && { kind: 'reverse payment', payment: payment.n };
}

function openingBalanceCommand(random: Random, state: LedgerState): LedgerCommand {
  const absoluteAmount = random.between(500, 12_000);
  return {
    kind: 'opening',
    family: random.pick(PAYERS),
    currency: random.pick(CURRENCIES),
    amount: random.chance(0.6) ? absoluteAmount : -absoluteAmount,
    on: plusDays(today(state), -random.between(0, 90)),
  };
}

function reverseOpeningBalanceCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const openings = state.ledger.charges.filter((charge) => charge.kind === 'opening');
  const charge = pickOne(random, random.chance(0.9) ? openings : state.ledger.charges);
  return charge && { kind: 'reverse opening balance', charge: charge.n };
}

/** The family's shares of future seats that have not been charged to it. */
export const upcomingShares = (
  state: LedgerState,
  family: string,
  currency: string,
): { session: number; student: number; amount: number }[] =>
  state.sessions
    .filter(({ status, date }) => status === 'scheduled' && date > today(state))
    .filter((session) => session.currency === currency)
    .flatMap((session) =>
      expectedSeats(session).flatMap((seat) =>
        unchargedShares(state, session, seat, seat.fee ?? 0)
          .filter(({ payer }) => payer === family)
          .map(({ amount }) => ({ session: session.n, student: seat.student, amount })),
      ),
    );

function invoiceCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const { family, currency } = randomAccount(random, state);
  const invoiceable = accountCharges(state, family, currency).filter(
    (charge) => charge.kind !== 'opening' && charge.invoice === null && !isFullyReversed(charge),
  );
  const upcoming = upcomingShares(state, family, currency).map(
    ({ session, student }): LineInput => ({ session, student }),
  );
  // A draft needs an unpaid charge or a future session; paid charges can be added to it.
  const openCharges = invoiceable.filter((charge) => outstandingOf(state.ledger, charge) > 0);
  if (openCharges.length + upcoming.length === 0) return null;
  const charges = invoiceable.map(({ n }): LineInput => ({ charge: n }));
  const lines = pickSome(random, [...charges, ...upcoming], 5);
  if (random.chance(0.3)) {
    lines.splice(random.between(0, lines.length), 0, {
      item: `Book ${state.invoices.length + 1}`,
      amount: random.between(100, 3000),
    });
  }
  return { kind: 'invoice', family, currency, lines };
}

function voidInvoiceCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const picked = pickOne(random, state.invoices);
  return picked && { kind: 'void', invoice: picked.n };
}

function creditCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const picked = pickOne(random, state.invoices);
  if (!picked) return null;
  const lines = pickSome(random, picked.lines, 3).map(({ charge: n }) => {
    const charge = state.ledger.charges[n - 1] as ModelCharge;
    const remaining = Math.max(1, charge.amount - charge.credited);
    const amount = random.pick([
      remaining,
      remaining,
      random.between(1, remaining),
      random.between(1, remaining),
    ]);
    return { charge: n, amount: random.chance(0.06) ? remaining + 1 : amount };
  });
  return { kind: 'credit', invoice: picked.n, lines };
}

function changePayerCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const student = random.between(1, state.payers.length);
  const payer = random.pick([...CARERS, `student ${student}`]);
  return state.contacts[student - 1]?.[0] === payer ? null : { kind: 'payer', student, payer };
}

const CARERS = ['carer 1', 'carer 2'];

function cancelSeatCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const session = randomScheduled(random, state);
  if (!session || (session.seats.length === 1 && random.chance(0.9))) return null;
  const { student } = random.pick(session.seats);
  const by = random.pick(['tutor', 'student', 'carer', 'carer', 'carer'] as const);
  return { kind: 'cancel seat', session: session.n, student, by, fee: random.chance(0.75) };
}

function restoreSeatCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const cancelled = state.sessions.flatMap(({ n, seats }) =>
    seats
      .filter((seat) => seat.cancelled || random.chance(0.005))
      .map(({ student }) => ({ session: n, student })),
  );
  const seat = pickOne(random, cancelled);
  return seat && { kind: 'restore seat', ...seat };
}

/** Mostly adds contacts, so that charges can be split. */
function contactCommand(random: Random, state: LedgerState): LedgerCommand {
  const student = random.between(1, state.contacts.length);
  const action = random.chance(0.75) ? 'add' : 'remove';
  return { kind: 'contact', action, student, contact: random.pick(CARERS) };
}

/** Splits the charges from a given date, rarely between people who are not contacts of the student. */
function splitCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const student = random.between(1, state.contacts.length);
  const contacts = state.contacts[student - 1] ?? [];
  const linked = CARERS.filter((carer) => contacts.includes(carer) || random.chance(0.05));
  const payers = random.chance(0.5) ? linked : linked.toReversed();
  const [first, second] = payers;
  if (first === undefined) return null;
  const percent = random.pick([1, 33, 50, 67, 99]);
  const shares =
    second === undefined
      ? [{ payer: first, percent: 100 }]
      : [
          { payer: first, percent },
          { payer: second, percent: 100 - percent },
        ];
  const from = plusDays(today(state), random.between(-14, 30));
  return { kind: 'split', student, from, shares };
}

/** Mostly raises the prices of all students and subjects. */
function raisePricesCommand(random: Random, state: LedgerState): LedgerCommand {
  return {
    kind: 'raise prices',
    student: random.chance(0.6) ? 0 : random.between(1, state.contacts.length),
    subject: random.chance(0.7) ? 0 : random.between(1, 2),
    by: random.chance(0.6)
      ? { percent: random.pick([0.5, 3, 5, 7.5, 20]) }
      : { pennies: random.pick([20, 100, 250]) },
    step: random.pick([1, 50, 100]),
    from: plusDays(today(state), random.chance(0.03) ? -1 : random.between(0, 25)),
    save: random.chance(0.85),
  };
}

function waitCommand(random: Random): LedgerCommand {
  const hours = random.pick([5, 24, 24, 7 * 24, 20 * 24]);
  return { kind: 'wait', hours, runsJob: random.chance(0.85) };
}
