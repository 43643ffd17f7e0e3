import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTutor, newSignupInput } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const metrics = async (): Promise<string> => {
  const { body } = await app.browser().send('GET', '/metrics');
  return body as string;
};
const metricValue = async (series: string): Promise<number> => {
  const sample = (await metrics()).split('\n').find((line) => line.startsWith(`${series} `));
  return Number(sample?.slice(series.length + 1) ?? 0);
};

const linesWith = async (text: string): Promise<string[]> =>
  (await metrics()).split('\n').filter((line) => line.includes(text));

test('an event stream does not count as a slow response', async () => {
  // Other tests in this process may already have caused rejected stream requests, which are counted.
  const before = await linesWith('notifications/stream');
  const { browser } = await createTutor(app);
  const controller = new AbortController();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${app.url}/api/notifications/stream`, {
    headers: { cookie },
    signal: controller.signal,
  });
  expect(response.status).toBe(200);
  const me = await browser.call(accounts.me);
  expect(me.status).toBe(200);
  controller.abort();
  await expect.poll(() => linesWith('route="/api/me"')).not.toEqual([]);
  // Gives the server time to notice that the stream has ended.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await linesWith('notifications/stream')).toEqual(before);
});

test("a temporarily rejected email counts as 'deferred', and its job as failed and then as done", async () => {
  const failed = 'lessonbook_job_seconds_count{kind="account-mail",outcome="failed"}';
  const done = 'lessonbook_job_seconds_count{kind="account-mail",outcome="done"}';
  const deferred = 'lessonbook_emails_total{kind="account",outcome="deferred"}';
  const before = {
    failed: await metricValue(failed),
    deferred: await metricValue(deferred),
    done: await metricValue(done),
  };
  app.mailbox.rejectNext(451, 1);
  const tutor = newSignupInput();
  await app.browser().call(accounts.signup, { body: tutor });
  await app.mailbox.waitFor((mail) => mail.to.includes(tutor.email));
  await expect.poll(() => metricValue(done)).toBe(before.done + 1);
  expect(await metricValue(failed)).toBe(before.failed + 1);
  expect(await metricValue(deferred)).toBe(before.deferred + 1);
});

test('connection metrics are updated on each scrape', async () => {
  expect(await metricValue('lessonbook_db_connections{state="idle"}')).toBeGreaterThan(0);
  expect(await metricValue('lessonbook_db_waiting')).toBe(0);
  const waits = await metricValue('lessonbook_db_wait_seconds_count');
  await app.context.db.globalTransaction(async () => undefined);
  expect(await metricValue('lessonbook_db_wait_seconds_count')).toBeGreaterThan(waits);
});
