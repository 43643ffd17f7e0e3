import { accounts } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deriveToken, randomToken } from '../platform/crypto/tokens.ts';
import { generateRecoveryCode, generateTotpSecret } from '../platform/crypto/totp.ts';
import { revokeLogins } from '../revoke-logins.ts';
import type { Browser } from '../test/browser.ts';
import { createTutorWithTotp, startMfaTestApp } from '../test/mfa-test-app.ts';
import type { TestApp } from '../test/test-app.ts';
import { createTutor } from '../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterAll(() => app.close());

const isInside = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;
const tokenOf = (browser: Browser) => browser.cookies.get('lessonbook') ?? '';
const logInWith = (
  browser: Browser,
  { username, password }: { username: string; password: string },
) => browser.call(accounts.login, { body: { username, password } });

describe('a login', () => {
  test('[V7.2.3, V11.5.1] is named by 256 random bits, each time anew', async () => {
    const { browser, input } = await createTutor(app);
    const tokens = new Set([tokenOf(browser)]);
    for (let n = 0; n < 20; n++) {
      const other = app.browser();
      await logInWith(other, input);
      tokens.add(tokenOf(other));
    }
    expect(tokens.size).toBe(21);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    // Every one of the 256 bits is sometimes set and sometimes not.
    const bits = [...tokens].map((token) => Buffer.from(token, 'base64url'));
    const ones = bits.reduce(
      (or, each) => or.map((byte, at) => byte | (each[at] ?? 0)),
      new Uint8Array(32),
    );
    const zeros = bits.reduce(
      (and, each) => and.map((byte, at) => byte & (each[at] ?? 0)),
      new Uint8Array(32).fill(255),
    );
    const [full, empty] = [ones.filter((byte) => byte === 255), zeros.filter((byte) => byte === 0)];
    expect(full.length + empty.length).toBeGreaterThan(60);
  });

  test('a token that a browser brought along is not taken: the server makes its own', async () => {
    const { input } = await createTutor(app);
    const browser = app.browser();
    browser.cookies.set('lessonbook', 'a-token-that-a-thief-knows-beforehand');
    await logInWith(browser, input);
    expect(tokenOf(browser)).not.toContain('thief');
    const thief = app.browser();
    thief.cookies.set('lessonbook', 'a-token-that-a-thief-knows-beforehand');
    expect(await isInside(thief)).toBe(false);
  });

  test('a new one ends the one that the same browser had', async () => {
    const { browser, input } = await createTutor(app);
    const before = app.browser();
    before.cookies = new Map(browser.cookies);
    expect(await isInside(before)).toBe(true);
    await logInWith(browser, input);
    expect(await isInside(browser)).toBe(true);
    expect(await isInside(before)).toBe(false);
    expect((await browser.call(security.logins)).body).toHaveLength(1);
  });

  test('[V7.2.1, V7.2.2] means nothing but a row that the server looks up: what is changed in it counts for nothing', async () => {
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
    for (const each of forged) {
      const visitor = app.browser();
      visitor.cookies.set('lessonbook', each);
      expect([each, await isInside(visitor)]).toEqual([each, false]);
    }
    expect(await isInside(browser)).toBe(true);
  });

  test('[V7.3.1] ends 30 days after it was last used', async () => {
    const { browser } = await createTutor(app);
    app.clock.forward({ days: 29 });
    expect(await isInside(browser)).toBe(true);
    app.clock.forward({ days: 30, seconds: 1 });
    expect(await isInside(browser)).toBe(false);
    await app.restartClock();
  });

  test('[V7.3.2] ends after 180 days, however often it is used', async () => {
    const { browser } = await createTutor(app);
    for (let day = 20; day <= 180; day += 20) {
      expect([day, await isInside(browser)]).toEqual([day, true]);
      app.clock.forward({ days: 20 });
    }
    app.clock.forward({ seconds: 1 });
    expect(await isInside(browser)).toBe(false);
    await app.restartClock();
  });

  test('[V7.4.1] that was ended is nowhere good any more, by whatever call', async () => {
    const { browser } = await createTutor(app);
    const kept = new Map(browser.cookies);
    await browser.call(accounts.logout);
    const closed = app.http.endpoints.filter(
      ({ access, redirects, file }) =>
        access === 'login' && !redirects && file !== 'text/event-stream',
    );
    for (const { method, path } of closed) {
      browser.cookies = new Map(kept);
      const answer = await browser.send(method, path.replace(/:\w+/g, '1'));
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });
});

describe('[V7.4.5] the operator', () => {
  test('ends the logins of one tutor, by name or address, and leaves the others', async () => {
    const { browser: ada, input } = await createTutor(app);
    const { browser: bea } = await createTutor(app);
    const url = app.urls.maintenanceUrl;
    expect(await revokeLogins(url, 'nobody@example.com')).toBe(0);
    expect(await revokeLogins(url, input.email.toUpperCase())).toBe(1);
    expect([await isInside(ada), await isInside(bea)]).toEqual([false, true]);
    await logInWith(ada, input);
    expect(await revokeLogins(url, input.username)).toBe(1);
    expect(await isInside(ada)).toBe(false);
  });

  test('ends everybody’s, also those that lack their second factor', async () => {
    const { browser: ada } = await createTutor(app);
    const { input } = await createTutorWithTotp(app);
    const half = app.browser();
    await logInWith(half, input);
    expect(await revokeLogins(app.urls.maintenanceUrl, null)).toBeGreaterThan(1);
    expect(await isInside(ada)).toBe(false);
    const { rows } = await app.admin.query(
      'select 1 from logins union all select 1 from mfa_challenges',
    );
    expect(rows).toEqual([]);
  });
});

describe('secrets that are made', () => {
  test('[V11.5.1] have at least 128 random bits, and none comes twice', () => {
    const makers: [string, () => string, RegExp][] = [
      ['tokens', () => randomToken(), /^[\w-]{32}$/],
      ['codes for an authenticator app', generateTotpSecret, /^[A-Z2-7]{32}$/],
    ];
    for (const [, make, shape] of makers) {
      const made = Array.from({ length: 2000 }, make);
      expect(new Set(made).size).toBe(2000);
      expect(made.every((each) => shape.test(each))).toBe(true);
    }
  });

  test('[V6.5.2, V6.5.3, V6.5.4] recovery codes have 120 random bits, evenly spread, so that a plain hash of them is enough', () => {
    const codes = Array.from({ length: 5000 }, generateRecoveryCode);
    expect(new Set(codes).size).toBe(5000);
    const letters = codes.join('').replaceAll('-', '');
    expect(letters).toHaveLength(5000 * 24);
    const counts = new Map<string, number>();
    for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    // 32 letters, each 3,750 times; seven deviations either way.
    expect(counts.size).toBe(32);
    for (const [letter, count] of counts)
      expect([letter, Math.abs(count - 3750) < 430]).toEqual([letter, true]);
  });

  test('[V6.4.1] tokens of mailed links cannot be told from random ones without the key, and differ by purpose', () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const token = deriveToken(key, 'verify-email', 'id');
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(deriveToken(other, 'verify-email', 'id')).not.toBe(token);
    expect(deriveToken(key, 'reset-password', 'id')).not.toBe(token);
    expect(deriveToken(key, 'verify-email', 'id2')).not.toBe(token);
  });
});
