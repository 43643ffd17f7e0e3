import type { Currency } from '@lessonbook/contract/money';
import {
  type Act,
  chargeOfSession,
  type LedgerBook,
  type LineAct,
  plusDays,
  today,
} from './ledger-book.ts';
import { isGone, type MCharge, openOf, sum } from './ledger-model.ts';
import type { Random } from './random.ts';

/* The next act of a random history: mostly what a tutor would do, now and then what must be refused. */

/** Rather the family with two children: an account on which much happens shows more. */
const PAYERS = ['carer 1', 'carer 1', 'carer 1', 'carer 2', 'student 4'];
export const MONEY: Currency[] = ['GBP', 'GBP', 'GBP', 'EUR'];

type Maker = (random: Random, book: LedgerBook) => Act | null;

/** How often each kind of act is tried. */
const ACTS: [Maker, number][] = [
  [complete, 20],
  [cancel, 10],
  [reopen, 9],
  [move, 5],
  [pay, 22],
  [refund, 9],
  [takeBack, 6],
  [opening, 5],
  [takeBackOpening, 2],
  [invoice, 13],
  [voidInvoice, 4],
  [credit, 8],
  [changePayer, 4],
  [wait, 4],
];
const LOTS = ACTS.flatMap(([make, often]) => Array.from({ length: often }, () => make));

export function nextAct(random: Random, book: LedgerBook): Act {
  for (;;) {
    const act = random.pick(LOTS)(random, book);
    if (act) return act;
  }
}

const some = <T>(random: Random, from: readonly T[], most: number): T[] => {
  const left = [...from];
  const chosen: T[] = [];
  for (let count = random.between(1, most); count > 0 && left.length > 0; count--) {
    chosen.push(...left.splice(random.between(0, left.length - 1), 1));
  }
  return chosen;
};

const one = <T>(random: Random, from: readonly T[]): T | null =>
  from.length === 0 ? null : random.pick(from);

/** Mostly one on which the act makes sense. */
const aSession = (random: Random, book: LedgerBook, fits: (status: string) => boolean) => {
  const any = random.chance(0.08);
  return one(
    random,
    book.sessions.filter((session) => any || fits(session.status)),
  );
};

/** One that was invoiced ahead is worth more of our attention. */
function aScheduled(random: Random, book: LedgerBook) {
  const ahead = book.sessions.filter(
    ({ n, status }) => status === 'scheduled' && chargeOfSession(book, n),
  );
  if (ahead.length > 0 && random.chance(0.5)) return random.pick(ahead);
  return aSession(random, book, (status) => status === 'scheduled');
}

function complete(random: Random, book: LedgerBook): Act | null {
  const first = aScheduled(random, book);
  if (!first) return null;
  const others = book.sessions.filter(
    ({ n, status }) => status === 'scheduled' && n !== first.n && first.status === 'scheduled',
  );
  if (random.chance(0.2)) return { kind: 'complete', sessions: [first.n], charge: false };
  const more = random.chance(0.3) ? some(random, others, 4) : [];
  const sessions = [first, ...more].map(({ n }) => n).toSorted((a, b) => a - b);
  return { kind: 'complete', sessions, charge: true };
}

const WAYS = ['call', 'time off', 'delete'] as const;

function cancel(random: Random, book: LedgerBook): Act | null {
  const session = aScheduled(random, book);
  if (!session) return null;
  const by = random.pick(['tutor', 'student', 'carer', 'carer', 'carer'] as const);
  // The first twenty belong to series.
  const inSeries = session.n <= 20 && session.status === 'scheduled' && session.date > today(book);
  const via = by === 'tutor' && inSeries ? random.pick(WAYS) : 'call';
  return { kind: 'cancel', session: session.n, by, fee: random.chance(0.75), via };
}

function reopen(random: Random, book: LedgerBook): Act | null {
  const session = aSession(random, book, (status) => ['completed', 'cancelled'].includes(status));
  return session && { kind: 'reopen', session: session.n };
}

function move(random: Random, book: LedgerBook): Act | null {
  const session = aScheduled(random, book);
  if (!session) return null;
  // On a day that no series uses, so that a move is always one.
  return {
    kind: 'move',
    session: session.n,
    date: plusDays(today(book), 60 + book.sessions.length),
  };
}

const ofAccount = (book: LedgerBook, family: string, currency: Currency): MCharge[] =>
  book.ledger.charges.filter((charge) => charge.family === family && charge.currency === currency);

/** Somebody who has an account, rather one who owes something. */
function anAccount(random: Random, book: LedgerBook): { family: string; currency: Currency } {
  const owing = book.ledger.charges.filter((charge) => openOf(book.ledger, charge) > 0);
  if (owing.length > 0 && random.chance(0.8)) return random.pick(owing);
  return { family: random.pick(PAYERS), currency: random.pick(MONEY) };
}

