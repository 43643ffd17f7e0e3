import { accounts } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCommonPassword } from '../platform/crypto/common-passwords.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';
import { createTutor, newSignupInput, readMailedToken } from '../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const signUp = (password: string, change = {}) =>
  app.browser().call(accounts.signup, { body: newSignupInput({ password, ...change }) });
const logIn = (username: string, password: string) =>
  app.browser().call(accounts.login, { body: { username, password } });

/** The three places where a password is chosen. */
const choosing: [string, (password: string) => ReturnType<typeof signUp>][] = [
  ['signing up', (password) => signUp(password)],
  [
    'changing it',
    async (password) => {
      const { browser } = await createTutor(app);
      return browser.call(security.changePassword, { body: { password } }) as never;
    },
  ],
  [
    'choosing it by mail',
    async (password) => {
      const { input } = await createTutor(app);
      await app.browser().call(accounts.forgotPassword, { body: { account: input.email } });
      const token = await readMailedToken(app, input.email, 'reset-password');
      const body = { token, password };
      return app.browser().call(accounts.resetPassword, { body }) as never;
    },
  ],
];

describe.each(choosing)('%s', (_, choose) => {
  test.each([
    ['[V6.2.1] shorter than eight', '1234567', /at least 8 characters/],
    ['[V6.2.4] among the most common', 'Password1', /stolen elsewhere/],
    ['[V6.2.12] stolen elsewhere', 'iloveyou2', /stolen elsewhere/],
    ['[V6.2.11] with words of the house', 'Lessonbook2026', /easy to guess/],
  ])('%s is refused, beside the field', async (_why, password, message) => {
    const answer = await choose(password);
    expect(answer.status).toBe(400);
    expect(answer.error.fields?.['password']).toMatch(message);
  });
});

test.each([
  ['small letters alone', 'onlysmallletters'],
  ['digits alone, if nobody has them', '904715338261'],
  ['spaces and punctuation', ' "quotes" & <tags>; '],
  ['another alphabet', 'проверка связи'],
  ['pictures', '🦊🐍🎲🪁🧭🪑🎈🧵'],
  ['[V6.2.9] two hundred characters', 'long enough '.repeat(16).slice(0, 200)],
])('[V6.2.5] %s: no kind of character is asked for, none is refused', async (_what, password) => {
  expect((await signUp(password)).status).toBeLessThan(300);
});

describe('the list of stolen passwords', () => {
  test('[V6.2.4] has the first of every such list that are long enough for us', () => {
    const first = ['password', '12345678', '123456789', 'baseball', 'football', 'iloveyou'];
    const more = ['sunshine', 'princess', 'superman', 'trustno1', 'qwertyuiop', 'passw0rd'];
    expect([...first, ...more].filter((word) => !isCommonPassword(word))).toEqual([]);
  });

  test('[V6.2.12] knows them in any letter case, and no others', () => {
    expect(isCommonPassword('IloveYou')).toBe(true);
    const others = Array.from({ length: 20_000 }, (_, n) => `chalk ${n} board`);
    expect(others.filter((word) => isCommonPassword(word))).toEqual([]);
  });
});

describe('the password as it is', () => {
  const PASSWORD = ` Ünïcode — CASE and spaces ${'x'.repeat(40)}y `;

  test('[V6.2.8] counts to the last letter, in its letter case and with its spaces', async () => {
    const { input } = await createTutor(app, { password: PASSWORD });
    expect((await logIn(input.username, PASSWORD)).status).toBe(200);
    const near = [
      PASSWORD.trim(),
      PASSWORD.toLowerCase(),
      PASSWORD.slice(0, -1),
      PASSWORD.slice(0, 64),
      PASSWORD.normalize('NFD'),
      `${PASSWORD} `,
    ];
    for (const other of near) expect((await logIn(input.username, other)).status).toBe(401);
  });

  test('[V6.2.10] stays good for years: nobody is told to change it', async () => {
    const { input } = await createTutor(app);
    app.clock.forward({ days: 3 * 365 });
    const answer = await logIn(input.username, input.password);
    expect([answer.status, Object.keys(answer.body)]).toEqual([
      200,
      expect.not.arrayContaining(['mustChangePassword']),
    ]);
    await app.restartClock();
  });

  test('[V6.2.2, V6.2.3] can be changed, by whoever gave the one before', async () => {
    const { browser, input } = await createTutor(app);
    app.clock.forward({ minutes: 11 });
    const body = { password: 'another chalk board' };
    expect((await browser.call(security.changePassword, { body })).status).toBe(403);
    const wrong = { password: 'not the one before' };
    expect((await browser.call(security.reauthenticateWithPassword, { body: wrong })).status).toBe(
      400,
    );
    expect((await browser.call(security.changePassword, { body })).status).toBe(403);
    const right = { password: input.password };
    expect((await browser.call(security.reauthenticateWithPassword, { body: right })).status).toBe(
      200,
    );
    expect((await browser.call(security.changePassword, { body })).status).toBe(200);
    expect((await logIn(input.username, input.password)).status).toBe(401);
    expect((await logIn(input.username, body.password)).status).toBe(200);
    await app.restartClock();
  });

  test('[V11.4.2] is kept as Argon2id with 19 MiB and two passes, salted for each', async () => {
    const [one, other] = [await createTutor(app), await createTutor(app)];
    const { rows } = await app.admin.query<{ hash: string }>(
      'select password_hash as hash from login_directory where username = any($1)',
      [[one.input.username, other.input.username]],
    );
    expect(rows).toHaveLength(2);
    for (const { hash } of rows)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(rows[0]?.hash).not.toBe(rows[1]?.hash);
  });

  test('[V6.4.2] no hint and no question stands in for it: no call takes one', () => {
    const asked = JSON.stringify(app.http.endpoints.map(({ path, summary }) => [path, summary]));
    expect(asked).not.toMatch(/hint|secret question|security question|maiden/i);
  });
});

describe('[V6.3.2] a new house', () => {
  test('has nobody in it: no account with a name and password that everyone knows', async () => {
    const fresh = await startTestApp();
    const { rows } = await fresh.admin.query('select username from login_directory');
    const answers = [];
    for (const [username, password] of [
      ['admin', 'admin'],
      ['root', 'root'],
      ['demo', 'demo1234'],
    ] as const)
      answers.push(
        (await fresh.browser().call(accounts.login, { body: { username, password } })).status,
      );
    await fresh.close();
    expect(rows).toEqual([]);
    expect(answers).toEqual([401, 401, 401]);
  });
});
