import { readFile } from 'node:fs/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { hashPassword } from '../../platform/crypto/password-hash.ts';
import type { Browser } from '../../test/browser-client.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  findTutorId,
  PASSWORD,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  createDemoTutor,
  DEMO_CREDENTIALS,
  findDemoTutor,
} from './service/create-and-replace-demo-account.ts';

let app: TestApp;
beforeEach(async () => {
  await app?.close();
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1', DEMO_ACCOUNT: 'yes' });
});
afterAll(() => app.close());

const from = (address: string) => app.browser({ 'x-forwarded-for': address });

const countStatuses = (responses: readonly { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, all]) => [
      status,
      all.length,
    ]),
  );

test('F05 an account can log in 30 times an hour with the correct password', async () => {
  const { browser, input } = await createTutor(app);
  const body = { username: input.username, password: PASSWORD };
  await app.context.db.global.deleteFrom('rate_limits').execute();
  for (let n = 0; n < 30; n++)
    expect((await from(`198.51.100.${n}`).call(accounts.login, { body })).status).toBe(200);
  const limited = await from('198.51.100.99').call(accounts.login, { body });
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '120']);
  // The browser in which the tutor has logged in before is trusted and has its own limit.
  expect((await browser.call(accounts.login, { body })).status).toBe(200);
  app.clock.advance({ minutes: 2 });
  expect((await from('192.0.2.9').call(accounts.login, { body })).status).toBe(200);
});

test('F05 wrong passwords do not use up the owner’s limit for correct logins', async () => {
  const { input } = await createTutor(app);
  for (let n = 0; n < 60; n++)
    await from(`198.51.100.${n}`).call(accounts.login, {
      body: { username: input.username, password: 'wrong one' },
    });
  app.clock.advance({ minutes: 15 });
  const body = { username: input.username, password: PASSWORD };
  expect((await from('192.0.2.9').call(accounts.login, { body })).status).toBe(200);
});

test('F05 an account has at most 30 logins; the one used least recently is ended', async () => {
  const { browser: first, input } = await createTutor(app);
  const second = app.browser();
  const body = { username: input.username, password: PASSWORD };
  await second.call(accounts.login, { body });
  app.clock.advance({ hours: 2 });
  expect((await first.call(accounts.me)).status).toBe(200);
  for (let n = 0; n < 29; n++) {
    app.clock.advance({ minutes: 5 });
    expect((await app.browser().call(accounts.login, { body })).status).toBe(200);
  }
  expect((await second.call(accounts.me)).status).toBe(401);
  expect((await first.call(accounts.me)).status).toBe(200);
  expect((await first.call(security.logins)).body).toHaveLength(30);
  const tutorId = await findTutorId(app, input);
  const { rows } = await app.admin.query('select 1 from logins where tutor_id = $1', [tutorId]);
  expect(rows).toHaveLength(30);
});

test('F05 logins to the demo account are limited per network and not recorded in the audit log', async () => {
  await createDemoTutor(app.context);
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      from('198.51.100.7').call(accounts.login, { body: DEMO_CREDENTIALS }),
    ),
  );
  expect(countStatuses(responses)).toEqual({ 200: 20, 429: 30 });
  const elsewhere = await from('192.0.2.9').call(accounts.login, { body: DEMO_CREDENTIALS });
  expect(elsewhere.status).toBe(200);
  const { rows } = await app.admin.query('select 1 from audit_log where tutor_id = $1', [
    await findDemoTutor(app.context),
  ]);
  expect(rows).toEqual([]);
});

test('F33 after a password reset the owner can log in even if others have used up the attempts', async () => {
  const { browser: known, input } = await createTutorWhoCanEmailFamilies(app);
  const logIn = (browser: Browser, password: string) =>
    browser.call(accounts.login, { body: { username: input.username, password } });
  for (const browser of [from('198.51.100.1'), known])
    for (let n = 0; n < 6; n++) expect((await logIn(browser, 'wrong one')).status).toBe(401);
  expect((await logIn(from('192.0.2.1'), PASSWORD)).status).toBe(429);
  expect((await logIn(known, PASSWORD)).status).toBe(429);

  app.clock.advance({ seconds: 1 });
  const owner = from('192.0.2.9');
  await owner.call(accounts.forgotPassword, { body: { account: input.email } });
  const token = await readTokenFromEmail(app, input.email, 'reset-password');
  const password = 'a brand new one';
  expect((await owner.call(accounts.resetPassword, { body: { token, password } })).status).toBe(
    200,
  );
  expect((await logIn(from('192.0.2.2'), password)).status).toBe(200);
  expect((await logIn(known, password)).status).toBe(200);
  // The browser that was used for the reset is trusted, so new wrong passwords elsewhere do not affect it.
  for (let n = 0; n < 6; n++) await logIn(from('198.51.100.1'), 'wrong one');
  expect((await logIn(from('192.0.2.3'), password)).status).toBe(429);
  expect((await logIn(owner, password)).status).toBe(200);
});

test('F05 comparing many passwords leaves threads free for other work', async () => {
  let finished = 0;
  const hashes = Array.from({ length: 40 }, async () => {
    await hashPassword(PASSWORD);
    finished += 1;
  });
  // Node uses the same threads to read files and to compare passwords.
  await readFile(new URL(import.meta.url));
  expect(finished).toBeLessThan(20);
  await Promise.all(hashes);
});
