import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectAsMaintenance } from '../../test/model/fast-fixture.ts';
import { isLong, seedFromEnvironment } from '../../test/model/random.ts';
import {
  type ClientOptions,
  type Outcome,
  runConcurrentClients,
} from '../../test/model/schedule/concurrent-clients.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/*
 * Trust, goal 2: 64 browsers of one tutor create, move, reopen and repeat on one day. Two things keep the book right, the
 * tutor's lock and the exclusion constraint; the sabotage below shows that the look afterwards would see it if both failed.
 */
const seed = seedFromEnvironment();
const long = isLong();
const ROUNDS = long ? 24 : 3;

let app: TestApp;
let adminDb: pg.Client;
let unlocked: TestApp['context']['db']['tutorTransaction'];

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  adminDb = await connectAsMaintenance(app);
  // The same transaction without raising the revision, which is how the lock is taken.
  unlocked = app.context.db.newTutorTransaction.bind(app.context.db);
});
afterEach(() => {
  // Takes the planted method away again: the class has its own.
  Reflect.deleteProperty(app.context.db, 'withTutor');
});
afterAll(async () => {
  await adminDb.end();
  await app.close();
});

const removeLock = () => {
  app.context.db.tutorTransaction = unlocked;
};

async function asOwner(statement: string): Promise<void> {
  const owner = new pg.Client(app.urls.ownerUrl);
  await owner.connect();
  await owner.query(statement);
  await owner.end();
}

async function runClients(name: string, options: Partial<ClientOptions> = {}): Promise<Outcome> {
  const outcome = await runConcurrentClients(app, adminDb, {
    seed,
    rounds: ROUNDS,
    accepting: 0.5,
    ...options,
  });
  const statuses = Object.entries(outcome.statuses).map(
    ([status, count]) => `${count} × ${status}`,
  );
  process.stdout.write(
    `[race] SEED=${seed} ${name}: ${statuses.join(', ')}; ${outcome.retries} asked to come again; ${outcome.unaccepted.length} overlaps that nobody accepted\n`,
  );
  return outcome;
}

const serverErrors = (outcome: Outcome) =>
  Object.keys(outcome.statuses).filter((status) => Number(status) >= 500);

const timeout = long ? 600_000 : 120_000;

describe('64 browsers on one day', { timeout }, () => {
  test('[V2.3.4] no overlap that was not accepted, no fault, one lesson for each key', async () => {
    const outcome = await runClients('lock and constraint');
    expect(outcome.unaccepted).toEqual([]);
    expect(outcome.stale).toEqual([]);
    expect(outcome.repeats).toEqual([]);
    expect(serverErrors(outcome)).toEqual([]);
    expect(outcome.statuses).toMatchObject({
      200: expect.any(Number),
      201: expect.any(Number),
      409: expect.any(Number),
    });
  });

  test('without the lock the constraint still holds', async () => {
    removeLock();
    // It looks away from sessions that have an accepted overlap, so nobody accepts one here.
    const outcome = await runClients('constraint alone', { accepting: 0 });
    expect(outcome.unaccepted).toEqual([]);
    expect(outcome.statuses).toMatchObject({ 409: expect.any(Number) });
  });

  test('without the constraint the lock still holds; without both the look afterwards sees it', async () => {
    await asOwner('alter table sessions drop constraint sessions_no_overlap');
    const locked = await runClients('lock alone');
    expect(locked.unaccepted).toEqual([]);
    expect(locked.stale).toEqual([]);
    expect(locked.repeats).toEqual([]);
    expect(serverErrors(locked)).toEqual([]);
    const moved = await runClients('lock alone', { rounds: 1, accepting: 0, movesOnly: true });
    expect(moved.unaccepted).toEqual([]);
    removeLock();
    const found: string[] = [];
    for (let attempt = 0; attempt < 30 && found.length === 0; attempt++) {
      const outcome = await runClients('neither', {
        seed: seed + attempt,
        rounds: 1,
        accepting: 0,
        movesOnly: true,
      });
      found.push(...outcome.unaccepted);
    }
    expect(found).not.toEqual([]);
  });
});
