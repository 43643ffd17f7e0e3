import { accounts } from '@lessonbook/contract/accounts';
import { startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../test/browser.ts';
import { newSignupInput } from '../test/tutor.ts';

type Line = Record<string, unknown> & { msg?: string; code?: string; route?: string };

/** Real processes, since what they write is what is looked at. */
let book: Awaited<ReturnType<typeof startLessonbook>>;
let browser: Browser;
const input = newSignupInput();
beforeAll(async () => {
  book = await startLessonbook({
    cards: false,
    calendar: false,
    googleSignIn: false,
    env: { LOG_LEVEL: 'info' },
  });
  browser = new Browser(book.url, book.url);
  await browser.call(accounts.signup, { body: input });
  await browser.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
});
afterAll(() => book.stop());

const outputOf = () => book.apis.map((api) => api.output()).join('\n');
const linesOf = () =>
  outputOf()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** The lines that `act` causes, once the one that is waited for is there. */
async function linesAfter(act: () => Promise<unknown>, wanted: (line: Line) => boolean) {
  const before = linesOf().length;
  await act();
  await expect.poll(() => linesOf().slice(before).some(wanted)).toBe(true);
  return linesOf().slice(before);
}
const nobody = (headers: Record<string, string> = {}) => new Browser(book.url, book.url, headers);

describe('a line', () => {
  test('[V16.2.1, V16.2.2, V16.2.4] is one object of JSON that says when in UTC, which process, which request, which login, what and how it ended', async () => {
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
    // Milliseconds since 1970 know no zone and no clock change.
    expect(Math.abs(Number(line?.['time']) - Date.now())).toBeLessThan(300_000);
  });

  test('[V16.4.1] cannot be forged by what somebody sends: no line break and no colour gets through', async () => {
    const forged = '\\n{"level":30,"msg":"forged"}\\u001b[2J';
    const lines = await linesAfter(
      async () => {
        await nobody({ 'user-agent': `x\t{"msg":"forged"}`, 'x-request-id': 'forged' }).send(
          'GET',
          '/api/me',
        );
        await nobody().send('GET', `/api/forged%0a%7b%22msg%22%3a%22forged%22%7d`);
        await nobody().send(
          'POST',
          '/api/login',
          `{"username":"${forged}","password":"${forged}"}`,
        );
      },
      (line) => line.route === '/api/login' && line.msg === 'request',
    );
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter(({ msg }) => msg === 'forged')).toEqual([]);
    expect(outputOf()).not.toContain('forged');
  });
});

describe('what is written down', () => {
  test('[V16.3.1] every try to come in, whatever came of it', async () => {
    const lines = await linesAfter(
      async () => {
        await nobody().call(accounts.login, {
          body: { username: input.username, password: 'wrong one' },
        });
        await nobody().call(accounts.login, {
          body: { username: input.username, password: input.password },
        });
      },
      (line) => line.route === '/api/login' && line['status'] === 200,
    );
    const tries = lines.filter(({ route }) => route === '/api/login');
    expect(tries.map(({ msg, code, status }) => [msg, code ?? status])).toEqual([
      ['refused', 'unauthenticated'],
      ['request', 401],
      ['request', 200],
    ]);
    expect(tries[0]).toMatchObject({ network: '127.0.0.x' });
  });

  test('[V16.3.2] whoever is not let through, and at which door', async () => {
    const lines = await linesAfter(
      async () => {
        await nobody().send('GET', '/api/students');
        await browser.send('PUT', '/api/me', {}, { origin: 'https://evil.example' });
        await browser.send('GET', '/api/lessons/4711');
        await nobody().send('GET', '/api/pay/guessed');
      },
      (line) => line.route === '/api/pay/:token' && line.msg === 'refused',
    );
    const refused = lines.filter(({ msg }) => msg === 'refused');
    expect(refused.map(({ route, code }) => [route, code])).toEqual([
      ['/api/students', 'unauthenticated'],
      ['/api/me', 'forbidden'],
      ['/api/lessons/:id', 'not_found'],
      ['/api/pay/:token', 'not_found'],
    ]);
  });

  test('[V16.3.3] whoever passes by a form, sends too much or comes too often', async () => {
    const lines = await linesAfter(
      async () => {
        await browser.send('POST', '/api/students', { name: ['x'] });
        await browser.send('POST', '/api/students', `"${'x'.repeat(300_000)}"`);
        await browser.send('POST', '/api/students', 'x', { 'content-type': 'text/plain' });
        for (let n = 0; n < 8; n++)
          await nobody().call(accounts.login, {
            body: { username: 'nobody', password: 'wrong one' },
          });
      },
      (line) => line.code === 'too_many_requests',
    );
    const codes = new Set(lines.filter(({ msg }) => msg === 'refused').map(({ code }) => code));
    for (const code of ['invalid', 'too_large', 'unsupported_media', 'too_many_requests'])
      expect(codes).toContain(code);
  });

  test('[V16.5.1, V16.3.4, V13.4.2] a fault of ours: whole in the log, and not a word of it to the caller', async () => {
    const owner = new pg.Client(book.databaseUrls.ownerUrl);
    await owner.connect();
    await owner.query('alter table subjects rename to canary_subjects');
    const answers: { status: number; body: unknown }[] = [];
    const lines = await linesAfter(
      async () => answers.push(await browser.send('GET', '/api/subjects')),
      (line) => line.msg === 'request failed',
    );
    await owner.query('alter table canary_subjects rename to subjects');
    await owner.end();
    expect(answers[0]).toMatchObject({
      status: 500,
      body: { code: 'internal', message: 'Something went wrong on our side. Please try again.' },
    });
    expect(JSON.stringify(answers[0]?.body)).not.toMatch(/subjects|relation|at .*\.ts|42P01/);
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

  test('[V16.2.5] and in all of it no password, no name, no address and no token', () => {
    const words = [input.password, 'wrong one', input.username, input.email, input.name];
    const tokens = [...browser.cookies.values()];
    expect([...words, ...tokens].filter((word) => outputOf().includes(word))).toEqual([]);
  });
});
