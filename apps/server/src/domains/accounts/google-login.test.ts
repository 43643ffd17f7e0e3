import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chooseGoogleAccount,
  completeGoogleConsent,
  createGoogleTicket,
  type GoogleLoginTestApp,
  loginWithCredential,
  loginWithGoogle,
  newGoogleUser,
  readPendingGoogleUser,
  startGoogleLogin,
  startGoogleLoginTestApp,
} from '../../test/google-login-test-app.ts';
import { startTestApp } from '../../test/test-app.ts';
import { createTutor, newSignupInput, readMailedToken } from '../../test/tutor.ts';

let app: GoogleLoginTestApp;
beforeAll(async () => {
  app = await startGoogleLoginTestApp();
});
afterAll(() => app.close());

describe('the way to Google and back', () => {
  test('[V10.2.1] goes with PKCE, a state and a nonce, and asks for no more than who somebody is', async () => {
    const way = new URL(await startGoogleLogin(app.browser()));
    expect(way.origin).toBe(app.google.url);
    const asked = Object.fromEntries(way.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      prompt: 'select_account',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(asked[name]).toMatch(/^[\w-]{43}$/);
    expect(asked['nonce']).not.toBe(asked['state']);
  });

  test.each(['login', 'signup'] as const)('ends on the %s page again', async (page) => {
    const end = await completeGoogleConsent(app.browser(), newGoogleUser(), page);
    expect(end).toBe(`http://127.0.0.1:1/${page}?google=done`);
  });

  test('[V3.7.2] ends on our own pages alone, whatever the address says', async () => {
    const answer = await app.browser().send('GET', '/api/google/sign-in?from=//evil.example');
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  test('whoever presses Cancel comes back with that word, and nobody is vouched for', async () => {
    const browser = app.browser();
    expect(await completeGoogleConsent(browser, 'cancel', 'signup')).toMatch(
      /\/signup\?google=cancelled$/,
    );
    expect((await browser.call(googleSignIn.pending)).body).toEqual({ user: null });
  });

  test('[V10.1.1] the browser learns whom Google vouched for, and no token of Google’s', async () => {
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

  test('its cookie is out of reach of scripts and goes when somebody has come in', async () => {
    const browser = app.browser();
    const answer = await browser.send('GET', googleSignIn.start.path);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^lessonbook-google=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
    );
    await browser.send(
      'GET',
      await chooseGoogleAccount(answer.headers.get('location') ?? '', newGoogleUser()),
    );
    await loginWithCredential(browser, (await readPendingGoogleUser(browser)).credential);
    expect([...browser.cookies.keys()]).toEqual(['lessonbook', 'lessonbook-device']);
  });

  test('under https its cookie is bound to this very host', async () => {
    const secure = await startGoogleLoginTestApp({
      APP_URL: 'https://lessonbook.example',
      RATE_LIMIT_FACTOR: '1',
    });
    const answer = await secure.browser().send('GET', googleSignIn.start.path);
    await secure.close();
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-lessonbook-google=.*; Secure/);
  });

  test('where the server has no client at Google there is no such way, and no button', async () => {
    const plain = await startTestApp();
    const options = await plain.browser().call(accounts.signInOptions);
    const answer = await plain.browser().send('GET', googleSignIn.start.path);
    await plain.close();
    expect(options.body.google).toBe(false);
    expect(answer.status).toBe(404);
    expect((await app.browser().call(accounts.signInOptions)).body.google).toBe(true);
  });

  test('a Google that cannot be reached brings the browser back to the page', async () => {
    const away = await startGoogleLoginTestApp();
    await away.google.close();
    const gone = await startGoogleLogin(away.browser(), 'signup');
    await away.close().catch(() => {});
    expect(gone).toBe('http://127.0.0.1:1/signup?google=failed');
  });
});

describe('[AUTH-02] coming in', () => {
  test('the first time opens a book, verified, with a trial, and signs in', async () => {
    const person = newGoogleUser({ name: 'Grace Quill' });
    const { browser, answer } = await loginWithGoogle(app, person);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      name: 'Grace Quill',
      email: person.email,
      username: person.email.split('@')[0],
      emailVerified: true,
      trialDaysLeft: 14,
    });
    expect((await browser.call(accounts.me)).body).toEqual(answer.body);
  });

  test('[V10.5.2] the second time finds the same book, also when name and address have changed at Google', async () => {
    const first = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '77', email: 'first.address@gmail.com' }),
    );
    const second = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '77', name: 'Grace Otherwise' }),
    );
    expect(second.answer.body.id).toBe(first.answer.body.id);
    expect(second.answer.body).toMatchObject({
      name: 'Grace Quill',
      email: 'first.address@gmail.com',
    });
  });

  test('[V6.8.1] somebody is known by who vouches and by their name there, both together', async () => {
    const { rows } = await app.admin.query<{ key: string }>(
      `select pg_get_constraintdef(oid) as key from pg_constraint where conname = 'identities_pkey'`,
    );
    expect(rows[0]?.key).toBe('PRIMARY KEY (provider, subject)');
    await expect(
      app.admin.query(`insert into identities (provider, subject, id, tutor_id, created_at)
        select 'another', '1', gen_random_uuid(), tutor_id, now() from tutors limit 1`),
    ).rejects.toThrow('identities_provider_check');
  });

  test('[V7.6.1] a login by Google lives as any other, and its end asks for Google again', async () => {
    const { browser, person } = await loginWithGoogle(app);
    app.clock.forward({ days: 29 });
    expect((await browser.call(accounts.me)).status).toBe(200);
    app.clock.forward({ days: 31 });
    expect((await browser.call(accounts.me)).status).toBe(401);
    // On the way there Google has to ask which account, whoever is logged in with it.
    expect(new URL(await startGoogleLogin(app.browser())).searchParams.get('prompt')).toBe(
      'select_account',
    );
    const again = await loginWithGoogle(app, person);
    expect((await again.browser.call(accounts.me)).status).toBe(200);
    await app.restartClock();
  });

  test('[V10.5.2] an address that passed on to somebody else at Google opens nothing', async () => {
    const old = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '81', email: 'passed.on@gmail.com' }),
    );
    const { answer } = await loginWithGoogle(
      app,
      newGoogleUser({ sub: '82', email: 'passed.on@gmail.com' }),
    );
    expect(answer.error.code).toBe('password_needed');
    expect((await old.browser.call(accounts.me)).status).toBe(200);
  });

  test('an address of which Google cannot know who reads it must be confirmed by our own mail', async () => {
    const person = newGoogleUser({ email: 'grace.late@families.example' });
    const { browser, answer } = await loginWithGoogle(app, person);
    expect(answer.body.emailVerified).toBe(false);
    const token = await readMailedToken(app, person.email, 'verify-email');
    await browser.call(accounts.confirmEmail, { body: { token } });
    expect((await browser.call(accounts.me)).body.emailVerified).toBe(true);
  });

  test('an address that Google runs for a school counts as confirmed', async () => {
    const person = newGoogleUser({ email: 'grace@school.example', hd: 'school.example' });
    expect((await loginWithGoogle(app, person)).answer.body.emailVerified).toBe(true);
  });

  test('without an address no book is opened, and the reason is told', async () => {
    const { answer } = await loginWithGoogle(app, { sub: '4711', name: 'Nobody' });
    expect(answer.status).toBe(400);
    expect(answer.error.message).toBe('Google did not share your email, which Lessonbook needs.');
  });

  test('[AUTH-41] the username is the part before the at-sign, with a number where somebody has it', async () => {
    await createTutor(app, { username: 'Mixed.Name' });
    const person = newGoogleUser({ email: 'mixed.name@gmail.com' });
    expect((await loginWithGoogle(app, person)).answer.body.username).toBe('mixed.name2');
  });

  test('a new book has the time zone of the browser', async () => {
    const { browser, credential } = await createGoogleTicket(app);
    const answer = await browser.call(googleSignIn.socialAuth, {
      body: { credential, timeZone: 'Europe/Lisbon' },
    });
    expect(answer.body.timeZone).toBe('Europe/Lisbon');
  });

  test('an account without a password gets one by mail, and its profile can be changed', async () => {
    const { browser, person } = await loginWithGoogle(app, newGoogleUser());
    const email = person.email ?? '';
    const changed = await browser.call(accounts.updateMe, { body: { name: 'Grace New', email } });
    expect(changed.body.name).toBe('Grace New');
    const login = { username: email, password: 'chosen by mail' };
    expect((await app.browser().call(accounts.login, { body: login })).status).toBe(401);
    await app.browser().call(accounts.forgotPassword, { body: { account: email } });
    const token = await readMailedToken(app, email, 'reset-password');
    await app.browser().call(accounts.resetPassword, { body: { token, password: login.password } });
    expect((await browser.call(accounts.me)).status).toBe(401);
    expect((await app.browser().call(accounts.login, { body: login })).status).toBe(200);
    // Both have proven the address, so Google opens the book again.
    expect((await loginWithGoogle(app, person)).answer.body.name).toBe('Grace New');
  });

  test('eight tabs of one person at the same moment open one book', async () => {
    const person = newGoogleUser({ sub: '8888' });
    const tabs = await Promise.all(
      Array.from({ length: 8 }, () => createGoogleTicket(app, person)),
    );
    const answers = await Promise.all(tabs.map(({ comeIn }) => comeIn()));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  test('five people of one name at the same moment get five usernames', async () => {
    const tickets = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((each) =>
        createGoogleTicket(
          app,
          newGoogleUser({ email: `many.hands@${each}.example`, hd: `${each}.example` }),
        ),
      ),
    );
    const answers = await Promise.all(tickets.map(({ comeIn }) => comeIn()));
    const names = answers.map((answer) => answer.body.username);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^many\.hands\d?$/);
  });

  test('a book that was signed up for at the same moment is not opened twice', async () => {
    const person = newGoogleUser();
    const { comeIn } = await createGoogleTicket(app, person);
    const [byGoogle, byForm] = await Promise.all([
      comeIn(),
      app.browser().call(accounts.signup, { body: newSignupInput({ email: person.email }) }),
    ]);
    expect([byGoogle.status, byForm.status]).toSatisfy(
      ([google, form]: number[]) =>
        (google === 200 && form === 409) || (google === 409 && form === 201),
    );
  });
});
