import { expect, test } from 'vitest';
import { splitTravelFee } from './split-travel-fee.ts';

const seat = (sessionId: number, payers: [familyId: number, percent: number][]) => ({
  sessionId,
  travelFee: 1001,
  date: '2026-11-17',
  charges: [],
  payers: payers.map(([familyId, percent], position) => ({
    familyId,
    percent,
    position,
    from: '1900-01-01',
  })),
});

const shares = (
  seats: ReturnType<typeof seat>[],
  charged: { sessionId: number; familyId: number }[] = [],
) => splitTravelFee(seats, charged).map(({ familyId, amount }) => [familyId, amount]);

test('each family of a group pays the travel fee', () => {
  expect(shares([seat(1, [[7, 100]]), seat(1, [[8, 100]])])).toEqual([
    [7, 1001],
    [8, 1001],
  ]);
});

test('siblings pay once for one session, and twice for two sessions', () => {
  expect(shares([seat(1, [[7, 100]]), seat(1, [[7, 100]])])).toEqual([[7, 1001]]);
  expect(shares([seat(1, [[7, 100]]), seat(2, [[7, 100]])])).toEqual([
    [7, 1001],
    [7, 1001],
  ]);
});

test('two payers share the travel fee in the same way as the lesson fee, and a sibling with one of these payers adds nothing', () => {
  const split = seat(1, [
    [7, 60],
    [8, 40],
  ]);
  expect(shares([split, seat(1, [[8, 100]])])).toEqual([
    [7, 601],
    [8, 400],
  ]);
});

test('a payer who was charged for the session is not charged again', () => {
  expect(shares([seat(1, [[7, 100]])], [{ sessionId: 1, familyId: 7 }])).toEqual([]);
  expect(shares([seat(1, [[7, 100]])], [{ sessionId: 2, familyId: 7 }])).toEqual([[7, 1001]]);
});
