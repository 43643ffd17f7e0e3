import { accounts } from '@lessonbook/contract/accounts';
import { startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../test/browser-client.ts';
import { newSignupInput } from '../test/create-tutor.ts';
import { sharedDatabase } from '../test/test-app.ts';

type Line = Record<string, unknown> & { msg?: string; code?: string; route?: string };

/** Runs real processes, because the tests read their output. */
let app: Awaited<ReturnType<typeof startLessonbook>>;
let browser: Browser;
const input = newSignupInput();
beforeAll(async () => {
  app = await startLessonbook({
    database: sharedDatabase(),
    cards: false,
    calendar: false,
    googleSignIn: false,
    env: { LOG_LEVEL: 'info' },
  });
  browser = new Browser(app.url, app.url);
  await browser.call(accounts.signup, { body: input });
  await browser.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
});
afterAll(() => app.stop());

const readOutput = () => app.apis.map((api) => api.output()).join('\n');
const readLines = () =>
  readOutput()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** Returns the lines logged during `action`, once the expected line has been written. */
async function linesAfter(action: () => Promise<unknown>, isExpected: (line: Line) => boolean) {
  const before = readLines().length;
  await action();
  await expect.poll(() => readLines().slice(before).some(isExpected)).toBe(true);
  return readLines().slice(before);
}
const anonymous = (headers: Record<string, string> = {}) => new Browser(app.url, app.url, headers);

describe('a log line', () => {
  test('[V16.2.1, V16.2.2, V16.2.4] is one JSON object with the UTC time, process, request id, login, route and status', async () => {
    const lines = await linesAfter(
      () => browser.call(accounts.me),
      (line) => line.msg === 'request' && line.route === '/api/me',
    );
    const line = lines.find(({ msg, route }) => msg === 'request' && route === '/api/me');
    expect(line).toMatchObject({
      level: 30,
      process: 'api',
      reqId: expect.stringMatching(/^[\da-f-]{36}$/),
      method: 'GET',
      route: '/api/me',
      status: 200,
      login: expect.stringMatching(/^[\da-f]{12}$/),
    });
    // Epoch milliseconds do not depend on the time zone.
    expect(Math.abs(Number(line?.['time']) - Date.now())).toBeLessThan(300_000);
  });

  test('[V16.4.1] cannot be forged with line breaks or escape sequences', async () => {
    const forged = '\\n{"level":30,"msg":"forged"}\\u001b[2J';
    const lines = await linesAfter(
      async () => {
        await anonymous({ 'user-agent': `x\t{"msg":"forged"}`, 'x-request-id': 'forged' }).send(
          'GET',
          '/api/me',
        );
        await anonymous().send('GET', `/api/forged%0a%7b%22msg%22%3a%22forged%22%7d`);
        await anonymous().send(
          'POST',
          '/api/login',
          `{"username":"${forged}","password":"${forged}"}`,
        );
      },
      (line) => line.route === '/api/login' && line.msg === 'request',
    );
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter(({ msg }) => msg === 'forged')).toEqual([]);
    expect(readOutput()).not.toContain('forged');
  });
});

describe('logged events', () => {
  test('[V16.3.1] include every login attempt and its outcome', async () => {
    const lines = await linesAfter(
      async () => {
        await anonymous().call(accounts.login, {
          body: { username: input.username, password: 'wrong one' },
        });
        await anonymous().call(accounts.login, {
          body: { username: input.username, password: input.password },
        });
      },
      (line) => line.route === '/api/login' && line['status'] === 200,
    );
    const attempts = lines.filter(({ route }) => route === '/api/login');
    expect(attempts.map(({ msg, code, status }) => [msg, code ?? status])).toEqual([
      ['request rejected', 'unauthenticated'],
      ['request', 401],
      ['request', 200],
    ]);
    expect(attempts[0]).toMatchObject({ network: '127.0.0.x' });
  });

  test('[V16.3.2] include rejected requests and their route', async () => {
    const lines = await linesAfter(
      async () => {
        await anonymous().send('GET', '/api/students');
        await browser.send('PUT', '/api/me', {}, { origin: 'https://evil.example' });
        await browser.send('GET', '/api/lessons/4711');
        await anonymous().send('GET', '/api/pay/guessed');
      },
      (line) => line.route === '/api/pay/:token' && line.msg === 'request rejected',
    );
    const rejected = lines.filter(({ msg }) => msg === 'request rejected');
    expect(rejected.map(({ route, code }) => [route, code])).toEqual([
      ['/api/students', 'unauthenticated'],
      ['/api/me', 'forbidden'],
      ['/api/lessons/:id', 'not_found'],
      ['/api/pay/:token', 'not_found'],
    ]);
  });

  test('[V16.3.3] include invalid, oversized and rate-limited requests', async () => {
    const lines = await linesAfter(
      async () => {
        await browser.send('POST', '/api/students', { name: ['x'] });
        await browser.send('POST', '/api/students', `"${'x'.repeat(300_000)}"`);
        await browser.send('POST', '/api/students', 'x', { 'content-type': 'text/plain' });
        for (let n = 0; n < 8; n++)
          await anonymous().call(accounts.login, {
            body: { username: 'nobody', password: 'wrong one' },
          });
      },
      (line) => line.code === 'too_many_requests',
    );
    const codes = new Set(
      lines.filter(({ msg }) => msg === 'request rejected').map(({ code }) => code),
    );
    for (const code of ['invalid', 'too_large', 'unsupported_media', 'too_many_requests'])
      expect(codes).toContain(code);
  });

  test('[V16.5.1, V16.3.4, V13.4.2] include internal errors in full, while the response has a generic message', async () => {
    const owner = new pg.Client(app.databaseUrls.ownerUrl);
    await owner.connect();
    await owner.query('alter table subjects rename to canary_subjects');
    const responses: { status: number; body: unknown }[] = [];
    const lines = await linesAfter(
      async () => responses.push(await browser.send('GET', '/api/subjects')),
      (line) => line.msg === 'request failed',
    );
    await owner.query('alter table canary_subjects rename to subjects');
    await owner.end();
    expect(responses[0]).toMatchObject({
      status: 500,
      body: { code: 'internal', message: 'Something went wrong on our side. Please try again.' },
    });
    expect(JSON.stringify(responses[0]?.body)).not.toMatch(/subjects|relation|at .*\.ts|42P01/);
    const line = lines.find(({ msg }) => msg === 'request failed');
    expect(line).toMatchObject({
      level: 50,
      route: '/api/subjects',
      err: {
        code: '42P01',
        message: expect.stringContaining('subjects'),
        stack: expect.any(String),
      },
    });
    expect((await browser.send('GET', '/api/subjects')).status).toBe(200);
  });

  test('[V16.2.5] contain no passwords, names, addresses or tokens', () => {
    const personal = [input.password, 'wrong one', input.username, input.email, input.name];
    const tokens = [...browser.cookies.values()];
    // The username is also a hexadecimal number, which may occur in the id of a request.
    const output = readOutput().replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '');
    expect([...personal, ...tokens].filter((text) => output.includes(text))).toEqual([]);
  });
});
