import type { Random } from '../random.ts';
import type { LedgerCommand } from './ledger-commands.ts';
import { type ModelCharge, outstandingOf, sum } from './ledger-model.ts';
import { type LedgerState, plusDays, today, usesPortal } from './ledger-state.ts';
import { accountCharges, pickOne, pickSome, randomAccount } from './random-picks.ts';
import { chargesForPlan, requestedAmountOf } from './write-offs-plans-and-questions-model.ts';

/* Random write-offs, instalment plans and questions about charges: mostly valid. */

const totalOutstanding = ({ ledger }: LedgerState, charges: readonly ModelCharge[]): number =>
  sum(charges.map((charge) => Math.max(0, outstandingOf(ledger, charge))));

/** Sometimes includes charges that are paid, in another currency or on another account, or uses an outdated amount. */
export function writeOffCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const { family, currency } = randomAccount(random, state);
  const own = accountCharges(state, family, currency);
  const open = own.filter((charge) => outstandingOf(state.ledger, charge) > 0);
  const candidates = random.chance(0.04) ? state.ledger.charges : random.chance(0.15) ? own : open;
  const charges = pickSome(random, candidates, 3);
  const amount = totalOutstanding(state, charges) + (random.chance(0.05) ? 1 : 0);
  if (charges.length === 0 || amount === 0) return null;
  return { kind: 'write off', family, currency, charges: charges.map(({ n }) => n), amount };
}

/** Sometimes includes charges that are not written off, or are on another account. */
export function reverseWriteOffCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const writtenOff = state.ledger.charges.filter(
    (charge) => charge.writtenOff > 0 || random.chance(0.01),
  );
  const first = pickOne(random, writtenOff);
  if (!first) return null;
  const others = writtenOff.filter(
    ({ n, family }) => n !== first.n && (family === first.family || random.chance(0.05)),
  );
  const charges = random.chance(0.5) ? [first, ...pickSome(random, others, 2)] : [first];
  return { kind: 'reverse write-off', family: first.family, charges: charges.map(({ n }) => n) };
}

/** Leaves credit on an account with a write-off, which reversing the write-off has to use. */
export function payMoreThanOwedCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const writtenOff = state.ledger.charges.filter((charge) => charge.writtenOff > 0);
  const charge = pickOne(random, writtenOff);
  if (!charge) return null;
  const { family, currency } = charge;
  const owed = totalOutstanding(state, accountCharges(state, family, currency));
  const amount = owed + random.between(1, charge.writtenOff);
  return { kind: 'pay', family, currency, amount, on: today(state), chosenCharges: [] };
}

export function agreePlanCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const overdue = state.ledger.charges.filter(
    (charge) => requestedAmountOf(state.ledger, charge) > 0,
  );
  const account = pickOne(random, overdue) ?? randomAccount(random, state);
  const { family, currency } = account;
  const total = totalOutstanding(state, chargesForPlan(state, account));
  if (total === 0 && random.chance(0.9)) return null;
  return {
    kind: 'agree plan',
    family,
    currency,
    amount: Math.max(1, total + (random.chance(0.05) ? 1 : 0)),
    count: random.pick([2, 2, 3, 4, 7, 24]),
    frequency: random.pick(['weekly', 'monthly'] as const),
    firstOn: firstInstalment(random, state),
  };
}

/** Often at the end of a month, so that later instalments are on the last day of shorter months. */
function firstInstalment(random: Random, state: LedgerState): string {
  if (random.chance(0.2)) return random.pick(['2026-11-30', '2026-12-31', '2027-01-31']);
  const days = random.chance(0.03) ? -1 : random.pick([0, 0, 1, 5, 14, 30]);
  return plusDays(today(state), days);
}

export function endPlanCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const plan = pickOne(random, state.ledger.plans);
  return plan && { kind: 'end plan', family: plan.family, currency: plan.currency };
}

/** Mostly about a charge that the payer is asked to pay. Only payers who use the portal can ask. */
export function askCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const charges = state.ledger.charges.filter(
    (charge) =>
      SIGNED_IN.has(charge.family) &&
      usesPortal(state, charge.family) &&
      (requestedAmountOf(state.ledger, charge) > 0 || random.chance(0.05)),
  );
  const charge = pickOne(random, charges);
  return charge && { kind: 'ask', charge: charge.n };
}

/** Payers who have an email address. */
export const SIGNED_IN: ReadonlySet<string> = new Set(['carer 1', 'carer 2', 'student 4']);

export function withdrawCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const { queries, charges } = state.ledger;
  const own = queries.filter(({ charge: n }) => {
    const charge = charges[n - 1];
    return charge !== undefined && usesPortal(state, charge.family);
  });
  const query = pickOne(random, own);
  return query && { kind: 'withdraw', query: query.n };
}

/** Mostly answers an open question. */
export function answerCommand(random: Random, state: LedgerState): LedgerCommand | null {
  const { queries } = state.ledger;
  const candidates = queries.filter(({ status }) => status === 'open' || random.chance(0.1));
  const query = pickOne(random, candidates);
  return query && { kind: 'answer', query: query.n, isOwed: random.chance(0.4) };
}
