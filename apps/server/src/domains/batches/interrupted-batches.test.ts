import { accounts } from '@lessonbook/contract/accounts';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { type Batch, batches } from '@lessonbook/contract/invoice-and-reminder-batches';
import { dateInZone } from '@lessonbook/contract/time';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../test/browser-client.ts';
import { createTutorWhoCanEmailFamilies, PASSWORD } from '../../test/create-tutor.ts';
import { createFamiliesWithDrafts } from '../../test/families-to-invoice.ts';
import { sharedDatabase } from '../../test/test-app.ts';

/* Uses real processes. One worker is killed while it creates the messages, and another while it sends them. */

const FAMILIES = 30;

let app: Lessonbook;
let admin: pg.Client;
beforeAll(async () => {
  app = await startLessonbook({
    database: sharedDatabase(),
    apis: 2,
    workers: 1,
    cards: false,
    calendar: false,
    googleSignIn: false,
    env: { RATE_LIMIT_FACTOR: '1000' },
  });
  admin = new pg.Client(app.databaseUrls.maintenanceUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.stop();
});

const count = async (sql: string): Promise<number> =>
  (await admin.query<{ count: number }>(`select count(*)::int as count from ${sql}`)).rows[0]
    ?.count ?? 0;

async function killWorker(): Promise<void> {
  const worker = app.workers.shift();
  worker?.kill('SIGKILL');
  await worker?.exited;
}

/** A second browser window for the same tutor, on the other API process. */
async function openWindow(username: string): Promise<Browser> {
  const browser = new Browser(app.urls[1] as string, app.url);
  await browser.call(accounts.login, { body: { username, password: PASSWORD } });
  return browser;
}

test('F130 "Send all" sends each of 30 families one email, despite a reload, two windows and two killed workers', async () => {
  const { browser, input } = await createTutorWhoCanEmailFamilies({
    browser: () => new Browser(app.url, app.url),
    mailbox: app.mailbox,
    admin,
  });
  const yesterday = addDaysToDate(dateInZone('Europe/London', new Date()), -1);
  const emails = Array.from({ length: FAMILIES }, (_, index) => `family${index}@families.example`);
  const { draftIds } = await createFamiliesWithDrafts(browser, emails, yesterday);
  const otherWindow = await openWindow(input.username);
  const body = { kind: 'send_invoices', ids: draftIds };
  const send = async (from: Browser, key: string): Promise<Batch> =>
    (await from.send('POST', '/api/batches', body, { 'idempotency-key': key })).body as Batch;

  // Nothing is delivered until the mail server is unblocked.
  const stall = app.mailbox.stallBeforeData();
  const [first, repeated, second] = await Promise.all([
    send(browser, 'first-window'),
    send(browser, 'first-window'),
    send(otherWindow, 'second-window'),
  ]);
  expect(repeated.id).toBe(first.id);
  await waitUntil(
    async () => (await count(`batch_items where state = 'done'`)) >= 5,
    () => 'the worker is not processing the batch',
  );
  await killWorker();
  expect(await count(`batch_items where state = 'waiting'`)).toBeGreaterThan(0);

  // The tutor reloads the page and presses the button again.
  expect((await send(browser, 'first-window')).id).toBe(first.id);
  const third = await send(browser, 'after-reload');
  await app.startWorker();
  await waitUntil(
    async () => (await count(`batch_items where state = 'waiting'`)) === 0,
    () => 'the batch has not resumed',
    60_000,
  );
  await stall.reached;
  await killWorker();
  stall.release();
  expect(app.mailbox.emails().filter(({ to }) => emails.includes(to[0] ?? ''))).toEqual([]);

  await Promise.all([app.startWorker(), app.startWorker()]);
  for (const { id } of [first, second, third]) {
    await waitUntil(
      async () => !(await otherWindow.call(batches.batch, { params: { id } })).body.isRunning,
      () => `batch ${id} is still running`,
      90_000,
    );
    const { body: done } = await browser.call(batches.batch, { params: { id } });
    expect(done).toMatchObject({ total: FAMILIES, done: FAMILIES, notDone: 0 });
    expect(new Set(done.items.map(({ number }) => number)).size).toBe(FAMILIES);
  }
  const delivered = app.mailbox.emails().flatMap(({ to }) => to);
  expect(emails.map((email) => delivered.filter((to) => to === email).length)).toEqual(
    emails.map(() => 1),
  );
  expect(await count(`messages where kind = 'invoice'`)).toBe(FAMILIES);
}, 240_000);
