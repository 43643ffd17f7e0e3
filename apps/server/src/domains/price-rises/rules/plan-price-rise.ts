import type { FeeSource } from '@lessonbook/contract/fee-source';
import type { Currency } from '@lessonbook/contract/money';
import { toMinor } from '@lessonbook/contract/money';
import type {
  KeptReason,
  PriceRiseInput,
  RaisedPrice,
  Rounding,
} from '@lessonbook/contract/price-rises';
import { findRateOn, type RateUnit } from '@lessonbook/contract/rates';

interface Pair {
  studentId: number;
  studentName: string;
  subjectId: number;
  subjectName: string;
}

interface PlannedSeat extends Pair {
  sessionId: number;
  date: string;
  fee: number | null;
  currency: string;
  feeSource: FeeSource;
  isCharged: boolean;
}

interface CurrentRate extends Pair {
  amount: number;
  currency: string;
  unit: string;
  validFrom: string;
}

export interface PriceRisePlan {
  prices: RaisedPrice[];
  kept: { reason: KeptReason; lessons: number }[];
  /** The seats that change, used to detect that a preview is outdated. */
  seats: { sessionId: number; studentId: number }[];
}

const ROUNDING_STEPS: Record<Rounding, number> = { none: 1, half: 50, whole: 100 };

/** The new price in minor units, rounded to the nearest step. */
export function raisePrice(
  amount: number,
  { kind, value, rounding }: Pick<PriceRiseInput, 'kind' | 'value' | 'rounding'>,
): number {
  // Percentages have at most two decimals, so the product is a whole number.
  const raised =
    kind === 'percent'
      ? (amount * (10_000 + Math.round(value * 100))) / 10_000
      : amount + toMinor(value);
  const step = ROUNDING_STEPS[rounding];
  return Math.round(raised / step) * step;
}

const pairKey = ({ studentId, subjectId }: Pair): string => `${studentId} ${subjectId}`;
const isEntered = ({ feeSource }: PlannedSeat): boolean =>
  feeSource !== 'rate' && feeSource !== 'subject';

/**
 * The new price for each student and subject whose price was not entered for a lesson. The old price is the student's rate on
 * the first date, or else the fee of the next lesson. A rate that starts later is not affected.
 */
export function planPriceRise(
  allSeats: readonly PlannedSeat[],
  allRates: readonly CurrentRate[],
  input: PriceRiseInput,
): PriceRisePlan {
  const studentIds = new Set(input.studentIds);
  const subjectIds = new Set(input.subjectIds);
  const isChosen = ({ studentId, subjectId }: Pair) =>
    (studentIds.size === 0 || studentIds.has(studentId)) &&
    (subjectIds.size === 0 || subjectIds.has(subjectId));
  const rates = allRates.filter(isChosen);
  const chosenSeats = allSeats.filter(isChosen);
  const seats = chosenSeats.filter((seat) => !isEntered(seat));
  const seatsByPair = Map.groupBy(seats, pairKey);
  const ratesByPair = Map.groupBy(rates, pairKey);
  const pairs = new Map<string, Pair>([...rates, ...seats].map((each) => [pairKey(each), each]));
  const plan: PriceRisePlan = { prices: [], kept: [], seats: [] };
  const keptCounts = new Map<KeptReason, number>();
  const keep = (reason: KeptReason, lessons: number) => {
    if (lessons > 0) keptCounts.set(reason, (keptCounts.get(reason) ?? 0) + lessons);
  };
  keep('own_fee', chosenSeats.length - seats.length);
  for (const [key, pair] of pairs) {
    const own = seatsByPair.get(key) ?? [];
    const open = own.filter(({ isCharged }) => !isCharged);
    keep('invoiced', own.length - open.length);
    const ownRates = ratesByPair.get(key) ?? [];
    const nextRate = ownRates
      .filter(({ validFrom }) => validFrom > input.from)
      .map(({ validFrom }) => validFrom)
      .toSorted()[0];
    const affected = open.filter(({ date }) => nextRate === undefined || date < nextRate);
    keep('later_rate', open.length - affected.length);
    const old = oldPrice(ownRates, affected, pair, input.from);
    if (!old) continue;
    const newAmount = raisePrice(old.amount, input);
    if (newAmount <= old.amount) {
      keep('same_price', affected.length);
      continue;
    }
    const { studentId, studentName, subjectId, subjectName } = pair;
    const { amount: oldAmount, unit, currency } = old;
    plan.prices.push({
      studentId,
      studentName,
      subjectId,
      subjectName,
      unit: unit as RateUnit,
      currency: currency as Currency,
      oldAmount,
      newAmount,
      lessons: affected.length,
    });
    plan.seats.push(...affected.map(({ sessionId }) => ({ sessionId, studentId })));
  }
  plan.kept = [...keptCounts].map(([reason, lessons]) => ({ reason, lessons }));
  return plan;
}

function oldPrice(
  rates: readonly CurrentRate[],
  affected: readonly PlannedSeat[],
  { studentId, subjectId }: Pair,
  date: string,
): { amount: number; unit: string; currency: string } | null {
  const rate = findRateOn(rates, { studentId, subjectId, date });
  if (rate) return rate;
  const next = affected.find(({ feeSource }) => feeSource === 'subject');
  if (!next?.fee) return null;
  return { amount: next.fee, unit: 'lesson', currency: next.currency };
}
