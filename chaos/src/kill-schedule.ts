import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { countTotalWrites, type Size, type Victim } from './run-sizes.ts';

export interface Kill {
  victim: Victim;
  /** Number of acknowledged writes that triggers the kill. */
  afterWrites: number;
  /** Delay after the trigger. */
  delayMs: number;
  /** Selects one of several processes of that kind. */
  index: number;
  /** For PostgreSQL: SIGKILL kills the main process only, SIGQUIT stops all processes without a checkpoint. */
  signal: 'SIGKILL' | 'SIGQUIT';
}

/** Spreads the kills over the run in random order; none at the very start, when there is no data yet, or at the very end. */
export function planKills(size: Size, seed: number): Kill[] {
  const random = new Random(seed ^ 0x6b696c6c);
  const victims = Object.entries(size.kills).flatMap(([victim, times]) =>
    Array.from({ length: times }, () => victim as Victim),
  );
  const order = shuffled(victims, random);
  const total = countTotalWrites(size);
  return order.map(
    (victim, index): Kill => ({
      victim,
      afterWrites: Math.round(
        total * (0.04 + (0.92 * (index + random.next() * 0.8)) / order.length),
      ),
      delayMs: random.between(0, 40),
      index: random.between(0, 5),
      signal: random.chance(0.5) ? 'SIGKILL' : 'SIGQUIT',
    }),
  );
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const rest = [...list];
  return Array.from(list, () => rest.splice(random.between(0, rest.length - 1), 1)[0] as T);
}
