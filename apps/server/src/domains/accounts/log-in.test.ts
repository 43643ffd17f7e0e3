import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutor, newSignupInput, PASSWORD } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('logging in', () => {
  test('[API-07] accepts the username or the email address, regardless of case', async () => {
    const { input } = await createTutor(app);
    for (const username of [
      input.username,
      input.username.toUpperCase(),
      input.email,
      input.email.toUpperCase(),
    ]) {
      const response = await app
        .browser()
        .call(accounts.login, { body: { username, password: PASSWORD } });
      expect(response.status).toBe(200);
      expect(response.body.username).toBe(input.username);
    }
  });

  test('[API-08] returns the same error for a wrong password and an unknown username', async () => {
    const { input } = await createTutor(app);
    const wrong = await app
      .browser()
      .call(accounts.login, { body: { username: input.username, password: 'wrong one' } });
    const unknown = await app
      .browser()
      .call(accounts.login, { body: { username: 'nobody-here', password: 'wrong one' } });
    expect(wrong.status).toBe(401);
    expect(wrong.error).toEqual({
      code: 'unauthenticated',
      message: 'Invalid username or password',
    });
    expect(unknown.status).toBe(wrong.status);
    expect(unknown.error).toEqual(wrong.error);
  });

  test.each([
    [{ username: '', password: 'x' }, 'Username is required'],
    [{ username: 'ada', password: '' }, 'Password is required'],
  ])('[API-50] rejects empty fields with the same message as the form', async (body, message) => {
    const response = await app.browser().call(accounts.login, { body });
    expect(response.status).toBe(400);
    expect(response.error.message).toBe(message);
  });

  test('[AUTH-03] sets an HttpOnly, SameSite cookie named after the product', async () => {
    const { input } = await createTutor(app);
    const response = await app
      .browser()
      .call(accounts.login, { body: { username: input.username, password: PASSWORD } });
    const [line = ''] = response.headers.getSetCookie();
    expect(line).toMatch(/^lessonbook=[\w-]{40,};/);
    expect(line).toContain('HttpOnly');
    expect(line).toContain('SameSite=Lax');
    expect(line).toContain('Path=/');
  });

  test('sets a Secure __Host- cookie over HTTPS', async () => {
    const secure = await startTestApp({ APP_URL: 'https://lessonbook.example' });
    try {
      const input = newSignupInput();
      await secure.browser().call(accounts.signup, { body: input });
      const response = await secure
        .browser()
        .call(accounts.login, { body: { username: input.username, password: PASSWORD } });
      const [line = ''] = response.headers.getSetCookie();
      expect(line).toMatch(/^__Host-lessonbook=/);
      expect(line).toContain('Secure');
    } finally {
      await secure.close();
    }
  });

  test('stores only a hash of the token in the database', async () => {
    const { browser } = await createTutor(app);
    const token = browser.cookies.get('lessonbook') ?? 'none';
    const rows = await app.context.db.global.selectFrom('logins').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows.some((row) => row.token_hash.includes(token))).toBe(false);
  });
});

describe('a login', () => {
  test('[API-04] GET /api/me returns the user', async () => {
    const { browser, input } = await createTutor(app);
    const response = await browser.call(accounts.me);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      name: input.name,
      email: input.email,
      today: '2026-11-16',
    });
  });

  test("today is the date in the tutor's time zone", async () => {
    const { browser } = await createTutor(app, { timeZone: 'Pacific/Auckland' });
    expect((await browser.call(accounts.me)).body.today).toBe('2026-11-17');
  });

  test('[API-05, V7.2.1] GET /api/me returns 401 without a login or with an invalid token', async () => {
    const browser = app.browser();
    expect((await browser.call(accounts.me)).status).toBe(401);
    browser.cookies.set('lessonbook', 'made-up');
    expect((await browser.call(accounts.me)).status).toBe(401);
  });

  test('[API-09, V7.4.1] POST /api/logout takes no body, returns JSON and deletes the login on the server', async () => {
    const { browser } = await createTutor(app);
    const savedCookies = new Map(browser.cookies);
    const response = await browser.call(accounts.logout);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    // Only the trusted-device cookie remains.
    expect([...browser.cookies.keys()]).toEqual(['lessonbook-device']);
    browser.cookies = savedCookies;
    expect((await browser.call(accounts.me)).status).toBe(401);
  });

  test('[V7.3.1] expires 30 days after its last use and is then deleted by the cleanup job', async () => {
    const { browser } = await createTutor(app);
    app.clock.advance({ days: 29 });
    const extended = await browser.call(accounts.me);
    expect(extended.status).toBe(200);
    expect(extended.headers.getSetCookie()[0]).toContain('Expires=Thu, 14 Jan 2027 12:00:00 GMT');
    app.clock.advance({ days: 29 });
    expect((await browser.call(accounts.me)).status).toBe(200);
    app.clock.advance({ days: 31 });
    expect((await browser.call(accounts.me)).status).toBe(401);

    const { deleteExpiredAuthRecords } = await import('./service/delete-expired-auth-records.ts');
    await deleteExpiredAuthRecords(app.context);
    expect(await app.context.db.global.selectFrom('logins').select('tutor_id').execute()).toEqual(
      [],
    );
    expect(
      await app.context.db.global
        .selectFrom('tenant_schedule')
        .where('kind', '=', 'cleanup-accounts')
        .select('tutor_id')
        .execute(),
    ).toEqual([]);
    await app.restartClock();
  });
});
