import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../test/test-app.ts';
import { AppError } from './app-error.ts';
import { uuidV7 } from './crypto/tokens.ts';
import { Database, type Tx } from './db/database.ts';
import { defineEvent, EventBus, subscribe } from './events.ts';

let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const tutorId = uuidV7(now);

beforeAll(async () => {
  const urls = await createTestDatabase();
  db = new Database(urls.appUrl, { max: 4, onError: () => undefined });
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
const nameNow = async (): Promise<string | undefined> => {
  const [[row]] = await db.tutorRead(tutorId, (tx) => [tx.selectFrom('tutors').select('name')]);
  return row?.name;
};

test('those who hear are told in the order they are listed, each with the context, and only of what they asked for', async () => {
  const heard: string[] = [];
  const note =
    (who: string) =>
    async (context: string, _tx: Tx, { to }: { to: string }) =>
      void heard.push(`${who} ${context} ${to}`);
  const events = new EventBus<string>([
    subscribe(renamed, note('first')),
    subscribe(other, note('never')),
    subscribe(renamed, note('second')),
  ]);
  await db.tutorTransaction(tutorId, (tx) => events.publish('here', tx, renamed, { to: 'Eda' }));
  expect(heard).toEqual(['first here Eda', 'second here Eda']);
});

test("they see what the publisher has written so far, and their own writing is the publisher's", async () => {
  const events = new EventBus<null>([
    subscribe(renamed, async (_context: null, tx, { to }) => {
      const { name } = await tx.selectFrom('tutors').select('name').executeTakeFirstOrThrow();
      await rename(tx, `${name} and ${to}`);
    }),
  ]);
  await db.tutorTransaction(tutorId, async (tx) => {
    await rename(tx, 'Eda');
    await events.publish(null, tx, renamed, { to: 'Ida' });
    expect(await nameNow()).toBe('Ada');
  });
  expect(await nameNow()).toBe('Eda and Ida');
});

test('[V2.3.3] one that refuses takes everything back, also what those before it wrote, and the next is not told', async () => {
  const heard: string[] = [];
  const events = new EventBus<null>([
    subscribe(renamed, (_context: null, tx) => rename(tx, 'Half')),
    subscribe(renamed, () => Promise.reject(new AppError('conflict', 'Not now.'))),
    subscribe(renamed, async () => void heard.push('told')),
  ]);
  const publishing = db.tutorTransaction(tutorId, async (tx) => {
    await rename(tx, 'Eda');
    await events.publish(null, tx, renamed, { to: 'Ida' });
  });
  await expect(publishing).rejects.toMatchObject({ code: 'conflict', message: 'Not now.' });
  expect(heard).toEqual([]);
  expect(await nameNow()).toBe('Ada');
});

test('nothing that they wrote stays when the publisher fails afterwards', async () => {
  const events = new EventBus<null>([
    subscribe(renamed, (_context: null, tx) => rename(tx, 'Told too early')),
  ]);
  const publishing = db.tutorTransaction(tutorId, async (tx) => {
    await events.publish(null, tx, renamed, { to: 'Ida' });
    throw new Error('no');
  });
  await expect(publishing).rejects.toThrow('no');
  expect(await nameNow()).toBe('Ada');
});

test('a fact that nobody hears is no trouble', async () => {
  const events = new EventBus<null>([]);
  await expect(
    db.tutorTransaction(tutorId, (tx) => events.publish(null, tx, renamed, { to: 'Ida' })),
  ).resolves.toBeUndefined();
});
