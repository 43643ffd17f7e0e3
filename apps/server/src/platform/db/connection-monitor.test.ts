import { accounts } from '@lessonbook/contract/accounts';
import { subjects } from '@lessonbook/contract/subjects';
import { startTcpProxy, type TcpProxy, urlThroughProxy } from '@lessonbook/test-env/tcp-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { createTestDatabase, startTestApp, type TestApp } from '../../test/test-app.ts';

/** `npm run cable` allows five seconds; this test allows more for slow machines. Without the monitor, requests take minutes. */
const MAX_RESPONSE_MS = 15_000;

let proxy: TcpProxy;
let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  const urls = await createTestDatabase();
  proxy = await startTcpProxy(Number(new URL(urls.appUrl).port));
  app = await startTestApp({ DATABASE_URL: urlThroughProxy(urls.appUrl, proxy) }, urls);
  ({ browser } = await createTutor(app));
});
afterAll(async () => {
  proxy.thaw();
  await app.close();
  await proxy.close();
});

const addSubject = (name: string) =>
  browser.send(
    'POST',
    subjects.createSubject.path,
    { name, defaultFee: 30, currency: 'GBP' },
    {},
    AbortSignal.timeout(MAX_RESPONSE_MS),
  );
const readProfile = () =>
  browser.send('GET', accounts.me.path, undefined, {}, AbortSignal.timeout(MAX_RESPONSE_MS));
const subjectNames = async () =>
  (await browser.call(subjects.listSubjects)).body.map(({ name }) => name);

describe('while the database does not respond', () => {
  test('F50 waiting and new requests return 503 with Retry-After, and requests succeed again afterwards', async () => {
    expect((await addSubject('Maths')).status).toBe(201);
    proxy.freeze();
    const waiting = await Promise.all([
      ...Array.from({ length: 20 }, readProfile),
      addSubject('Physics'),
      app.browser().call(accounts.login, { body: { username: 'nobody', password: 'wrong' } }),
    ]);
    expect(waiting.map(({ status }) => status)).toEqual(waiting.map(() => 503));
    expect(waiting.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);

    proxy.thaw();
    await expect.poll(async () => (await readProfile()).status).toBe(200);
    expect((await addSubject('Chemistry')).status).toBe(201);
    expect(await subjectNames()).toEqual(expect.arrayContaining(['Maths', 'Chemistry']));
  });

  test('F50 a request that is waiting for a lock when the database becomes unreachable gets a response', async () => {
    const client = await app.admin.connect();
    try {
      await client.query('begin');
      await client.query('select from tutors for update');
      const saving = addSubject('History');
      await expect
        .poll(async () => {
          const { rows } = await app.admin.query(
            `select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`,
          );
          return rows.length;
        })
        .toBe(1);
      proxy.freeze();
      expect((await saving).status).toBe(503);
    } finally {
      await client.query('rollback');
      client.release();
      proxy.thaw();
    }
    await expect.poll(async () => (await addSubject('Geography')).status).toBe(201);
    expect(await subjectNames()).not.toContain('History');
  });

  test('F50 jobs run again once the database responds', async () => {
    proxy.freeze();
    await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(503);
    proxy.thaw();
    await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(200);
    const { input } = await createTutor(app);
    await app.mailbox.waitFor((mail) => mail.to.includes(input.email));
  });
});
