import type { LedgerCommand } from './ledger-commands.ts';
import { RejectedError } from './ledger-model.ts';
import {
  expectedSeats,
  getSeatCharges,
  type LedgerState,
  type ModelRate,
  type ModelSeat,
  type ModelSession,
  payersOn,
  today,
} from './ledger-state.ts';

/* The fees of seats that follow a rate or the subject's default fee, and price rises. */

/** The default fee that insertTutorFixture gives to the subjects, in GBP. */
export const DEFAULT_FEE = 3000;
/** All lessons last 50 minutes. */
const LESSON_MINUTES = 50;

type Pair = Pick<ModelRate, 'student' | 'subject'>;

const isAutomatic = ({ source }: ModelSeat): boolean => source !== 'entered';
const isFor = (pair: Pair) => (rate: Pair) =>
  rate.student === pair.student && rate.subject === pair.subject;

/** The latest rate that has started, or else the default fee of the subject. */
export function automaticPrice(
  state: LedgerState,
  pair: Pair,
  date: string,
): Pick<ModelSeat, 'fee' | 'source'> {
  const rate = rateOn(state, pair, date);
  if (!rate) return { fee: DEFAULT_FEE, source: 'subject' };
  const fee = rate.unit === 'lesson' ? rate.amount : (rate.amount * LESSON_MINUTES) / 60;
  return { fee: Math.round(fee), source: 'rate' };
}

const rateOn = ({ rates }: LedgerState, pair: Pair, date: string): ModelRate | undefined =>
  rates
    .filter(isFor(pair))
    .filter(({ from }) => from <= date)
    .toSorted((a, b) => a.from.localeCompare(b.from))
    .at(-1);

/** A completed session and a charged seat keep their fee. */
export function repriceSession(state: LedgerState, session: ModelSession): void {
  if (session.status === 'completed') return;
  const { n, subject, date } = session;
  for (const seat of session.seats.filter(isAutomatic)) {
    const { student } = seat;
    const isCharged = getSeatCharges(state, n, student).length > 0;
    if (isCharged && state.wrongRule !== 'price rises change charged seats') continue;
    Object.assign(seat, automaticPrice(state, { student, subject }, date));
  }
}

type PriceRise = Extract<LedgerCommand, { kind: 'raise prices' }>;

export interface RaisedPrice extends Pair {
  unit: ModelRate['unit'];
  old: number;
  new: number;
  lessons: number;
}

export interface PriceRisePlan {
  /** The raised prices of the students that each payer pays for. */
  families: Record<string, RaisedPrice[]>;
  prices: RaisedPrice[];
  /** How many planned seats keep their fee, by reason. */
  kept: Record<string, number>;
}

/** The new price for each student and subject without an entered fee. Charged seats and later rates do not change. */
export function planPriceRise(state: LedgerState, command: PriceRise): PriceRisePlan {
  const { from } = command;
  const isChosen = ({ student, subject }: Pair) =>
    [student, 0].includes(command.student) && [subject, 0].includes(command.subject);
  const planned = state.sessions
    .filter(({ status, date }) => status === 'scheduled' && date >= from)
    .toSorted((a, b) => `${a.date} ${a.start}`.localeCompare(`${b.date} ${b.start}`))
    .flatMap((session) =>
      expectedSeats(session).map((seat) => ({
        ...seat,
        subject: session.subject,
        date: session.date,
        isCharged: getSeatCharges(state, session.n, seat.student).length > 0,
      })),
    )
    .filter(isChosen);
  const automatic = planned.filter(isAutomatic);
  const kept: Record<string, number> = {};
  const keep = (reason: string, count: number) => {
    if (count > 0) kept[reason] = (kept[reason] ?? 0) + count;
  };
  keep('own_fee', planned.length - automatic.length);
  const prices: RaisedPrice[] = [];
  for (const pair of allPairs(state).filter(isChosen)) {
    const own = automatic.filter(isFor(pair));
    const open = own.filter(({ isCharged }) => !isCharged);
    keep('invoiced', own.length - open.length);
    const [nextRate] = state.rates
      .filter((rate) => isFor(pair)(rate) && rate.from > from)
      .map((rate) => rate.from)
      .toSorted();
    const affected = open.filter(({ date }) => nextRate === undefined || date < nextRate);
    keep('later_rate', open.length - affected.length);
    const rate = rateOn(state, pair, from);
    const old = rate?.amount ?? affected.find(({ source }) => source === 'subject')?.fee;
    if (!old) continue;
    const raised = raise(old, command);
    if (raised <= old) keep('same_price', affected.length);
    else {
      const unit = rate?.unit ?? 'lesson';
      prices.push({ ...pair, unit, old, new: raised, lessons: affected.length });
    }
  }
  return { prices, kept, families: pricesByPayer(state, prices, from) };
}

const allPairs = ({ contacts }: LedgerState): Pair[] =>
  contacts.flatMap((_, index) => [1, 2].map((subject) => ({ student: index + 1, subject })));

/** Rounds the new price, in whole pennies, half up to a multiple of the step. */
function raise(amount: number, { by, step }: PriceRise): number {
  const [raised, unit] =
    'percent' in by ? [amount * (1000 + by.percent * 10), 1000] : [amount + by.pennies, 1];
  return Math.floor((2 * raised + unit * step) / (2 * unit * step)) * step;
}

function pricesByPayer(
  state: LedgerState,
  prices: readonly RaisedPrice[],
  date: string,
): PriceRisePlan['families'] {
  const families: PriceRisePlan['families'] = {};
  for (const price of prices)
    for (const { payer } of payersOn(state, price.student, date))
      families[payer] = [...(families[payer] ?? []), price];
  return families;
}

/** Changes no charge, payment or balance, only the rates and the fees of seats without a charge. */
export function raisePrices(state: LedgerState, command: PriceRise): void {
  if (command.from < today(state)) throw new RejectedError('invalid', 'the date has passed');
  if (!command.save) return;
  const { prices } = planPriceRise(state, command);
  if (prices.length === 0) throw new RejectedError('conflict', 'no price would change');
  for (const { student, subject, unit, new: amount } of prices) {
    const pair = { student, subject };
    const others = state.rates.filter((rate) => !isFor(pair)(rate) || rate.from !== command.from);
    state.rates = [...others, { ...pair, unit, amount, from: command.from }];
  }
  const raised = new Set(prices.map(({ student }) => student));
  for (const session of state.sessions)
    if (session.seats.some(({ student }) => raised.has(student))) repriceSession(state, session);
}
