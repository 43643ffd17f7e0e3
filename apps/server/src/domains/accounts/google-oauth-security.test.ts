import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
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
import { type Forgery, startMaliciousIssuer } from '../../test/malicious-oidc-issuer.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { deleteExpiredAuthRecords } from './service/delete-expired-auth-records.ts';

let app: GoogleLoginTestApp;
beforeAll(async () => {
  app = await startGoogleLoginTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const DONE = /\/login\?google=done$/;
const FAILED = /\/login\?google=failed$/;

describe('[API-12, T01] identity data in the request is ignored', () => {
  test('another user’s name, email address, username, subject and photo are ignored', async () => {
    const victim = await createTutorWhoCanEmailFamilies(app, { email: 'ada.victim@gmail.com' });
    const owner = await loginWithGoogle(app, newGoogleUser({ sub: '2001' }));
    const person = newGoogleUser({ name: 'Honest Name' });
    const { browser, credential } = await createPendingGoogleLogin(app, person);
    const response = await browser.call(googleSignIn.socialAuth, {
      body: {
        credential,
        name: 'Forged Name',
        email: victim.input.email,
        username: owner.response.body.username,
        providerId: '2001',
        photoURL: 'http://169.254.169.254/',
        authProvider: 'firebase',
      },
    });
    expect(response.body).toMatchObject({ name: 'Honest Name', email: person.email });
    expect(response.body.username).toBe(person.email.split('@')[0]);
    const { rows } = await app.admin.query(
      'select subject from identities join login_directory using (tutor_id) where email = $1',
      [person.email],
    );
    expect(rows).not.toContainEqual({ subject: '2001' });
    expect((await victim.browser.call(accounts.me)).body.email).toBe(victim.input.email);
  });

  test.each([
    ['without a credential', undefined, 400],
    ['with an empty credential', '', 400],
    ['with an unknown credential', 'a'.repeat(43), 410],
    ['with null as the credential', null, 400],
    ['with an array as the credential', ['a'], 400],
  ])('%s, the login is rejected', async (_, credential, status) => {
    const { browser } = await createPendingGoogleLogin(app);
    const response = await browser.send('POST', googleSignIn.socialAuth.path, {
      credential,
      email: 'ada@example.com',
      providerId: '1',
    });
    expect(response.status).toBe(status);
    expect([...browser.cookies.keys()]).toEqual(['lessonbook-google']);
  });

  test('a credential works only once', async () => {
    const { browser, logIn, credential } = await createPendingGoogleLogin(app);
    const cookie = browser.cookies.get('lessonbook-google') ?? '';
    expect((await logIn()).status).toBe(200);
    browser.cookies.set('lessonbook-google', cookie);
    expect((await loginWithCredential(browser, credential)).status).toBe(410);
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
  });

  test('[T16] only one of eight concurrent uses of a credential succeeds', async () => {
    const { browser, credential } = await createPendingGoogleLogin(app);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => loginWithCredential(browser, credential)),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(responses.filter((response) => response.status === 410)).toHaveLength(7);
  });

  test('a credential is rejected in another browser and remains valid in the original one', async () => {
    const mine = await createPendingGoogleLogin(app);
    const other = await createPendingGoogleLogin(app);
    for (const attacker of [app.browser(), other.browser])
      expect((await loginWithCredential(attacker, mine.credential)).status).toBe(410);
    expect((await mine.logIn()).status).toBe(200);
  });

  test('a credential expires after a minute', async () => {
    const { browser, logIn } = await createPendingGoogleLogin(app);
    app.clock.advance({ seconds: 61 });
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
    expect((await logIn()).status).toBe(410);
  });

  test('[T04] a token of another kind is not accepted as a credential, and a credential is not accepted as another kind of token', async () => {
    const { input } = await createTutor(app);
    const token = await readTokenFromEmail(app, input.email, 'verify-email');
    const { browser, credential } = await createPendingGoogleLogin(app);
    expect((await loginWithCredential(browser, token)).status).toBe(410);
    const reset = { token: credential, password: 'another one' };
    expect((await browser.call(accounts.resetPassword, { body: reset })).status).toBe(410);
    expect(
      (await browser.call(accounts.confirmEmail, { body: { token: credential } })).status,
    ).toBe(410);
    browser.cookies.set('lessonbook', credential);
    expect((await browser.call(accounts.me)).status).toBe(401);
  });

  test('[V7.6.2, T19] another site cannot use a credential', async () => {
    const { browser, credential } = await createPendingGoogleLogin(app);
    const response = await browser.send(
      'POST',
      googleSignIn.socialAuth.path,
      { credential },
      { origin: 'https://evil.example' },
    );
    expect(response.status).toBe(403);
  });

  test('the database does not store the credential, the browser’s secret or the state in plain text', async () => {
    const { browser, credential } = await createPendingGoogleLogin(app);
    const state = new URL(await startGoogleLogin(browser)).searchParams.get('state') ?? '';
    const secrets = [credential, state, browser.cookies.get('lessonbook-google') ?? ''];
    const { rows } = await app.admin.query<{ row: string }>(
      `select t::text as row from oauth_tickets t union all select a::text from google_oauth_states a`,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of secrets) {
      expect(secret).toHaveLength(43);
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

test('the cleanup job deletes expired pending identities and OAuth states', async () => {
  const { browser } = await createPendingGoogleLogin(app);
  await startGoogleLogin(browser);
  const countRows = async () => {
    const { rows } = await app.admin.query<{ count: string }>(
      'select (select count(*) from oauth_tickets) + (select count(*) from google_oauth_states) as count',
    );
    return Number(rows[0]?.count);
  };
  expect(await countRows()).toBeGreaterThanOrEqual(2);
  app.clock.advance({ hours: 1 });
  await deleteExpiredAuthRecords(app.context);
  expect(await countRows()).toBe(0);
});

describe('[V10.1.2, V10.2.1] the callback', () => {
  const callback = async (browser: ReturnType<typeof app.browser>, path: string) =>
    (await browser.send('GET', path)).headers.get('location') ?? '';

  test('is rejected with the code and state of another browser (login CSRF)', async () => {
    const attacker = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(attacker), newGoogleUser());
    const victim = app.browser();
    await startGoogleLogin(victim);
    expect(await callback(victim, path)).toMatch(FAILED);
    expect((await victim.call(googleSignIn.pending)).body.user).toBeNull();
    // The rejection did not consume the state: the original browser can continue.
    expect(await callback(attacker, path)).toMatch(DONE);
  });

  test('is rejected with another browser’s code and this browser’s state, because of PKCE', async () => {
    const attacker = app.browser();
    const theirs = await chooseGoogleAccount(await startGoogleLogin(attacker), newGoogleUser());
    const victim = app.browser();
    const own = new URL(await startGoogleLogin(victim)).searchParams.get('state') ?? '';
    const mixed = new URL(theirs, app.url);
    mixed.searchParams.set('state', own);
    expect(await callback(victim, mixed.pathname + mixed.search)).toMatch(FAILED);
  });

  test.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['an empty state', (url: URL) => url.searchParams.set('state', '')],
    ['a different state', (url: URL) => url.searchParams.set('state', 'a'.repeat(43))],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['a different code', (url: URL) => url.searchParams.set('code', 'a'.repeat(43))],
    ['a different issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ])('is rejected with %s', async (_, manipulate) => {
    const browser = app.browser();
    const url = new URL(
      await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser()),
      app.url,
    );
    manipulate(url);
    expect(await callback(browser, url.pathname + url.search)).toMatch(FAILED);
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
  });

  test('is rejected the second time it is called', async () => {
    const browser = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser());
    expect(await callback(browser, path)).toMatch(DONE);
    await loginWithCredential(browser, (await readPendingGoogleUser(browser)).credential);
    expect(await callback(browser, path)).toMatch(FAILED);
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
  });

  test('succeeds for only one of eight concurrent requests', async () => {
    const browser = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser());
    const returnUrls = await Promise.all(Array.from({ length: 8 }, () => callback(browser, path)));
    expect(returnUrls.filter((returnUrl) => DONE.test(returnUrl))).toHaveLength(1);
    expect(returnUrls.filter((returnUrl) => FAILED.test(returnUrl))).toHaveLength(7);
  });

  test('is rejected after 15 minutes', async () => {
    const browser = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser());
    app.clock.advance({ minutes: 15 });
    expect(await callback(browser, path)).toMatch(FAILED);
  });

  test('succeeds in two tabs of the same browser at the same time', async () => {
    const browser = app.browser();
    const [first, second] = [
      await startGoogleLogin(browser),
      await startGoogleLogin(browser, 'signup'),
    ];
    expect(await callback(browser, await chooseGoogleAccount(first, newGoogleUser()))).toMatch(
      DONE,
    );
    expect(await callback(browser, await chooseGoogleAccount(second, newGoogleUser()))).toMatch(
      /signup\?google=done/,
    );
  });
});

