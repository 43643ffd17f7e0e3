import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { newSignupInput, PASSWORD } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeEach(async () => {
  await app?.close();
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => app.close());

const from = (address: string) => app.browser({ 'x-forwarded-for': address });

describe('[CONST-15, V2.3.2, V2.4.1, V6.3.1] rate limits', () => {
  test('returns 429 with Retry-After after six wrong passwords for an account from six networks', async () => {
    const input = newSignupInput();
    await from('192.0.2.1').call(accounts.signup, { body: input });
    const guess = (n: number, username: string) =>
      from(`198.51.100.${n}`).call(accounts.login, { body: { username, password: 'wrong one' } });
    for (let n = 1; n <= 6; n++)
      expect((await guess(n, n % 2 ? input.username : input.email.toUpperCase())).status).toBe(401);
    const limited = await guess(7, input.username);
    expect(limited.status).toBe(429);
    expect(limited.error).toEqual({
      code: 'too_many_requests',
      message: 'Too many attempts. Please wait a few minutes and try again.',
    });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const logInCorrectly = () =>
      from('192.0.2.1').call(accounts.login, {
        body: { username: input.username, password: PASSWORD },
      });
    expect((await logInCorrectly()).status).toBe(429);
    app.clock.advance({ minutes: 15 });
    expect((await logInCorrectly()).status).toBe(200);
    // A successful login does not count towards the limit, so exactly one attempt is left.
    expect((await guess(8, input.username)).status).toBe(401);
    expect((await guess(9, input.username)).status).toBe(429);
  });

  test('concurrent requests are allowed no more attempts than sequential ones', async () => {
    const input = newSignupInput();
    await from('192.0.2.1').call(accounts.signup, { body: input });
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        from(`198.51.100.${n}`).call(accounts.login, {
          body: { username: input.username, password: 'wrong one' },
        }),
      ),
    );
    expect(responses.filter((response) => response.status === 401)).toHaveLength(6);
    expect(responses.filter((response) => response.status === 429)).toHaveLength(24);
  });

  test('[T14] limits sign-ups per network, treating an IPv6 /64 as one network', async () => {
    for (let n = 0; n < 10; n++) {
      expect(
        (await from(`2001:db8:7:8:${n}::1`).call(accounts.signup, { body: newSignupInput() }))
          .status,
      ).toBe(201);
    }
    expect(
      (await from('2001:db8:7:8:ffff::9').call(accounts.signup, { body: newSignupInput() })).status,
    ).toBe(429);
    expect(
      (await from('2001:db8:7:9::1').call(accounts.signup, { body: newSignupInput() })).status,
    ).toBe(201);
  });

  test('limits password resets per account', async () => {
    const reset = (n: number) =>
      from(`198.51.100.${n}`).call(accounts.forgotPassword, {
        body: { account: 'Ada@example.com' },
      });
    for (let n = 0; n < 5; n++) expect((await reset(n)).status).toBe(202);
    expect((await reset(6)).status).toBe(429);
  });

  test('[V4.1.3, V15.3.4, T14] ignores X-Forwarded-For unless it comes from a trusted proxy', async () => {
    await app.close();
    app = await startTestApp();
    for (let n = 0; n < 10; n++)
      await from(`203.0.113.${n}`).call(accounts.signup, { body: newSignupInput() });
    expect(
      (await from('203.0.113.99').call(accounts.signup, { body: newSignupInput() })).status,
    ).toBe(429);
  });

  test('[V16.5.3, T14] rejects requests when the rate limiter fails', async () => {
    await app.context.db.global.deleteFrom('rate_limits').execute();
    const { default: pg } = await import('pg');
    const owner = new pg.Client(app.urls.ownerUrl);
    await owner.connect();
    await owner.query('revoke all on rate_limits from lessonbook_app');
    await owner.end();
    const response = await from('192.0.2.1').call(accounts.login, {
      body: { username: 'ada', password: PASSWORD },
    });
    expect(response.status).toBe(503);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});
