import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../test/house.ts';
import { type Crowd, letLoose, type Outcome } from '../../test/model/crowd.ts';
import { lookInside } from '../../test/model/quick-book.ts';
import { isLong, seedFromEnvironment } from '../../test/model/random.ts';

/*
 * Trust, goal 2: 64 browsers of one tutor create, move, reopen and repeat on one day. Two things keep the book right, the
 * tutor's lock and the exclusion constraint; the sabotage below shows that the look afterwards would see it if both failed.
 */
const seed = seedFromEnvironment();
const long = isLong();
const ROUNDS = long ? 24 : 3;

let house: House;
let inside: pg.Client;
let unlocked: House['context']['db']['withTutor'];

beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
  inside = await lookInside(house);
  // The same transaction without raising the revision, which is how the lock is taken.
  unlocked = house.context.db.withNewTutor.bind(house.context.db);
});
afterEach(() => {
  // Takes the planted method away again: the class has its own.
  Reflect.deleteProperty(house.context.db, 'withTutor');
});
afterAll(async () => {
  await inside.end();
  await house.close();
});

const removeLock = () => {
  house.context.db.withTutor = unlocked;
};

async function asOwner(statement: string): Promise<void> {
  const owner = new pg.Client(house.urls.ownerUrl);
  await owner.connect();
  await owner.query(statement);
  await owner.end();
}

async function race(name: string, crowd: Partial<Crowd> = {}): Promise<Outcome> {
  const outcome = await letLoose(house, inside, { seed, rounds: ROUNDS, accepting: 0.5, ...crowd });
  const statuses = Object.entries(outcome.statuses).map(
    ([status, count]) => `${count} × ${status}`,
  );
  process.stdout.write(
    `[race] SEED=${seed} ${name}: ${statuses.join(', ')}; ${outcome.waits} asked to come again; ${outcome.unaccepted.length} overlaps that nobody accepted\n`,
  );
  return outcome;
}

const faults = (outcome: Outcome) =>
  Object.keys(outcome.statuses).filter((status) => Number(status) >= 500);

const timeout = long ? 600_000 : 120_000;

describe('64 browsers on one day', { timeout }, () => {
  test('[V2.3.4] no overlap that was not accepted, no fault, one lesson for each key', async () => {
    const outcome = await race('lock and constraint');
    expect(outcome.unaccepted).toEqual([]);
    expect(outcome.stale).toEqual([]);
    expect(outcome.repeats).toEqual([]);
    expect(faults(outcome)).toEqual([]);
    expect(outcome.statuses).toMatchObject({
      200: expect.any(Number),
      201: expect.any(Number),
      409: expect.any(Number),
    });
  });

  test('without the lock the constraint still holds', async () => {
    removeLock();
    // It looks away from sessions that have an accepted overlap, so nobody accepts one here.
    const outcome = await race('constraint alone', { accepting: 0 });
    expect(outcome.unaccepted).toEqual([]);
    expect(outcome.statuses).toMatchObject({ 409: expect.any(Number) });
  });

  test('without the constraint the lock still holds; without both the look afterwards sees it', async () => {
    await asOwner('alter table sessions drop constraint sessions_no_overlap');
    const locked = await race('lock alone');
    expect(locked.unaccepted).toEqual([]);
    expect(locked.stale).toEqual([]);
    expect(locked.repeats).toEqual([]);
    expect(faults(locked)).toEqual([]);
    const moved = await race('lock alone', { rounds: 1, accepting: 0, movesOnly: true });
    expect(moved.unaccepted).toEqual([]);
    removeLock();
    const found: string[] = [];
    for (let attempt = 0; attempt < 30 && found.length === 0; attempt++) {
      const outcome = await race('neither', {
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