describe('a malicious issuer', () => {
  const client = { id: 'lessonbook-test', secret: 'a-secret-of-the-client-that-is-long-enough' };
  let issuer: Awaited<ReturnType<typeof startMaliciousIssuer>>;
  let maliciousApp: TestApp;
  beforeAll(async () => {
    issuer = await startMaliciousIssuer(client);
    maliciousApp = await startTestApp({
      RATE_LIMIT_FACTOR: '100',
      GOOGLE_SIGN_IN_CLIENT_ID: client.id,
      GOOGLE_SIGN_IN_CLIENT_SECRET: client.secret,
      GOOGLE_SIGN_IN_ISSUER: issuer.url,
    });
  });
  afterAll(async () => {
    await maliciousApp.close();
    await issuer.close();
  });

  async function signInWithForgery(forgery: Forgery): Promise<[string, string | undefined]> {
    const browser = maliciousApp.browser();
    const authUrl = await startGoogleLogin(browser);
    issuer.setForgery(authUrl, forgery);
    const state = new URL(authUrl).searchParams.get('state') ?? '';
    const path = `${googleSignIn.callback.path}?code=any&state=${state}`;
    const returnUrl = (await browser.send('GET', path)).headers.get('location') ?? '';
    return [returnUrl, (await browser.call(googleSignIn.pending)).body.user?.providerId];
  }

  test('is accepted when all its claims are valid, and receives the code, verifier and secret', async () => {
    expect(await signInWithForgery({})).toEqual([expect.stringMatching(DONE), '31337']);
    const sent = Object.fromEntries(issuer.tokenRequests.at(-1) ?? []);
    expect(sent).toMatchObject({ code: 'any', client_secret: client.secret });
    expect(sent['code_verifier']).toMatch(/^[\w-]{43}$/);
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, Forgery]>([
    ['a different nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { without: ['nonce'] }],
    ['a different audience', { claims: { aud: 'another-client' } }],
    [
      'two audiences and a different authorised party',
      { claims: { aud: [client.id, 'x'], azp: 'x' } },
    ],
    ['a different issuer', { claims: { iss: 'https://evil.example' } }],
    ['Google’s own name as issuer', { claims: { iss: 'https://accounts.google.com' } }],
    ['an expiry in the past', { claims: { iat: past, exp: past + 60 } }],
    ['no expiry', { without: ['exp'] }],
    ['no subject', { without: ['sub'] }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a forged key', { signedBy: 'another key' }],
    ['an unknown key', { signedBy: 'another key', kid: 'unknown' }],
    ['a forged key embedded in the token', { signedBy: 'another key', keyInHeader: true }],
    ['alg none', { signedBy: 'no key' }],
    ['the client’s secret as key (HS256)', { signedBy: 'client secret' }],
    ['no token at all', { token: null }],
    ['a malformed token', { token: 'not.a.token' }],
  ])(
    '[V6.8.2, V9.1.1, V9.1.2, V9.1.3, V9.2.1, V9.2.3, V10.5.1, V10.5.4] is rejected with %s',
    async (_, forgery) => {
      expect(await signInWithForgery(forgery)).toEqual([expect.stringMatching(FAILED), undefined]);
    },
  );

  test('[V10.5.3] receives no token request when its discovery document names a different issuer', async () => {
    const other = await startMaliciousIssuer(client);
    other.setForgery(`${other.url}/?nonce=x`, { discoveryIssuer: 'https://accounts.google.com' });
    const misconfiguredApp = await startTestApp({
      GOOGLE_SIGN_IN_CLIENT_ID: client.id,
      GOOGLE_SIGN_IN_CLIENT_SECRET: client.secret,
      GOOGLE_SIGN_IN_ISSUER: other.url,
    });
    const response = await misconfiguredApp
      .browser()
      .send('GET', `${googleSignIn.start.path}?from=login`);
    await misconfiguredApp.close();
    await other.close();
    expect(response.headers.get('location')).toBe('http://127.0.0.1:1/login?google=failed');
    expect(other.tokenRequests).toEqual([]);
  });

  test('control characters are removed from the name, and claims that are invalid or too long are ignored', async () => {
    const claims = { name: '<b>\u0000Eve\n</b>', email: 'no address', picture: 'x'.repeat(5000) };
    const browser = maliciousApp.browser();
    const authUrl = await startGoogleLogin(browser);
    issuer.setForgery(authUrl, { claims });
    const state = new URL(authUrl).searchParams.get('state') ?? '';
    await browser.send('GET', `${googleSignIn.callback.path}?code=any&state=${state}`);
    expect(await readPendingGoogleUser(browser)).toMatchObject({
      name: '<b>Eve</b>',
      email: null,
      photoURL: null,
    });
  });
});

describe('[CONST-15] rate limits', () => {
  test('apply to OAuth redirects, sign-ups and password attempts', async () => {
    const strict = await startGoogleLoginTestApp({
      RATE_LIMIT_FACTOR: '1',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const from = (address: string) => strict.browser({ 'x-forwarded-for': address });

    const returnUrls = [];
    for (let n = 0; n < 101; n++) returnUrls.push(await startGoogleLogin(from('192.0.2.9')));
    expect(
      returnUrls.slice(0, 100).every((returnUrl) => returnUrl.startsWith(strict.google.url)),
    ).toBe(true);
    expect(returnUrls[100]).toBe('http://127.0.0.1:1/login?google=busy');

    for (let n = 0; n < 11; n++) {
      const browser = from('192.0.2.10');
      await completeGoogleConsent(browser, newGoogleUser());
      const response = await loginWithCredential(
        browser,
        (await readPendingGoogleUser(browser)).credential,
      );
      expect(response.status).toBe(n < 10 ? 200 : 429);
    }

    const person = newGoogleUser({ email: 'guessed@families.example' });
    const owner = await createTutorWhoCanEmailFamilies(
      { ...strict, browser: () => from('192.0.2.11') },
      { email: person.email },
    );
    const browser = from('192.0.2.12');
    await completeGoogleConsent(browser, person);
    const { credential } = await readPendingGoogleUser(browser);
    await loginWithCredential(browser, credential);
    const guess = (password: string) =>
      browser.call(googleSignIn.link, { body: { credential, password } });
    for (let n = 0; n < 6; n++) expect((await guess(`guess ${n}`)).status).toBe(401);
    expect((await guess('one more')).status).toBe(429);
    // Linking shares a bucket with password login, so guesses here count towards the login limit.
    const login = { username: owner.input.username, password: 'one more' };
    expect((await from('192.0.2.13').call(accounts.login, { body: login })).status).toBe(429);
    await strict.close();
  });
});
