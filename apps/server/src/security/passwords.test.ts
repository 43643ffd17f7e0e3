import { accounts } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCommonPassword } from '../platform/crypto/common-passwords.ts';
import { createTutor, newSignupInput, readTokenFromEmail } from '../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const signUp = (password: string, overrides = {}) =>
  app.browser().call(accounts.signup, { body: newSignupInput({ password, ...overrides }) });
const logIn = (username: string, password: string) =>
  app.browser().call(accounts.login, { body: { username, password } });

/** The three ways to set a password. */
const passwordSetters: [string, (password: string) => ReturnType<typeof signUp>][] = [
  ['sign-up', (password) => signUp(password)],
  [
    'password change',
    async (password) => {
      const { browser } = await createTutor(app);
      return browser.call(security.changePassword, { body: { password } }) as never;
    },
  ],
  [
    'password reset',
    async (password) => {
      const { input } = await createTutor(app);
      await app.browser().call(accounts.forgotPassword, { body: { account: input.email } });
      const token = await readTokenFromEmail(app, input.email, 'reset-password');
      const body = { token, password };
      return app.browser().call(accounts.resetPassword, { body }) as never;
    },
  ],
];

describe.each(passwordSetters)('%s', (_, setPassword) => {
  test.each([
    ['[V6.2.1] a password shorter than eight characters', '1234567', /at least 8 characters/],
    ['[V6.2.4] a very common password', 'Password1', /data breach/],
    ['[V6.2.12] a leaked password', 'iloveyou2', /data breach/],
    ['[V6.2.11] a password with the name of the product', 'Lessonbook2026', /easy to guess/],
  ])('%s is rejected with a field error', async (_case, password, message) => {
    const response = await setPassword(password);
    expect(response.status).toBe(400);
    expect(response.error.fields?.['password']).toMatch(message);
  });
});

test.each([
  ['lower-case letters only', 'onlysmallletters'],
  ['uncommon digits only', '904715338261'],
  ['spaces and punctuation', ' "quotes" & <tags>; '],
  ['Cyrillic letters', 'проверка связи'],
  ['emoji', '🦊🐍🎲🪁🧭🪑🎈🧵'],
  ['[V6.2.9] two hundred characters', 'long enough '.repeat(16).slice(0, 200)],
])('[V6.2.5] accepts %s, because there are no composition rules', async (_case, password) => {
  expect((await signUp(password)).status).toBeLessThan(300);
});

describe('the list of common passwords', () => {
  test('[V6.2.4] contains the most common passwords of at least eight characters', () => {
    const common = ['password', '12345678', '123456789', 'baseball', 'football', 'iloveyou'];
    const alsoCommon = ['sunshine', 'princess', 'superman', 'trustno1', 'qwertyuiop', 'passw0rd'];
    expect([...common, ...alsoCommon].filter((word) => !isCommonPassword(word))).toEqual([]);
  });

  test('[V6.2.12] ignores case and has no false positives', () => {
    expect(isCommonPassword('IloveYou')).toBe(true);
    const others = Array.from({ length: 20_000 }, (_, n) => `chalk ${n} board`);
    expect(others.filter((word) => isCommonPassword(word))).toEqual([]);
  });
});

describe('a password', () => {
  const PASSWORD = ` Ünïcode — CASE and spaces ${'x'.repeat(40)}y `;

  test('[V6.2.8] is compared exactly: no truncation, case folding, trimming or normalisation', async () => {
    const { input } = await createTutor(app, { password: PASSWORD });
    expect((await logIn(input.username, PASSWORD)).status).toBe(200);
    const similar = [
      PASSWORD.trim(),
      PASSWORD.toLowerCase(),
      PASSWORD.slice(0, -1),
      PASSWORD.slice(0, 64),
      PASSWORD.normalize('NFD'),
      `${PASSWORD} `,
    ];
    for (const other of similar) expect((await logIn(input.username, other)).status).toBe(401);
  });

  test('[V6.2.10] never expires', async () => {
    const { input } = await createTutor(app);
    app.clock.advance({ days: 3 * 365 });
    const response = await logIn(input.username, input.password);
    expect([response.status, Object.keys(response.body)]).toEqual([
      200,
      expect.not.arrayContaining(['mustChangePassword']),
    ]);
    await app.restartClock();
  });

  test('[V6.2.2, V6.2.3] can be changed after entering the current one', async () => {
    const { browser, input } = await createTutor(app);
    app.clock.advance({ minutes: 11 });
    const body = { password: 'another chalk board' };
    expect((await browser.call(security.changePassword, { body })).status).toBe(403);
    const wrong = { password: 'not the one before' };
    expect((await browser.call(security.reauthenticateWithPassword, { body: wrong })).status).toBe(
      400,
    );
    expect((await browser.call(security.changePassword, { body })).status).toBe(403);
    const correct = { password: input.password };
    expect(
      (await browser.call(security.reauthenticateWithPassword, { body: correct })).status,
    ).toBe(200);
    expect((await browser.call(security.changePassword, { body })).status).toBe(200);
    expect((await logIn(input.username, input.password)).status).toBe(401);
    expect((await logIn(input.username, body.password)).status).toBe(200);
    await app.restartClock();
  });

  test('[V11.4.2] is stored as a salted Argon2id hash with 19 MiB and two iterations', async () => {
    const [first, second] = [await createTutor(app), await createTutor(app)];
    const { rows } = await app.admin.query<{ hash: string }>(
      'select password_hash as hash from login_directory where username = any($1)',
      [[first.input.username, second.input.username]],
    );
    expect(rows).toHaveLength(2);
    for (const { hash } of rows)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(rows[0]?.hash).not.toBe(rows[1]?.hash);
  });

  test('[V6.4.2] has no hints or security questions', () => {
    const descriptions = JSON.stringify(
      app.http.endpoints.map(({ path, summary }) => [path, summary]),
    );
    expect(descriptions).not.toMatch(/hint|secret question|security question|maiden/i);
  });
});

describe('[V6.3.2] a new installation', () => {
  test('has no default accounts', async () => {
    const newApp = await startTestApp();
    const { rows } = await newApp.admin.query('select username from login_directory');
    const responses = [];
    for (const [username, password] of [
      ['admin', 'admin'],
      ['root', 'root'],
      ['demo', 'demo1234'],
    ] as const)
      responses.push(
        (await newApp.browser().call(accounts.login, { body: { username, password } })).status,
      );
    await newApp.close();
    expect(rows).toEqual([]);
    expect(responses).toEqual([401, 401, 401]);
  });
});