function pay(random: Random, book: LedgerBook): Act {
  const { family, currency } = anAccount(random, book);
  const charges = ofAccount(book, family, currency);
  const open = charges.filter((charge) => openOf(book.ledger, charge) > 0);
  const whole = sum(open.map((charge) => openOf(book.ledger, charge)));
  // Rarely also one that is paid, gone, somebody else's or in another currency.
  const choice = random.chance(0.05) ? book.ledger.charges : random.chance(0.1) ? charges : open;
  const named = random.chance(0.4) ? some(random, choice, 3) : [];
  const wanted = sum(named.map((charge) => Math.max(0, openOf(book.ledger, charge))));
  const amounts = [
    whole,
    whole,
    wanted,
    wanted + random.between(1, 900),
    random.between(1, Math.max(1, whole)),
    whole + random.between(1, 4000),
  ];
  const amount = random.pick(amounts) || random.between(500, 9000);
  const on = plusDays(today(book), -random.pick([0, 0, 1, 3, 20, 45]));
  return { kind: 'pay', family, currency, amount, on, named: named.map((charge) => charge.n) };
}

function refund(random: Random, book: LedgerBook): Act | null {
  const live = book.ledger.payments.filter(({ kind, reversed }) => kind === 'payment' && !reversed);
  const payment = one(random, random.chance(0.9) ? live : book.ledger.payments);
  if (!payment) return null;
  const left = Math.max(1, payment.amount - payment.refunded);
  const amount = random.pick([left, random.between(1, left), random.between(1, left), left + 1]);
  return { kind: 'refund', payment: payment.n, amount };
}

function takeBack(random: Random, book: LedgerBook): Act | null {
  const payment = one(random, book.ledger.payments);
  return payment && { kind: 'take back', payment: payment.n };
}

function opening(random: Random, book: LedgerBook): Act {
  const size = random.between(500, 12_000);
  return {
    kind: 'opening',
    family: random.pick(PAYERS),
    currency: random.pick(MONEY),
    amount: random.chance(0.6) ? size : -size,
    on: plusDays(today(book), -random.between(0, 90)),
  };
}

function takeBackOpening(random: Random, book: LedgerBook): Act | null {
  const likely = book.ledger.charges.filter((charge) => charge.kind === 'opening');
  const charge = one(random, random.chance(0.9) ? likely : book.ledger.charges);
  return charge && { kind: 'take back opening', charge: charge.n };
}

function invoice(random: Random, book: LedgerBook): Act | null {
  const { family, currency } = anAccount(random, book);
  const free = ofAccount(book, family, currency).filter(
    (charge) => charge.kind !== 'opening' && charge.invoice === null && !isGone(charge),
  );
  const coming = book.sessions
    .filter(
      (session) =>
        session.status === 'scheduled' &&
        session.fee !== null &&
        session.currency === currency &&
        session.date > today(book) &&
        book.payers[session.student - 1] === family &&
        !chargeOfSession(book, session.n),
    )
    .map(({ n }): LineAct => ({ session: n }));
  // A draft begins with what is open or to come; one that is paid may be put beside it.
  const open = free.filter((charge) => openOf(book.ledger, charge) > 0);
  if (open.length + coming.length === 0) return null;
  const charges = free.map(({ n }): LineAct => ({ charge: n }));
  const lines = some(random, [...charges, ...coming], 5);
  if (random.chance(0.3)) {
    lines.splice(random.between(0, lines.length), 0, {
      item: `Book ${book.invoices.length + 1}`,
      amount: random.between(100, 3000),
    });
  }
  return { kind: 'invoice', family, currency, lines };
}

function voidInvoice(random: Random, book: LedgerBook): Act | null {
  const document = one(random, book.invoices);
  return document && { kind: 'void', invoice: document.n };
}

function credit(random: Random, book: LedgerBook): Act | null {
  const document = one(random, book.invoices);
  if (!document) return null;
  const lines = some(random, document.lines, 3).map(({ charge: n }) => {
    const charge = book.ledger.charges[n - 1] as MCharge;
    const left = Math.max(1, charge.amount - charge.noted);
    const amount = random.pick([left, left, random.between(1, left), random.between(1, left)]);
    return { charge: n, amount: random.chance(0.06) ? left + 1 : amount };
  });
  return { kind: 'credit', invoice: document.n, lines };
}

function changePayer(random: Random, book: LedgerBook): Act | null {
  const student = random.between(1, book.payers.length);
  const payer = random.pick(['carer 1', 'carer 2', `student ${student}`]);
  return book.payers[student - 1] === payer ? null : { kind: 'payer', student, payer };
}

function wait(random: Random): Act {
  return { kind: 'wait', hours: random.pick([5, 24, 24, 7 * 24, 20 * 24]) };
}
