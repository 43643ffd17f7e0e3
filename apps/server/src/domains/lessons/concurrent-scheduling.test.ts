import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectAsMaintenance } from '../../test/model/insert-tutor-fixture.ts';
import { isLongRun, seedFromEnvironment } from '../../test/model/random.ts';
import {
  type ClientOptions,
  type Outcome,
  runConcurrentClients,
} from '../../test/model/schedule/concurrent-clients.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/*
 * 64 browsers logged in as one tutor create, move and reopen sessions on one day, and repeat requests. The tutor's lock
 * and the exclusion constraint each prevent overlaps; the last test removes both and expects the check to find overlaps.
 */
const seed = seedFromEnvironment();
const isLong = isLongRun();
const ROUNDS = isLong ? 24 : 3;

let app: TestApp;
let adminDb: pg.Client;
let unlockedTransaction: TestApp['context']['db']['tutorTransaction'];

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  adminDb = await connectAsMaintenance(app);
  // The same transaction, but without the revision increment that takes the lock.
  unlockedTransaction = app.context.db.newTutorTransaction.bind(app.context.db);
});
afterEach(() => {
  // Removes the override, so that the class method is used again.
  Reflect.deleteProperty(app.context.db, 'tutorTransaction');
});
afterAll(async () => {
  await adminDb.end();
  await app.close();
});

const removeLock = () => {
  app.context.db.tutorTransaction = unlockedTransaction;
};

async function queryAsOwner(statement: string): Promise<void> {
  const owner = new pg.Client(app.urls.ownerUrl);
  await owner.connect();
  await owner.query(statement);
  await owner.end();
}

async function runClients(name: string, options: Partial<ClientOptions> = {}): Promise<Outcome> {
  const outcome = await runConcurrentClients(app, adminDb, {
    seed,
    rounds: ROUNDS,
    acceptRate: 0.5,
    ...options,
  });
  const statuses = Object.entries(outcome.statuses).map(
    ([status, count]) => `${count} × ${status}`,
  );
  process.stdout.write(
    `[concurrent-scheduling] SEED=${seed} ${name}: ${statuses.join(', ')}; ${outcome.retries} retries; ${outcome.unacceptedOverlaps.length} unaccepted overlaps\n`,
  );
  return outcome;
}

const serverErrors = (outcome: Outcome) =>
  Object.keys(outcome.statuses).filter((status) => Number(status) >= 500);

const timeout = isLong ? 600_000 : 120_000;

describe('64 browsers changing sessions on one day', { timeout }, () => {
  test('[V2.3.4] leave no unaccepted overlaps, cause no 5xx responses and create one lesson per idempotency key', async () => {
    const outcome = await runClients('lock and constraint');
    expect(outcome.unacceptedOverlaps).toEqual([]);
    expect(outcome.staleAcceptances).toEqual([]);
    expect(outcome.emptySessions).toEqual([]);
    expect(outcome.idempotencyErrors).toEqual([]);
    expect(serverErrors(outcome)).toEqual([]);
    expect(outcome.statuses).toMatchObject({
      200: expect.any(Number),
      201: expect.any(Number),
      409: expect.any(Number),
    });
  });

  test('without the lock, the constraint prevents overlaps', async () => {
    removeLock();
    // The constraint exempts sessions with an accepted overlap, so no request accepts one here.
    const outcome = await runClients('constraint alone', { acceptRate: 0 });
    expect(outcome.unacceptedOverlaps).toEqual([]);
    expect(outcome.statuses).toMatchObject({ 409: expect.any(Number) });
  });

  test('without the constraint, the lock prevents overlaps; without either, the check finds overlaps', async () => {
    await queryAsOwner('alter table sessions drop constraint sessions_no_overlap');
    const locked = await runClients('lock alone');
    expect(locked.unacceptedOverlaps).toEqual([]);
    expect(locked.staleAcceptances).toEqual([]);
    expect(locked.idempotencyErrors).toEqual([]);
    expect(serverErrors(locked)).toEqual([]);
    const moved = await runClients('lock alone', { rounds: 1, acceptRate: 0, movesOnly: true });
    expect(moved.unacceptedOverlaps).toEqual([]);
    removeLock();
    const found: string[] = [];
    for (let attempt = 0; attempt < 30 && found.length === 0; attempt++) {
      const outcome = await runClients('neither', {
        seed: seed + attempt,
        rounds: 1,
        acceptRate: 0,
        movesOnly: true,
      });
      found.push(...outcome.unacceptedOverlaps);
    }
    expect(found).not.toEqual([]);
  });
});
