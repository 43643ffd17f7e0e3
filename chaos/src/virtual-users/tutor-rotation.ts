import type pg from 'pg';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import { checkSavedData } from '../checks/saved-data.ts';
import { withRetries } from '../crash-tolerant-db-pool.ts';
import { ALWAYS_RESPONDS } from '../results.ts';
import { Tutor } from './tutor-with-several-browsers.ts';

export interface RotationSize {
  tutors: number;
  concurrentTutors: number;
  /** Number of virtual users per tutor. */
  virtualUsers: number;
  /** Number of acknowledged writes per tutor. */
  writes: number;
}

/** Runs a fixed number of tutors at a time; each tutor that finishes is checked and replaced by a new one. */
export class TutorRotation {
  readonly #environment: ChaosEnvironment;
  readonly #size: RotationSize;
  /** All tutors that could be set up. */
  readonly tutors: Tutor[] = [];
  readonly #activeTutors = new Set<Tutor>();
  checksRun = 0;
  valuesCompared = 0;

  constructor(environment: ChaosEnvironment, size: RotationSize) {
    this.#environment = environment;
    this.#size = size;
  }

  /** `throttle` may delay each action. */
  async run(isFinished: () => boolean, throttle: () => Promise<void>): Promise<void> {
    const { tutors, concurrentTutors, virtualUsers, writes } = this.#size;
    let next = 0;
    const runNextTutors = async () => {
      while (next < tutors && !isFinished()) {
        const tutor = new Tutor(this.#environment, next++);
        if (!(await this.#setUpTutor(tutor, virtualUsers))) continue;
        this.tutors.push(tutor);
        this.#activeTutors.add(tutor);
        await tutor.runActions(writes, isFinished, throttle);
        await this.#checkTutor(tutor, true);
        this.#activeTutors.delete(tutor);
      }
    };
    await Promise.all(Array.from({ length: concurrentTutors }, runNextTutors));
  }

  /** Compares what has changed since the last check, for each active tutor. */
  async checkActiveTutors(): Promise<void> {
    for (const tutor of this.#activeTutors) await this.#checkTutor(tutor, false);
  }

  /** Compares all data of all tutors. */
  async checkAllTutors(): Promise<void> {
    for (const tutor of this.tutors) await this.#checkTutor(tutor, true);
  }

  async #setUpTutor(tutor: Tutor, virtualUsers: number): Promise<boolean> {
    try {
      await tutor.setUp(virtualUsers);
      return true;
    } catch (error) {
      this.#environment.results.reportViolation(
        ALWAYS_RESPONDS,
        `${tutor.username} could not be set up: ${String(error)}`,
      );
      return false;
    }
  }

  async #checkTutor(tutor: Tutor, includeUnchanged: boolean): Promise<void> {
    this.checksRun += 1;
    await tutor.barrier.whileQuiesced(async () => {
      const check = (client: pg.PoolClient) =>
        checkSavedData(client, this.#environment.results, tutor, includeUnchanged);
      this.valuesCompared += await withRetries(this.#environment.maintenanceDb, check);
    });
  }
}
