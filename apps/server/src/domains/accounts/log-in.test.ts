import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, newSignupInput, PASSWORD } from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('logging in', () => {
  test('[API-07] with username and password answers the user; so does the e-mail address, in any letter case', async () => {
    const { input } = await createTutor(app);
    for (const username of [
      input.username,
      input.username.toUpperCase(),
      input.email,
      input.email.toUpperCase(),
    ]) {
      const answer = await app
        .browser()
        .call(accounts.login, { body: { username, password: PASSWORD } });
      expect(answer.status).toBe(200);
      expect(answer.body.username).toBe(input.username);
    }
  });

  test('[API-08] a wrong password and an unknown name get the same answer with a message', async () => {
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
  ])('[API-50] refuses empty fields with the words of the form', async (body, message) => {
    const answer = await app.browser().call(accounts.login, { body });
    expect(answer.status).toBe(400);
    expect(answer.error.message).toBe(message);
  });

  test('[AUTH-03] the login is held by a cookie named after the product, out of reach of scripts and other sites', async () => {
    const { input } = await createTutor(app);
    const answer = await app
      .browser()
      .call(accounts.login, { body: { username: input.username, password: PASSWORD } });
    const [line = ''] = answer.headers.getSetCookie();
    expect(line).toMatch(/^lessonbook=[\w-]{40,};/);
    expect(line).toContain('HttpOnly');
    expect(line).toContain('SameSite=Lax');
    expect(line).toContain('Path=/');
  });

  test('behind https the cookie is Secure and bound to the host', async () => {
    const secure = await startTestApp({ APP_URL: 'https://lessonbook.example' });
    try {
      const input = newSignupInput();
      await secure.browser().call(accounts.signup, { body: input });
      const answer = await secure
        .browser()
        .call(accounts.login, { body: { username: input.username, password: PASSWORD } });
      const [line = ''] = answer.headers.getSetCookie();
      expect(line).toMatch(/^__Host-lessonbook=/);
      expect(line).toContain('Secure');
    } finally {
      await secure.close();
    }
  });

  test('only a hash of the token is kept in the database', async () => {
    const { browser } = await createTutor(app);
    const token = browser.cookies.get('lessonbook') ?? 'none';
    const rows = await app.context.db.global.selectFrom('logins').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows.some((row) => row.token_hash.includes(token))).toBe(false);
  });
});

describe('being signed in', () => {
  test('[API-04] GET /api/me answers the user', async () => {
    const { browser, input } = await createTutor(app);
    const answer = await browser.call(accounts.me);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      name: input.name,
      email: input.email,
      today: '2026-11-16',
    });
  });

  test("today is the tutor's own date", async () => {
    const { browser } = await createTutor(app, { timeZone: 'Pacific/Auckland' });
    expect((await browser.call(accounts.me)).body.today).toBe('2026-11-17');
  });

  test('[API-05, V7.2.1] GET /api/me answers 401 when not logged in, also with a made-up token', async () => {
    const browser = app.browser();
    expect((await browser.call(accounts.me)).status).toBe(401);
    browser.cookies.set('lessonbook', 'made-up');
    expect((await browser.call(accounts.me)).status).toBe(401);
  });

  test('[API-09, V7.4.1] POST /api/logout has an empty body, answers JSON and ends the login on the server', async () => {
    const { browser } = await createTutor(app);
    const kept = new Map(browser.cookies);
    const answer = await browser.call(accounts.logout);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    // That somebody has logged in with this browser before is all it keeps.
    expect([...browser.cookies.keys()]).toEqual(['lessonbook-device']);
    browser.cookies = kept;
    expect((await browser.call(accounts.me)).status).toBe(401);
  });

  test('[V7.3.1] a login ends 30 days after its last use, and the tidying job forgets it', async () => {
    const { browser } = await createTutor(app);
    app.clock.forward({ days: 29 });
    const prolonged = await browser.call(accounts.me);
    expect(prolonged.status).toBe(200);
    expect(prolonged.headers.getSetCookie()[0]).toContain('Expires=Thu, 14 Jan 2027 12:00:00 GMT');
    app.clock.forward({ days: 29 });
    expect((await browser.call(accounts.me)).status).toBe(200);
    app.clock.forward({ days: 31 });
    expect((await browser.call(accounts.me)).status).toBe(401);

    const { deleteExpiredAccountData } = await import('./service/deletion/cleanup-expired.ts');
    await deleteExpiredAccountData(app.context);
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
