import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutor, newSignupInput, readTokenFromEmail } from '../../test/create-tutor.ts';
import {
  chooseGoogleAccount,
  completeGoogleConsent,
  createPendingGoogleLogin,
  type GoogleLoginTestApp,
  loginWithCredential,
  loginWithGoogle,
  newGoogleUser,
  readPendingGoogleUser,
  startGoogleLogin,
  startGoogleLoginTestApp,
} from '../../test/google-login-test-app.ts';
import { startTestApp } from '../../test/test-app.ts';

let app: GoogleLoginTestApp;
beforeAll(async () => {
  app = await startGoogleLoginTestApp();
});
afterAll(() => app.close());

describe('the OAuth redirect', () => {
  test('[V10.2.1] uses PKCE, state and nonce, and requests only the identity scopes', async () => {
    const authUrl = new URL(await startGoogleLogin(app.browser()));
    expect(authUrl.origin).toBe(app.google.url);
    const params = Object.fromEntries(authUrl.searchParams);
    expect(params).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      prompt: 'select_account',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(params[name]).toMatch(/^[\w-]{43}$/);
    expect(params['nonce']).not.toBe(params['state']);
  });

  test.each(['login', 'signup'] as const)('returns to the %s page', async (page) => {
    const returnUrl = await completeGoogleConsent(app.browser(), newGoogleUser(), page);
    expect(returnUrl).toBe(`http://127.0.0.1:1/${page}?google=done`);
  });

  test('[V3.7.2] rejects a return page on another site', async () => {
    const response = await app.browser().send('GET', '/api/google/sign-in?from=//evil.example');
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('returns with google=cancelled and no pending user when the user cancels', async () => {
    const browser = app.browser();
    expect(await completeGoogleConsent(browser, 'cancel', 'signup')).toMatch(
      /\/signup\?google=cancelled$/,
    );
    expect((await browser.call(googleSignIn.pending)).body).toEqual({ user: null });
  });

  test('[V10.1.1] the browser gets the identity but no token from Google', async () => {
    const browser = app.browser();
    const person = newGoogleUser({ sub: '1234567890', name: 'Grace Quill' });
    await completeGoogleConsent(browser, person);
    const { body } = await browser.call(googleSignIn.pending);
    expect(body.user).toEqual({
      credential: expect.stringMatching(/^[\w-]{43}$/),
      name: 'Grace Quill',
      email: person.email,
      providerId: '1234567890',
      photoURL: null,
    });
    expect(JSON.stringify([body, ...browser.cookies])).not.toMatch(/eyJ/);
  });

  test('its cookie is HttpOnly and is removed after login', async () => {
    const browser = app.browser();
    const response = await browser.send('GET', googleSignIn.start.path);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^lessonbook-google=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
    );
    await browser.send(
      'GET',
      await chooseGoogleAccount(response.headers.get('location') ?? '', newGoogleUser()),
    );
    await loginWithCredential(browser, (await readPendingGoogleUser(browser)).credential);
    expect([...browser.cookies.keys()]).toEqual(['lessonbook', 'lessonbook-device']);
  });

  test('its cookie has the __Host- prefix over HTTPS', async () => {
    const secure = await startGoogleLoginTestApp({
      APP_URL: 'https://lessonbook.example',
      RATE_LIMIT_FACTOR: '1',
    });
    const response = await secure.browser().send('GET', googleSignIn.start.path);
    await secure.close();
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-lessonbook-google=.*; Secure/);
  });

  test('is not available when Google sign-in is not configured', async () => {
    const withoutGoogle = await startTestApp();
    const options = await withoutGoogle.browser().call(accounts.signInOptions);
    const response = await withoutGoogle.browser().send('GET', googleSignIn.start.path);
    await withoutGoogle.close();
    expect(options.body.google).toBe(false);
    expect(response.status).toBe(404);
    expect((await app.browser().call(accounts.signInOptions)).body.google).toBe(true);
  });

  test('returns with google=failed when Google is unreachable', async () => {
    const unreachable = await startGoogleLoginTestApp();
    await unreachable.google.close();
    const returnUrl = await startGoogleLogin(unreachable.browser(), 'signup');
    await unreachable.close().catch(() => {});
    expect(returnUrl).toBe('http://127.0.0.1:1/signup?google=failed');
  });
});

