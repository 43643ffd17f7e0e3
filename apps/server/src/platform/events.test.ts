import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../test/test-app.ts';
import { AppError } from './app-error.ts';
import { Database, type Tx } from './db/database.ts';
import { uuidV7 } from './db/uuid.ts';
import { defineEvent, EventBus, subscribe } from './events.ts';

let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const tutorId = uuidV7(now);

beforeAll(async () => {
  const urls = await createTestDatabase();
  db = new Database({ connectionString: urls.appUrl }, { max: 4, onError: () => undefined });
  await db.newTutorTransaction(tutorId, (tx) =>
    tx
      .insertInto('tutors')
      .values({
        tutor_id: tutorId,
        public_id: 'p',
        name: 'Ada',
        time_zone: 'UTC',
        trial_ends_at: now,
        created_at: now,
      })
      .execute(),
  );
});
beforeEach(() => db.tutorTransaction(tutorId, (tx) => rename(tx, 'Ada')));
afterAll(() => db.close());

const renamed = defineEvent<{ to: string }>('renamed');
const other = defineEvent<{ to: string }>('other');

const rename = async (tx: Tx, name: string): Promise<void> => {
  await tx.updateTable('tutors').set({ name }).execute();
};
/** Uses a transaction without the tutor lock, which can be opened while another transaction is open. */
const readName = (): Promise<string | undefined> =>
  db.tutorTransactionUnlocked(
    tutorId,
    async (tx) => (await tx.selectFrom('tutors').select('name').executeTakeFirst())?.name,
  );

test("calls an event's subscribers in list order and passes them the context", async () => {
  const calls: string[] = [];
  const record =
    (subscriber: string) =>
    async (context: string, _tx: Tx, { to }: { to: string }) =>
      void calls.push(`${subscriber} ${context} ${to}`);
  const events = new EventBus<string>([
    subscribe(renamed, record('first')),
    subscribe(other, record('never')),
    subscribe(renamed, record('second')),
  ]);
  await db.tutorTransaction(tutorId, (tx) => events.publish('context', tx, renamed, { to: 'Eda' }));
  expect(calls).toEqual(['first context Eda', 'second context Eda']);
});

test("subscribers read and write in the publisher's transaction", async () => {
  const events = new EventBus<null>([
    subscribe(renamed, async (_context: null, tx, { to }) => {
      const { name } = await tx.selectFrom('tutors').select('name').executeTakeFirstOrThrow();
      await rename(tx, `${name} and ${to}`);
    }),
  ]);
  await db.tutorTransaction(tutorId, async (tx) => {
    await rename(tx, 'Eda');
    await events.publish(null, tx, renamed, { to: 'Ida' });
    expect(await readName()).toBe('Ada');
  });
  expect(await readName()).toBe('Eda and Ida');
});

test('[V2.3.3] an error in a subscriber rolls back all changes, and later subscribers are not called', async () => {
  const calls: string[] = [];
  const events = new EventBus<null>([
    subscribe(renamed, (_context: null, tx) => rename(tx, 'Half')),
    subscribe(renamed, () => Promise.reject(new AppError('conflict', 'Not now.'))),
    subscribe(renamed, async () => void calls.push('called')),
  ]);
  const publishing = db.tutorTransaction(tutorId, async (tx) => {
    await rename(tx, 'Eda');
    await events.publish(null, tx, renamed, { to: 'Ida' });
  });
  await expect(publishing).rejects.toMatchObject({ code: 'conflict', message: 'Not now.' });
  expect(calls).toEqual([]);
  expect(await readName()).toBe('Ada');
});

test('changes made by subscribers are rolled back if the publisher fails afterwards', async () => {
  const events = new EventBus<null>([
    subscribe(renamed, (_context: null, tx) => rename(tx, 'Rolled back')),
  ]);
  const publishing = db.tutorTransaction(tutorId, async (tx) => {
    await events.publish(null, tx, renamed, { to: 'Ida' });
    throw new Error('no');
  });
  await expect(publishing).rejects.toThrow('no');
  expect(await readName()).toBe('Ada');
});

test('an event without subscribers is allowed', async () => {
  const events = new EventBus<null>([]);
  await expect(
    db.tutorTransaction(tutorId, (tx) => events.publish(null, tx, renamed, { to: 'Ida' })),
  ).resolves.toBeUndefined();
});
