import { expect, test } from 'vitest';
import { Random } from '../../../test/model/random.ts';
import { findPlannedOverlaps, type TimedSession } from './planned-overlaps.ts';

const session = (id: number, start: number, end: number): TimedSession => ({
  id,
  startsAt: new Date(start),
  endsAt: new Date(end),
});
const toSortedIds = (found: Map<number, TimedSession[]>) =>
  [...found]
    .map(([id, others]): [number, number[]] => [id, others.map((other) => other.id)])
    .toSorted(([a], [b]) => a - b);

test('an overlap belongs to the session with the higher id, and adjacent sessions do not overlap', () => {
  const existing = [session(1, 0, 10), session(2, 5, 15)];
  const planned = [session(3, 10, 20), session(4, 15, 25), session(5, 8, 9)];
  expect(toSortedIds(findPlannedOverlaps(planned, existing))).toEqual([
    [3, [2]],
    [4, [3]],
    [5, [1, 2]],
  ]);
});

test('finds the same overlaps as a comparison of every pair of sessions', () => {
  const random = new Random(7);
  for (let round = 0; round < 200; round += 1) {
    const all = Array.from({ length: 30 }, (_, index) => {
      const start = random.between(0, 60);
      return session(index + 1, start, start + random.between(1, 8));
    });
    const [existing, planned] = [all.slice(0, 12), all.slice(12)];
    const expected = planned.flatMap((a) => {
      const others = all
        .filter((b) => b.id < a.id && b.startsAt < a.endsAt && b.endsAt > a.startsAt)
        .toSorted((b, c) => b.startsAt.getTime() - c.startsAt.getTime() || b.id - c.id);
      return others.length === 0 ? [] : [[a.id, others.map(({ id }) => id)]];
    });
    expect(toSortedIds(findPlannedOverlaps(planned, existing))).toEqual(expected);
  }
});
