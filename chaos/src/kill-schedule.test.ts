import { describe, expect, test } from 'vitest';
import { planKills } from './kill-schedule.ts';
import { countTotalWrites, SIZES } from './run-sizes.ts';

describe('planKills', () => {
  test('returns the same plan for the same seed and a different plan for a different seed', () => {
    expect(planKills(SIZES.short, 7)).toEqual(planKills(SIZES.short, 7));
    expect(planKills(SIZES.short, 7)).not.toEqual(planKills(SIZES.short, 8));
  });

  test.each(['short', 'long'] as const)(
    'plans the configured number of kills of each kind (%s)',
    (name) => {
      const size = SIZES[name];
      const kills = planKills(size, 1);
      for (const [victim, times] of Object.entries(size.kills)) {
        expect(times).toBeGreaterThanOrEqual(2);
        expect(kills.filter((kill) => kill.victim === victim)).toHaveLength(times);
      }
      const triggerCounts = kills.map(({ afterWrites }) => afterWrites);
      expect(triggerCounts).toEqual(triggerCounts.toSorted((a, b) => a - b));
      expect(triggerCounts.at(-1)).toBeLessThan(countTotalWrites(size));
    },
  );

  test('plans at least 300 kills and 100,000 writes for the long size', () => {
    expect(planKills(SIZES.long, 1).length).toBeGreaterThanOrEqual(300);
    expect(countTotalWrites(SIZES.long)).toBeGreaterThanOrEqual(100_000);
  });
});
