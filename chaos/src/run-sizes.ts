import type { RotationSize } from './virtual-users/tutor-rotation.ts';

/** The kinds of process that are killed. */
export type Victim = 'api' | 'worker' | 'postgres';

export interface Size extends RotationSize {
  kills: Record<Victim, number>;
  workers: number;
  vendorFaults: number;
}

export const SIZES: Record<'short' | 'long', Size> = {
  short: {
    tutors: 4,
    concurrentTutors: 4,
    virtualUsers: 2,
    writes: 500,
    kills: { api: 4, worker: 4, postgres: 4 },
    workers: 1,
    vendorFaults: 10,
  },
  long: {
    tutors: 72,
    concurrentTutors: 4,
    virtualUsers: 2,
    writes: 1_450,
    kills: { api: 110, worker: 110, postgres: 80 },
    workers: 2,
    vendorFaults: 300,
  },
};

export const countTotalWrites = (size: Size): number => size.tutors * size.writes;