describe('[AUTH-02] logging in with Google', () => {
  test('creates a verified account with a free trial on the first login', async () => {
    const person = newGoogleUser({ name: 'Grace Quill' });
    const { browser, response } = await loginWithGoogle(app, person);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      name: 'Grace Quill',
      email: person.email,
      username: person.email.split('@')[0],
      emailVerified: true,
      trialDaysLeft: 14,
    });
    expect((await browser.call(accounts.me)).body).toEqual(response.body);
  });

  test('[V10.5.2] finds the same account on the second login, even if the name and email address have changed at Google', async () => {
    const first = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '77', email: 'first.address@gmail.com' }),
    );
    const second = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '77', name: 'Grace Otherwise' }),
    );
    expect(second.response.body.id).toBe(first.response.body.id);
    expect(second.response.body).toMatchObject({
      name: 'Grace Quill',
      email: 'first.address@gmail.com',
    });
  });

  test('[V6.8.1] identifies a user by the combination of provider and subject', async () => {
    const { rows } = await app.admin.query<{ key: string }>(
      `select pg_get_constraintdef(oid) as key from pg_constraint where conname = 'identities_pkey'`,
    );
    expect(rows[0]?.key).toBe('PRIMARY KEY (provider, subject)');
    await expect(
      app.admin.query(`insert into identities (provider, subject, id, tutor_id, created_at)
        select 'another', '1', gen_random_uuid(), tutor_id, now() from tutors limit 1`),
    ).rejects.toThrow('identities_provider_check');
  });

  test('[V7.6.1] the login expires like any other, and the next login goes through Google again', async () => {
    const { browser, person } = await loginWithGoogle(app);
    app.clock.advance({ days: 29 });
    expect((await browser.call(accounts.me)).status).toBe(200);
    app.clock.advance({ days: 31 });
    expect((await browser.call(accounts.me)).status).toBe(401);
    // Google must show the account chooser even if the user is already logged in to Google.
    expect(new URL(await startGoogleLogin(app.browser())).searchParams.get('prompt')).toBe(
      'select_account',
    );
    const again = await loginWithGoogle(app, person);
    expect((await again.browser.call(accounts.me)).status).toBe(200);
    await app.restartClock();
  });

  test('[V10.5.2] an email address reassigned to another Google account gives no access', async () => {
    const old = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '81', email: 'passed.on@gmail.com' }),
    );
    const { response } = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '82', email: 'passed.on@gmail.com' }),
    );
    expect(response.error.code).toBe('password_needed');
    expect((await old.browser.call(accounts.me)).status).toBe(200);
  });

  test('an email address not hosted by Google must be verified through a link that we email', async () => {
    const person = newGoogleUser({ email: 'grace.late@families.example' });
    const { browser, response } = await loginWithGoogle(app, person);
    expect(response.body.emailVerified).toBe(false);
    const token = await readTokenFromEmail(app, person.email, 'verify-email');
    await browser.call(accounts.confirmEmail, { body: { token } });
    expect((await browser.call(accounts.me)).body.emailVerified).toBe(true);
  });

  test('an email address that Google hosts for a school counts as verified', async () => {
    const person = newGoogleUser({ email: 'grace@school.example', hd: 'school.example' });
    expect((await loginWithGoogle(app, person)).response.body.emailVerified).toBe(true);
  });

  test('returns 400 with a message when Google does not share an email address', async () => {
    const { response } = await loginWithGoogle(app, { sub: '4711', name: 'Nobody' });
    expect(response.status).toBe(400);
    expect(response.error.message).toBe(
      "Google didn't share your email address, which Lessonbook needs. Please try again and allow it.",
    );
  });

  test('[AUTH-41] the username is the local part of the email address, with a number appended if it is taken', async () => {
    await createTutor(app, { username: 'Mixed.Name' });
    const person = newGoogleUser({ email: 'mixed.name@gmail.com' });
    expect((await loginWithGoogle(app, person)).response.body.username).toBe('mixed.name2');
  });

  test('a new account uses the browser’s time zone', async () => {
    const { browser, credential } = await createPendingGoogleLogin(app);
    const response = await browser.call(googleSignIn.socialAuth, {
      body: { credential, timeZone: 'Europe/Lisbon' },
    });
    expect(response.body.timeZone).toBe('Europe/Lisbon');
  });

  test('an account without a password can change its profile and set a password through an email link', async () => {
    const { browser, person } = await loginWithGoogle(app, newGoogleUser());
    const email = person.email ?? '';
    const changed = await browser.call(accounts.updateMe, { body: { name: 'Grace New', email } });
    expect(changed.body.name).toBe('Grace New');
    const login = { username: email, password: 'chosen by mail' };
    expect((await app.browser().call(accounts.login, { body: login })).status).toBe(401);
    await app.browser().call(accounts.forgotPassword, { body: { account: email } });
    const token = await readTokenFromEmail(app, email, 'reset-password');
    await app.browser().call(accounts.resetPassword, { body: { token, password: login.password } });
    expect((await browser.call(accounts.me)).status).toBe(401);
    expect((await app.browser().call(accounts.login, { body: login })).status).toBe(200);
    // Google and Lessonbook have both verified the address, so Google is linked again automatically.
    expect((await loginWithGoogle(app, person)).response.body.name).toBe('Grace New');
  });

  test('eight concurrent first logins by one user create one account', async () => {
    const person = newGoogleUser({ sub: '8888' });
    const tabs = await Promise.all(
      Array.from({ length: 8 }, () => createPendingGoogleLogin(app, person)),
    );
    const responses = await Promise.all(tabs.map(({ logIn }) => logIn()));
    expect(responses.map((response) => response.status)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1);
  });

  test('five concurrent sign-ups with the same name get five usernames', async () => {
    const pendingLogins = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((domain) =>
        createPendingGoogleLogin(
          app,
          newGoogleUser({ email: `many.hands@${domain}.example`, hd: `${domain}.example` }),
        ),
      ),
    );
    const responses = await Promise.all(pendingLogins.map(({ logIn }) => logIn()));
    const names = responses.map((response) => response.body.username);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^many\.hands\d?$/);
  });

  test('signing up with the form and with Google concurrently creates only one account', async () => {
    const person = newGoogleUser();
    const { logIn } = await createPendingGoogleLogin(app, person);
    const [googleResponse, formResponse] = await Promise.all([
      logIn(),
      app.browser().call(accounts.signup, { body: newSignupInput({ email: person.email }) }),
    ]);
    expect([googleResponse.status, formResponse.status]).toSatisfy(
      ([google, form]: number[]) =>
        (google === 200 && form === 409) || (google === 409 && form === 201),
    );
  });
});
