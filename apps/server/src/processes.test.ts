import { accounts } from '@lessonbook/contract/accounts';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { provisionDatabase } from './provision-database.ts';
import { Browser } from './test/browser-client.ts';
import { newSignupInput, PASSWORD } from './test/create-tutor.ts';
import { sharedDatabase } from './test/test-app.ts';
import { waitUntilQueueIdle } from './test/wait-for-queue-and-control-retries.ts';

let app: Lessonbook;
beforeAll(async () => {
  app = await startLessonbook({ database: sharedDatabase(), apis: 2, workers: 1 });
});
afterAll(() => app.stop());

/** Returns a browser that sends each request to the next API process in turn. */
function roundRobin(): { next: () => Browser } {
  const browsers = app.urls.map((url) => new Browser(url, app.url));
  const [first] = browsers;
  for (const browser of browsers) browser.cookies = first?.cookies ?? browser.cookies;
  let turn = 0;
  return { next: () => browsers[turn++ % browsers.length] as Browser };
}

describe('two API processes behind a round-robin load balancer', () => {
  test('share logins: created on one, valid on the other, revoked on both', async () => {
    const { next } = roundRobin();
    const input = newSignupInput();
    expect((await next().call(accounts.signup, { body: input })).status).toBe(201);
    expect(
      (
        await next().call(accounts.login, {
          body: { username: input.username, password: PASSWORD },
        })
      ).status,
    ).toBe(200);
    for (let n = 0; n < 4; n++) expect((await next().call(accounts.me)).status).toBe(200);
    expect((await next().call(accounts.logout)).status).toBe(200);
    for (let n = 0; n < 2; n++) expect((await next().call(accounts.me)).status).toBe(401);
  });

  test('share rate limits: six wrong passwords in total, not six per process', async () => {
    const { next } = roundRobin();
    const input = newSignupInput();
    await next().call(accounts.signup, { body: input });
    const statuses: number[] = [];
    for (let n = 0; n < 14; n++) {
      const response = await next().call(accounts.login, {
        body: { username: input.username, password: 'wrong one' },
      });
      statuses.push(response.status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(6);
    expect(statuses.slice(6)).toEqual(Array(8).fill(429));
  });
});

describe('the worker', () => {
  test('sends an email once, within 30 s, after another worker was killed before SMTP DATA', async () => {
    const stall = app.mailbox.stallBeforeData();
    const input = newSignupInput();
    await new Browser(app.url, app.url).call(accounts.signup, { body: input });
    await stall.reached;
    app.workers[0]?.kill('SIGKILL');
    await app.workers[0]?.exited;
    stall.release();
    expect(app.mailbox.emails().filter((mail) => mail.to.includes(input.email))).toEqual([]);

    await app.startWorker();
    // Almost all of this time is spent waiting for the dead worker's lease to expire, so a slow machine makes little
    // difference.
    const startedAt = performance.now();
    const mail = await app.mailbox.waitFor((sent) => sent.to.includes(input.email), 60_000);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    const owner = new pg.Client(app.databaseUrls.ownerUrl);
    await owner.connect();
    await waitUntilQueueIdle(owner, 'account-mail');
    await owner.end();
    const copies = app.mailbox.emails().filter((sent) => sent.messageId === mail.messageId);
    expect(copies).toHaveLength(1);
  });

  test('retries when the mail server responds with a temporary error', async () => {
    app.mailbox.rejectNext(451, 1);
    const input = newSignupInput();
    await new Browser(app.url, app.url).call(accounts.signup, { body: input });
    const mail = await app.mailbox.waitFor((sent) => sent.to.includes(input.email));
    expect(mail.subject).toBe('Confirm your email for Lessonbook');
  });

  test('a failed sign-up does not enqueue a job', async () => {
    const input = newSignupInput();
    const browser = new Browser(app.url, app.url);
    await browser.call(accounts.signup, { body: input });
    const duplicate = await browser.call(accounts.signup, {
      body: { ...newSignupInput(), username: input.username },
    });
    expect(duplicate.status).toBe(409);
    const owner = new pg.Client(app.databaseUrls.ownerUrl);
    await owner.connect();
    const links = await owner.query<{ count: number }>(
      'select count(*)::int as count from email_tokens',
    );
    const sent = await owner.query<{ count: number }>(
      "select count(*)::int as count from jobs.job where name = 'account-mail'",
    );
    await owner.end();
    expect(sent.rows).toEqual(links.rows);
  });
});

describe('shutdown and start-up', () => {
  test('on SIGTERM, an in-flight request finishes and then the process exits with code 0', async () => {
    const api = await app.startApi();
    // The request waits for a lock, so it is certain to be in flight when the signal arrives.
    const holder = new pg.Client(app.databaseUrls.ownerUrl);
    await holder.connect();
    await holder.query('begin; lock table rate_limits in access exclusive mode');
    const response = new Browser(api.url, app.url).call(accounts.forgotPassword, {
      body: { account: 'somebody' },
    });
    const waiting = `select 1 from pg_locks where not granted and relation = 'rate_limits'::regclass`;
    await waitUntil(
      async () => (await holder.query(waiting)).rowCount !== 0,
      () => 'the request has not reached the database',
    );
    api.kill('SIGTERM');
    await holder.end();
    expect((await response).status).toBe(202);
    expect(await api.exited).toEqual({ code: 0, signal: null });
  });

  test('four concurrent migrations apply each file once', async () => {
    const urls = await provisionDatabase(app.postgres.adminUrl, {
      database: `four_at_once_${Date.now()}`,
      password: sharedDatabase().password,
    });
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(urls.ownerUrl)));
    expect(applied.flat()).toEqual([...new Set(applied.flat())]);
    expect(applied.flat().length).toBeGreaterThan(0);
  });

  test('[V16.2.4, V16.2.5] logs are structured, contain the request id and contain no personal data', async () => {
    const debugApp = await startLessonbook({
      database: sharedDatabase(),
      env: { LOG_LEVEL: 'debug' },
    });
    try {
      const input = newSignupInput({
        name: 'Canary Name',
        username: 'canary.username',
        email: 'canary@example.com',
        password: 'canary sings at dawn',
      });
      const browser = new Browser(debugApp.url, debugApp.url);
      await browser.call(accounts.signup, { body: input });
      await browser.call(accounts.signup, { body: input });
      const login = await browser.call(accounts.login, {
        body: { username: input.username, password: input.password },
      });
      await browser.call(accounts.me);
      await debugApp.mailbox.waitFor((mail) => mail.to.includes(input.email));
      const requestId = login.headers.get('x-request-id') ?? '';
      await waitUntil(
        () => debugApp.apis.some((api) => api.output().includes(requestId)),
        () => 'the login is not in the log',
      );
      const lines = [...debugApp.apis, ...debugApp.workers].flatMap((process) =>
        process.output().split('\n').filter(Boolean),
      );
      expect(lines.length).toBeGreaterThan(4);
      for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
      const all = lines.join('\n');
      expect(all).not.toMatch(/canary/i);
      expect(all).not.toContain(browser.cookies.get('lessonbook'));
      expect(all).toContain(requestId);
    } finally {
      await debugApp.stop();
    }
  });
});
