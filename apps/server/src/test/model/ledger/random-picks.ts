import type { Currency } from '@lessonbook/contract/money';
import type { Random } from '../random.ts';
import { type ModelCharge, outstandingOf } from './ledger-model.ts';
import type { LedgerState } from './ledger-state.ts';

/* Random choices that several command generators make. */

/** The family with two children is chosen more often, because an account with many entries reveals more bugs. */
export const PAYERS = ['carer 1', 'carer 1', 'carer 1', 'carer 2', 'student 4'];
export const CURRENCIES: Currency[] = ['GBP', 'GBP', 'GBP', 'EUR'];

export const pickSome = <T>(random: Random, from: readonly T[], max: number): T[] => {
  const remaining = [...from];
  const chosen: T[] = [];
  for (let count = random.between(1, max); count > 0 && remaining.length > 0; count--) {
    chosen.push(...remaining.splice(random.between(0, remaining.length - 1), 1));
  }
  return chosen;
};

export const pickOne = <T>(random: Random, from: readonly T[]): T | null =>
  from.length === 0 ? null : random.pick(from);

export const accountCharges = (
  state: LedgerState,
  family: string,
  currency: Currency,
): ModelCharge[] =>
  state.ledger.charges.filter((charge) => charge.family === family && charge.currency === currency);

/** Usually picks an account that owes something. */
export function randomAccount(
  random: Random,
  state: LedgerState,
): { family: string; currency: Currency } {
  const unpaid = state.ledger.charges.filter((charge) => outstandingOf(state.ledger, charge) > 0);
  if (unpaid.length > 0 && random.chance(0.8)) return random.pick(unpaid);
  return { family: random.pick(PAYERS), currency: random.pick(CURRENCIES) };
}
