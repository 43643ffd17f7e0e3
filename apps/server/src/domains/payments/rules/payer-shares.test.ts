import { describe, expect, test } from 'vitest';
import { missingShares, payersOn, sharesForSession, splitAmount } from './payer-shares.ts';

const row = (familyId: number, percent: number, from: string, position = 0) => ({
  familyId,
  percent,
  from,
  position,
});
const START = '1900-01-01';

describe('payersOn', () => {
  const rows = [
    row(2, 40, '2026-12-01', 1),
    row(1, 60, '2026-12-01', 0),
    row(1, 100, START),
    row(3, 100, '2027-01-01'),
  ];
  test.each([
    ['2026-11-30', [1]],
    ['2026-12-01', [1, 2]],
    ['2026-12-31', [1, 2]],
    ['2027-01-01', [3]],
    ['1899-12-31', []],
  ])('on %s, returns the payers with the latest start date, in order', (date, expected) => {
    expect(payersOn(rows, date).map(({ familyId }) => familyId)).toEqual(expected);
  });
});

const toPayers = (weights: readonly number[]) =>
  weights.map((weight, index) => ({ familyId: index + 1, weight }));

describe('splitAmount', () => {
  test.each([
    [3500, [60, 40], [2100, 1400]],
    [3333, [60, 40], [2000, 1333]],
    [1, [60, 40], [1]],
    [99, [34, 33, 33], [35, 32, 32]],
    [1, [1, 99], [1]],
    [100, [100], [100]],
  ])('splits %d in the proportions %j into %j', (amount, percents, expected) => {
    expect(splitAmount(amount, toPayers(percents)).map((share) => share.amount)).toEqual(expected);
  });

  test('returns whole pennies that add up to the amount, without shares of 0', () => {
    for (const percents of [
      [50, 50],
      [60, 40],
      [1, 99],
      [99, 1],
      [34, 33, 33],
      [25, 25, 25, 25],
      [97, 1, 1, 1],
    ])
      for (let amount = 1; amount <= 2_000; amount += 1) {
        const shares = splitAmount(amount, toPayers(percents)).map((share) => share.amount);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
        expect(shares.every((share) => Number.isInteger(share) && share > 0)).toBe(true);
      }
  });
});

describe('the shares of a session', () => {
  const rows = [row(1, 60, START), row(2, 40, START, 1), row(3, 100, '2027-01-01')];
  const charge = (familyId: number, amount: number) => ({
    familyId,
    amount,
    payersDate: '2026-12-20',
  });

  test('are missing for payers who were not charged in advance, even after the session was moved', () => {
    const session = { fee: 1000, date: '2027-01-10', charges: [charge(1, 600)] };
    expect(missingShares(1000, session, rows)).toEqual([{ familyId: 2, amount: 400 }]);
  });

  test('are not missing if everything has been charged, even if the payers have changed since', () => {
    const session = { fee: 1000, date: '2026-12-20', charges: [charge(7, 1000)] };
    expect(missingShares(1000, session, rows)).toEqual([]);
    expect(sharesForSession(500, session, rows)).toEqual([{ familyId: 7, amount: 500 }]);
  });
});
