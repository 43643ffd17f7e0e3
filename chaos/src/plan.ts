import { Random } from '@lessonbook/server/src/test/model/random.ts';

export type Victim = 'api' | 'worker' | 'postgres';

export interface Kill {
  victim: Victim;
  /** Comes when so many writes have been acknowledged, and then so much later. */
  at: number;
  delayMs: number;
  /** Which of several processes of that kind. */
  index: number;
  /** How a server of PostgreSQL dies: its main process alone, or all of it at once without a checkpoint. */
  signal: 'SIGKILL' | 'SIGQUIT';
}

export interface Size {
  /** Tutors in all, and how many of them work at the same time. */
  tutors: number;
  concurrentTutors: number;
  /** Browsers of each tutor. */
  browsers: number;
  /** Acknowledged writes of each tutor. */
  writes: number;
  kills: Record<Victim, number>;
  workers: number;
  /** How often vendors begin to fail. */
  vendorFaults: number;
}

export const SIZES: Record<'short' | 'long', Size> = {
  short: {
    tutors: 4,
    concurrentTutors: 4,
    browsers: 2,
    writes: 700,
    kills: { api: 4, worker: 4, postgres: 4 },
    workers: 1,
    vendorFaults: 10,
  },
  long: {
    tutors: 72,
    concurrentTutors: 4,
    browsers: 2,
    writes: 1_450,
    kills: { api: 110, worker: 110, postgres: 80 },
    workers: 2,
    vendorFaults: 300,
  },
};

export const totalWrites = (size: Size): number => size.tutors * size.writes;

/** Spread over the run, in any order; none at the very beginning, when there is nothing to lose, nor at the very end. */
export function planKills(size: Size, seed: number): Kill[] {
  const random = new Random(seed ^ 0x6b696c6c);
  const victims = Object.entries(size.kills).flatMap(([victim, times]) =>
    Array.from({ length: times }, () => victim as Victim),
  );
  const order = shuffled(victims, random);
  const total = totalWrites(size);
  return order.map((victim, index) => ({
    victim,
    at: Math.round(total * (0.04 + (0.92 * (index + random.next() * 0.8)) / order.length)),
    delayMs: random.between(0, 40),
    index: random.between(0, 5),
    signal: random.chance(0.5) ? 'SIGKILL' : 'SIGQUIT',
  }));
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const rest = [...list];
  return Array.from(list, () => rest.splice(random.between(0, rest.length - 1), 1)[0] as T);
}
