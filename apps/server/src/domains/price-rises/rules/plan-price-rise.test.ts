import type { PriceRiseInput } from '@lessonbook/contract/price-rises';
import { describe, expect, test } from 'vitest';
import { planPriceRise, raisePrice } from './plan-price-rise.ts';

describe('raisePrice', () => {
  test.each([
    [3500, 'percent', 5, 'none', 3675],
    [3333, 'percent', 7.5, 'none', 3583],
    [3333, 'percent', 7.5, 'half', 3600],
    [3500, 'percent', 5, 'whole', 3700],
    [3500, 'amount', 2.25, 'none', 3725],
    [3500, 'amount', 2.2, 'half', 3700],
    [3000, 'percent', 1, 'whole', 3000],
  ] as const)('%d by %s %d rounded to %s is %d', (amount, kind, value, rounding, expected) => {
    expect(raisePrice(amount, { kind, value, rounding })).toBe(expected);
  });
});

const input: PriceRiseInput = {
  subjectIds: [],
  studentIds: [],
  kind: 'percent',
  value: 10,
  rounding: 'none',
  from: '2027-01-04',
};
const pair = { studentId: 1, studentName: 'Maya', subjectId: 7, subjectName: 'Maths' };
const seat = (change: object = {}) => ({
  ...pair,
  sessionId: 1,
  date: '2027-01-05',
  fee: 3500,
  currency: 'GBP',
  feeSource: 'subject' as const,
  isCharged: false,
  ...change,
});
const rate = (change: object = {}) => ({
  ...pair,
  amount: 4000,
  currency: 'GBP',
  unit: 'hour',
  validFrom: '2026-09-01',
  ...change,
});

describe('planPriceRise', () => {
  test("raises the rate that is valid on the date or, if there is none, the fee taken from the subject's default", () => {
    expect(planPriceRise([seat()], [], input).prices).toMatchObject([
      { oldAmount: 3500, newAmount: 3850, unit: 'lesson', lessons: 1 },
    ]);
    expect(planPriceRise([seat({ feeSource: 'rate' })], [rate()], input).prices).toMatchObject([
      { oldAmount: 4000, newAmount: 4400, unit: 'hour', lessons: 1 },
    ]);
    expect(planPriceRise([], [rate()], input).prices).toMatchObject([
      { newAmount: 4400, lessons: 0 },
    ]);
  });

  test('manually entered fees, invoiced lessons and lessons with a later rate are kept', () => {
    const later = { ...rate({ validFrom: '2027-02-01', amount: 5000 }) };
    const plan = planPriceRise(
      [
        seat(),
        seat({ sessionId: 2, feeSource: 'lesson' }),
        seat({ sessionId: 3, feeSource: 'student' }),
        seat({ sessionId: 4, isCharged: true }),
        seat({ sessionId: 5, date: '2027-02-01', feeSource: 'rate' }),
      ],
      [later],
      input,
    );
    expect(plan.seats).toEqual([{ sessionId: 1, studentId: 1 }]);
    expect(plan.kept).toEqual([
      { reason: 'own_fee', lessons: 2 },
      { reason: 'invoiced', lessons: 1 },
      { reason: 'later_rate', lessons: 1 },
    ]);
  });

  test('a price that is the same after rounding is not changed', () => {
    const plan = planPriceRise([seat()], [], { ...input, value: 1, rounding: 'whole' });
    expect(plan).toEqual({
      prices: [],
      kept: [{ reason: 'same_price', lessons: 1 }],
      seats: [],
    });
  });

  test('only the chosen students and subjects change', () => {
    const seats = [
      seat(),
      seat({ sessionId: 2, studentId: 2 }),
      seat({ sessionId: 3, subjectId: 8 }),
    ];
    const idsFor = (overrides: Partial<PriceRiseInput>) =>
      planPriceRise(seats, [], { ...input, ...overrides }).seats.map(({ sessionId }) => sessionId);
    expect(idsFor({})).toEqual([1, 2, 3]);
    expect(idsFor({ studentIds: [2] })).toEqual([2]);
    expect(idsFor({ subjectIds: [7] })).toEqual([1, 2]);
    expect(idsFor({ studentIds: [1], subjectIds: [8] })).toEqual([3]);
  });
});
