import { accounts } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateRecoveryCode } from '../platform/crypto/recovery-codes.ts';
import { deriveToken, randomToken } from '../platform/crypto/tokens.ts';
import { generateTotpSecret } from '../platform/crypto/totp.ts';
import { revokeLogins } from '../revoke-logins.ts';
import type { Browser } from '../test/browser-client.ts';
import { createTutor } from '../test/create-tutor.ts';
import { createTutorWithTotp, startMfaTestApp } from '../test/mfa-test-app.ts';
import type { TestApp } from '../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterAll(() => app.close());

const isLoggedIn = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;
const tokenOf = (browser: Browser) => browser.cookies.get('lessonbook') ?? '';
const logInWith = (
  browser: Browser,
  { username, password }: { username: string; password: string },
) => browser.call(accounts.login, { body: { username, password } });

describe('a login', () => {
  test('[V7.2.3, V11.5.1] has a new random 256-bit token each time', async () => {
    const { browser, input } = await createTutor(app);
    const tokens = new Set([tokenOf(browser)]);
    for (let n = 0; n < 20; n++) {
      const other = app.browser();
      await logInWith(other, input);
      tokens.add(tokenOf(other));
    }
    expect(tokens.size).toBe(21);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    // Every bit is set in some tokens and clear in others.
    const bits = [...tokens].map((token) => Buffer.from(token, 'base64url'));
    const ones = bits.reduce(
      (or, token) => or.map((byte, index) => byte | (token[index] ?? 0)),
      new Uint8Array(32),
    );
    const zeros = bits.reduce(
      (and, token) => and.map((byte, index) => byte & (token[index] ?? 0)),
      new Uint8Array(32).fill(255),
    );
    const [full, empty] = [ones.filter((byte) => byte === 255), zeros.filter((byte) => byte === 0)];
    expect(full.length + empty.length).toBeGreaterThan(60);
  });

  test('never uses a token supplied by the browser, which prevents session fixation', async () => {
    const { input } = await createTutor(app);
    const browser = app.browser();
    browser.cookies.set('lessonbook', 'a-token-chosen-by-an-attacker');
    await logInWith(browser, input);
    expect(tokenOf(browser)).not.toContain('attacker');
    const attacker = app.browser();
    attacker.cookies.set('lessonbook', 'a-token-chosen-by-an-attacker');
    expect(await isLoggedIn(attacker)).toBe(false);
  });

  test('revokes the previous login in the same browser', async () => {
    const { browser, input } = await createTutor(app);
    const previous = app.browser();
    previous.cookies = new Map(browser.cookies);
    expect(await isLoggedIn(previous)).toBe(true);
    await logInWith(browser, input);
    expect(await isLoggedIn(browser)).toBe(true);
    expect(await isLoggedIn(previous)).toBe(false);
    expect((await browser.call(security.logins)).body).toHaveLength(1);
  });

  test('[V7.2.1, V7.2.2] has an opaque token that the server looks up, and modified tokens are rejected', async () => {
    const { browser } = await createTutor(app);
    const token = tokenOf(browser);
    const forged = [
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      Buffer.from(JSON.stringify({ tutor: 1 })).toString('base64url'),
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
      '',
      'null',
    ];
    for (const cookie of forged) {
      const visitor = app.browser();
      visitor.cookies.set('lessonbook', cookie);
      expect([cookie, await isLoggedIn(visitor)]).toEqual([cookie, false]);
    }
    expect(await isLoggedIn(browser)).toBe(true);
  });

  test('[V7.3.1] expires 30 days after its last use', async () => {
    const { browser } = await createTutor(app);
    app.clock.advance({ days: 29 });
    expect(await isLoggedIn(browser)).toBe(true);
    app.clock.advance({ days: 30, seconds: 1 });
    expect(await isLoggedIn(browser)).toBe(false);
    await app.restartClock();
  });

  test('[V7.3.2] expires after 180 days, whether or not it is used', async () => {
    const { browser } = await createTutor(app);
    for (let day = 20; day <= 180; day += 20) {
      expect([day, await isLoggedIn(browser)]).toEqual([day, true]);
      app.clock.advance({ days: 20 });
    }
    app.clock.advance({ seconds: 1 });
    expect(await isLoggedIn(browser)).toBe(false);
    await app.restartClock();
  });

  test('[V7.4.1] is rejected by every endpoint after logout', async () => {
    const { browser } = await createTutor(app);
    const saved = new Map(browser.cookies);
    await browser.call(accounts.logout);
    const endpoints = app.http.endpoints.filter(
      ({ access, redirects, file }) =>
        access === 'login' && !redirects && file !== 'text/event-stream',
    );
    for (const { method, path } of endpoints) {
      browser.cookies = new Map(saved);
      const response = await browser.send(method, path.replace(/:\w+/g, '1'));
      expect([path, response.status]).toEqual([path, 401]);
    }
  });
});

