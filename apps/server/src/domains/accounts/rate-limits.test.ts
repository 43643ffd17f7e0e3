import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { newSignupInput, PASSWORD } from '../../test/tutor.ts';

let app: TestApp;
beforeEach(async () => {
  await app?.close();
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => app.close());

const from = (address: string) => app.browser({ 'x-forwarded-for': address });

describe('[CONST-15, V2.3.2, V2.4.1, V6.3.1] rate limits', () => {
  test('six wrong passwords for an account, from six networks, then 429 with a message and Retry-After', async () => {
    const input = newSignupInput();
    await from('192.0.2.1').call(accounts.signup, { body: input });
    const guess = (n: number, username: string) =>
      from(`198.51.100.${n}`).call(accounts.login, { body: { username, password: 'wrong one' } });
    for (let n = 1; n <= 6; n++)
      expect((await guess(n, n % 2 ? input.username : input.email.toUpperCase())).status).toBe(401);
    const refused = await guess(7, input.username);
    expect(refused.status).toBe(429);
    expect(refused.error).toEqual({
      code: 'too_many_requests',
      message: 'Too many attempts. Please wait a little and try again.',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const right = () =>
      from('192.0.2.1').call(accounts.login, {
        body: { username: input.username, password: PASSWORD },
      });
    expect((await right()).status).toBe(429);
    app.clock.forward({ minutes: 15 });
    expect((await right()).status).toBe(200);
    // The right one was given back, so there is one left; and not one more.
    expect((await guess(8, input.username)).status).toBe(401);
    expect((await guess(9, input.username)).status).toBe(429);
  });

  test('a burst at the same moment gets no more tries than one after the other', async () => {
    const input = newSignupInput();
    await from('192.0.2.1').call(accounts.signup, { body: input });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        from(`198.51.100.${n}`).call(accounts.login, {
          body: { username: input.username, password: 'wrong one' },
        }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(6);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(24);
  });

  test('[T14] sign-ups of one network, where a whole IPv6 /64 is one', async () => {
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

  test('password resets of one account', async () => {
    const reset = (n: number) =>
      from(`198.51.100.${n}`).call(accounts.forgotPassword, {
        body: { account: 'Ada@example.com' },
      });
    for (let n = 0; n < 5; n++) expect((await reset(n)).status).toBe(202);
    expect((await reset(6)).status).toBe(429);
  });

  test('[V4.1.3, V15.3.4, T14] a forwarded address counts only when a trusted proxy says it', async () => {
    await app.close();
    app = await startTestApp();
    for (let n = 0; n < 10; n++)
      await from(`203.0.113.${n}`).call(accounts.signup, { body: newSignupInput() });
    expect(
      (await from('203.0.113.99').call(accounts.signup, { body: newSignupInput() })).status,
    ).toBe(429);
  });

  test('[V16.5.3, T14] when the limiter cannot count, nobody gets through', async () => {
    await app.context.db.global.deleteFrom('rate_limits').execute();
    const { default: pg } = await import('pg');
    const owner = new pg.Client(app.urls.ownerUrl);
    await owner.connect();
    await owner.query('revoke all on rate_limits from lessonbook_app');
    await owner.end();
    const answer = await from('192.0.2.1').call(accounts.login, {
      body: { username: 'ada', password: PASSWORD },
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});
