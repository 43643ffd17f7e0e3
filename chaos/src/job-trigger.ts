import { setTimeout as pause } from 'node:timers/promises';
import { skipCalendarDelays } from '@lessonbook/server/src/test/compare-calendar-with-google.ts';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';

const TICK_MS = 4_000;
/** Cron jobs that run too rarely for a chaos run to wait for their schedule. */
const RECURRING_JOBS = ['send-reminders', 'enqueue-calendar-syncs'];

/** Triggers recurring jobs early and cuts retry delays short. */
export class JobTrigger {
  readonly #boss: PgBoss;
  readonly #maintenanceDb: pg.Pool;
  readonly #superuserDb: pg.Pool;

  constructor(ownerUrl: string, maintenanceDb: pg.Pool, superuserDb: pg.Pool) {
    this.#maintenanceDb = maintenanceDb;
    this.#superuserDb = superuserDb;
    this.#boss = new PgBoss({
      connectionString: ownerUrl,
      schema: 'jobs',
      max: 1,
      migrate: false,
      supervise: false,
      schedule: false,
    });
    this.#boss.on('error', () => undefined);
  }

  start = (): Promise<unknown> => this.#boss.start();
  stop = (): Promise<void> => this.#boss.stop({ graceful: false });

  async tickUntil(isFinished: () => boolean): Promise<void> {
    while (!isFinished()) {
      await this.#enqueue(RECURRING_JOBS);
      await pause(TICK_MS);
    }
  }

  /** Ends all retry delays and enqueues every recurring job. */
  async runEverythingNow(): Promise<void> {
    await skipCalendarDelays(this.#maintenanceDb);
    await this.#superuserDb.query(
      `update jobs.job set start_after = now() where state in ('created', 'retry') and start_after > now()`,
    );
    await this.#superuserDb.query(
      `update tenant_schedule set next_due_at = now() where kind = 'cards'`,
    );
    await this.#enqueue([...RECURRING_JOBS, 'reconcile-cards']);
  }

  /** Ignores errors: the database may be down, and the next tick tries again. */
  async #enqueue(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#boss.send(name, {}).catch(() => null);
  }
}
