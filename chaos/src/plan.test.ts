import { describe, expect, test } from 'vitest';
import { planKills, SIZES, totalWrites } from './plan.ts';

describe('the plan of kills', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(planKills(SIZES.short, 7)).toEqual(planKills(SIZES.short, 7));
    expect(planKills(SIZES.short, 7)).not.toEqual(planKills(SIZES.short, 8));
  });

  test.each(['short', 'long'] as const)(
    'of the %s form kills each kind as often as meant',
    (form) => {
      const size = SIZES[form];
      const kills = planKills(size, 1);
      for (const [victim, times] of Object.entries(size.kills)) {
        expect(times).toBeGreaterThanOrEqual(2);
        expect(kills.filter((kill) => kill.victim === victim)).toHaveLength(times);
      }
      const moments = kills.map(({ at }) => at);
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
      expect(moments.at(-1)).toBeLessThan(totalWrites(size));
    },
  );

  test('of the long form is what the goal asks for', () => {
    expect(planKills(SIZES.long, 1).length).toBeGreaterThanOrEqual(300);
    expect(totalWrites(SIZES.long)).toBeGreaterThanOrEqual(100_000);
  });
});