describe('[V7.4.5] revokeLogins', () => {
  test('revokes the logins of one tutor by username or email address, and no others', async () => {
    const { browser: ada, input } = await createTutor(app);
    const { browser: bea } = await createTutor(app);
    const url = app.urls.maintenanceUrl;
    expect(await revokeLogins(url, 'nobody@example.com')).toBe(0);
    expect(await revokeLogins(url, input.email.toUpperCase())).toBe(1);
    expect([await isLoggedIn(ada), await isLoggedIn(bea)]).toEqual([false, true]);
    await logInWith(ada, input);
    expect(await revokeLogins(url, input.username)).toBe(1);
    expect(await isLoggedIn(ada)).toBe(false);
  });

  test('revokes all logins, including those awaiting a second factor', async () => {
    const { browser: ada } = await createTutor(app);
    const { input } = await createTutorWithTotp(app);
    const pending = app.browser();
    await logInWith(pending, input);
    expect(await revokeLogins(app.urls.maintenanceUrl, null)).toBeGreaterThan(1);
    expect(await isLoggedIn(ada)).toBe(false);
    const { rows } = await app.admin.query(
      'select 1 from logins union all select 1 from mfa_challenges',
    );
    expect(rows).toEqual([]);
  });
});

describe('generated secrets', () => {
  test('[V11.5.1] have at least 128 random bits and are unique', () => {
    const generators: [string, () => string, RegExp][] = [
      ['tokens', () => randomToken(), /^[\w-]{32}$/],
      ['TOTP secrets', generateTotpSecret, /^[A-Z2-7]{32}$/],
    ];
    for (const [, generate, format] of generators) {
      const secrets = Array.from({ length: 2000 }, generate);
      expect(new Set(secrets).size).toBe(2000);
      expect(secrets.every((secret) => format.test(secret))).toBe(true);
    }
  });

  test('[V6.5.2, V6.5.3, V6.5.4] recovery codes have 120 uniformly random bits, so an unsalted hash is sufficient', () => {
    const codes = Array.from({ length: 5000 }, generateRecoveryCode);
    expect(new Set(codes).size).toBe(5000);
    const characters = codes.join('').replaceAll('-', '');
    expect(characters).toHaveLength(5000 * 24);
    const counts = new Map<string, number>();
    for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
    // 32 characters, each expected 3,750 times; the tolerance is seven standard deviations.
    expect(counts.size).toBe(32);
    for (const [character, count] of counts)
      expect([character, Math.abs(count - 3750) < 430]).toEqual([character, true]);
  });

  test('[V6.4.1] tokens in emailed links depend on the key, the purpose and the subject', () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const token = deriveToken(key, 'verify-email', 'id');
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(deriveToken(other, 'verify-email', 'id')).not.toBe(token);
    expect(deriveToken(key, 'reset-password', 'id')).not.toBe(token);
    expect(deriveToken(key, 'verify-email', 'id2')).not.toBe(token);
  });
});
