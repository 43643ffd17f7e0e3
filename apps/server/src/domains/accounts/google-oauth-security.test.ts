import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
import { type Forgery, startMaliciousIssuer } from '../../test/malicious-oidc-issuer.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, createVerifiedTutor, readMailedToken } from '../../test/tutor.ts';
import { deleteExpiredAccountData } from './service/deletion/cleanup-expired.ts';

let app: GoogleLoginTestApp;
beforeAll(async () => {
  app = await startGoogleLoginTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const DONE = /\/login\?google=done$/;
const FAILED = /\/login\?google=failed$/;

describe('[API-12, T01] what the browser says about a person changes nothing', () => {
  test('name, address, username, number and photo of somebody else', async () => {
    const victim = await createVerifiedTutor(app, { email: 'ada.victim@gmail.com' });
    const owner = await loginWithGoogle(app, newGoogleUser({ sub: '2001' }));
    const person = newGoogleUser({ name: 'Honest Name' });
    const { browser, credential } = await createGoogleTicket(app, person);
    const answer = await browser.call(googleSignIn.socialAuth, {
      body: {
        credential,
        name: 'Forged Name',
        email: victim.input.email,
        username: owner.answer.body.username,
        providerId: '2001',
        photoURL: 'http://169.254.169.254/',
        authProvider: 'firebase',
      },
    });
    expect(answer.body).toMatchObject({ name: 'Honest Name', email: person.email });
    expect(answer.body.username).toBe(person.email.split('@')[0]);
    const { rows } = await app.admin.query(
      'select subject from identities join login_directory using (tutor_id) where email = $1',
      [person.email],
    );
    expect(rows).not.toContainEqual({ subject: '2001' });
    expect((await victim.browser.call(accounts.me)).body.email).toBe(victim.input.email);
  });

  test.each([
    ['without a ticket', undefined, 400],
    ['with an empty one', '', 400],
    ['with an invented one', 'a'.repeat(43), 410],
    ['with null', null, 400],
    ['with a list', ['a'], 400],
  ])('%s nobody comes in', async (_, credential, status) => {
    const { browser } = await createGoogleTicket(app);
    const answer = await browser.send('POST', googleSignIn.socialAuth.path, {
      credential,
      email: 'ada@example.com',
      providerId: '1',
    });
    expect(answer.status).toBe(status);
    expect([...browser.cookies.keys()]).toEqual(['lessonbook-google']);
  });

  test('a ticket is good once', async () => {
    const { browser, comeIn, credential } = await createGoogleTicket(app);
    const cookie = browser.cookies.get('lessonbook-google') ?? '';
    expect((await comeIn()).status).toBe(200);
    browser.cookies.set('lessonbook-google', cookie);
    expect((await loginWithCredential(browser, credential)).status).toBe(410);
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
  });

  test('[T16] spent eight times at the same moment it lets in once', async () => {
    const { browser, credential } = await createGoogleTicket(app);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => loginWithCredential(browser, credential)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 410)).toHaveLength(7);
  });

  test('it is refused from another browser, with a cookie of its own or none, and stays good for its own', async () => {
    const mine = await createGoogleTicket(app);
    const other = await createGoogleTicket(app);
    for (const thief of [app.browser(), other.browser])
      expect((await loginWithCredential(thief, mine.credential)).status).toBe(410);
    expect((await mine.comeIn()).status).toBe(200);
  });

  test('after a minute it is worth nothing', async () => {
    const { browser, comeIn } = await createGoogleTicket(app);
    app.clock.forward({ seconds: 61 });
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
    expect((await comeIn()).status).toBe(410);
  });

  test('[T04] a token of another kind is no ticket, and a ticket no other token', async () => {
    const { input } = await createTutor(app);
    const token = await readMailedToken(app, input.email, 'verify-email');
    const { browser, credential } = await createGoogleTicket(app);
    expect((await loginWithCredential(browser, token)).status).toBe(410);
    const reset = { token: credential, password: 'another one' };
    expect((await browser.call(accounts.resetPassword, { body: reset })).status).toBe(410);
    expect(
      (await browser.call(accounts.confirmEmail, { body: { token: credential } })).status,
    ).toBe(410);
    browser.cookies.set('lessonbook', credential);
    expect((await browser.call(accounts.me)).status).toBe(401);
  });

  test('[V7.6.2, T19] another site cannot spend it', async () => {
    const { browser, credential } = await createGoogleTicket(app);
    const answer = await browser.send(
      'POST',
      googleSignIn.socialAuth.path,
      { credential },
      { origin: 'https://evil.example' },
    );
    expect(answer.status).toBe(403);
  });

  test('the database keeps neither the ticket nor the browser’s secret nor the state', async () => {
    const { browser, credential } = await createGoogleTicket(app);
    const state = new URL(await startGoogleLogin(browser)).searchParams.get('state') ?? '';
    const secrets = [credential, state, browser.cookies.get('lessonbook-google') ?? ''];
    const { rows } = await app.admin.query<{ row: string }>(
      `select t::text as row from oauth_tickets t union all select a::text from google_oauth_states a`,
    );
    const kept = rows.map(({ row }) => row).join('\n');
    for (const secret of secrets) {
      expect(secret).toHaveLength(43);
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

test('what has run out is forgotten: names and addresses are kept no longer than they serve', async () => {
  const { browser } = await createGoogleTicket(app);
  await startGoogleLogin(browser);
  const left = async () => {
    const { rows } = await app.admin.query<{ left: string }>(
      'select (select count(*) from oauth_tickets) + (select count(*) from google_oauth_states) as left',
    );
    return Number(rows[0]?.left);
  };
  expect(await left()).toBeGreaterThanOrEqual(2);
  app.clock.forward({ hours: 1 });
  await deleteExpiredAccountData(app.context);
  expect(await left()).toBe(0);
});

describe('[V10.1.2, V10.2.1] the way back', () => {
  const back = async (browser: ReturnType<typeof app.browser>, path: string) =>
    (await browser.send('GET', path)).headers.get('location') ?? '';

  test('with a code of somebody else’s way is refused: nobody is signed in as the attacker', async () => {
    const attacker = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(attacker), newGoogleUser());
    const victim = app.browser();
    await startGoogleLogin(victim);
    expect(await back(victim, path)).toMatch(FAILED);
    expect((await victim.call(googleSignIn.pending)).body.user).toBeNull();
    // Refusing it did not use it up: the browser that began may go on.
    expect(await back(attacker, path)).toMatch(DONE);
  });

  test('with a code of somebody else and the own state is refused, since the code was made for another verifier', async () => {
    const attacker = app.browser();
    const theirs = await chooseGoogleAccount(await startGoogleLogin(attacker), newGoogleUser());
    const victim = app.browser();
    const own = new URL(await startGoogleLogin(victim)).searchParams.get('state') ?? '';
    const mixed = new URL(theirs, app.url);
    mixed.searchParams.set('state', own);
    expect(await back(victim, mixed.pathname + mixed.search)).toMatch(FAILED);
  });

  test.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['an empty state', (url: URL) => url.searchParams.set('state', '')],
    ['another state', (url: URL) => url.searchParams.set('state', 'a'.repeat(43))],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['another code', (url: URL) => url.searchParams.set('code', 'a'.repeat(43))],
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ])('with %s is refused', async (_, bend) => {
    const browser = app.browser();
    const url = new URL(
      await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser()),
      app.url,
    );
    bend(url);
    expect(await back(browser, url.pathname + url.search)).toMatch(FAILED);
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
  });

  test('a second time is refused', async () => {
    const browser = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser());
    expect(await back(browser, path)).toMatch(DONE);
    await loginWithCredential(browser, (await readPendingGoogleUser(browser)).credential);
    expect(await back(browser, path)).toMatch(FAILED);
    expect((await browser.call(googleSignIn.pending)).body.user).toBeNull();
  });

  test('eight times at the same moment is taken once', async () => {
    const browser = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser());
    const ends = await Promise.all(Array.from({ length: 8 }, () => back(browser, path)));
    expect(ends.filter((end) => DONE.test(end))).toHaveLength(1);
    expect(ends.filter((end) => FAILED.test(end))).toHaveLength(7);
  });

  test('after a quarter of an hour is refused', async () => {
    const browser = app.browser();
    const path = await chooseGoogleAccount(await startGoogleLogin(browser), newGoogleUser());
    app.clock.forward({ minutes: 15 });
    expect(await back(browser, path)).toMatch(FAILED);
  });

  test('two tabs of one browser may be on the way at once', async () => {
    const browser = app.browser();
    const [one, two] = [await startGoogleLogin(browser), await startGoogleLogin(browser, 'signup')];
    expect(await back(browser, await chooseGoogleAccount(one, newGoogleUser()))).toMatch(DONE);
    expect(await back(browser, await chooseGoogleAccount(two, newGoogleUser()))).toMatch(
      /signup\?google=done/,
    );
  });
});

describe('an issuer that lies', () => {
  const client = { id: 'lessonbook-test', secret: 'a-secret-of-the-client-that-is-long-enough' };
  let issuer: Awaited<ReturnType<typeof startMaliciousIssuer>>;
  let lied: TestApp;
  beforeAll(async () => {
    issuer = await startMaliciousIssuer(client);
    lied = await startTestApp({
      RATE_LIMIT_FACTOR: '100',
      GOOGLE_SIGN_IN_CLIENT_ID: client.id,
      GOOGLE_SIGN_IN_CLIENT_SECRET: client.secret,
      GOOGLE_SIGN_IN_ISSUER: issuer.url,
    });
  });
  afterAll(async () => {
    await lied.close();
    await issuer.close();
  });

  async function endOf(forgery: Forgery): Promise<[string, string | undefined]> {
    const browser = lied.browser();
    const way = await startGoogleLogin(browser);
    issuer.forge(way, forgery);
    const state = new URL(way).searchParams.get('state') ?? '';
    const path = `${googleSignIn.callback.path}?code=any&state=${state}`;
    const end = (await browser.send('GET', path)).headers.get('location') ?? '';
    return [end, (await browser.call(googleSignIn.pending)).body.user?.providerId];
  }

  test('is believed when everything holds, and gets code, verifier and secret', async () => {
    expect(await endOf({})).toEqual([expect.stringMatching(DONE), '31337']);
    const sent = Object.fromEntries(issuer.asked.at(-1) ?? []);
    expect(sent).toMatchObject({ code: 'any', client_secret: client.secret });
    expect(sent['code_verifier']).toMatch(/^[\w-]{43}$/);
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, Forgery]>([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { without: ['nonce'] }],
    ['another audience', { claims: { aud: 'somebody-else' } }],
    ['two audiences and not us as the one meant', { claims: { aud: [client.id, 'x'], azp: 'x' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['Google’s own name as issuer', { claims: { iss: 'https://accounts.google.com' } }],
    ['an end in the past', { claims: { iat: past, exp: past + 60 } }],
    ['no end', { without: ['exp'] }],
    ['no person', { without: ['sub'] }],
    ['an empty person', { claims: { sub: '' } }],
    ['a forged key', { signedBy: 'another key' }],
    ['an unknown key', { signedBy: 'another key', kid: 'unknown' }],
    ['a forged key that the token brings along', { signedBy: 'another key', keyInHeader: true }],
    ['alg none', { signedBy: 'nobody' }],
    ['the client’s secret as key (HS256)', { signedBy: 'client secret' }],
    ['no token at all', { token: null }],
    ['no token but words', { token: 'not.a.token' }],
  ])(
    '[V6.8.2, V9.1.1, V9.1.2, V9.1.3, V9.2.1, V9.2.3, V10.5.1, V10.5.4] is not believed with %s',
    async (_, forgery) => {
      expect(await endOf(forgery)).toEqual([expect.stringMatching(FAILED), undefined]);
    },
  );

  test('[V10.5.3] is not even asked when its description names another issuer', async () => {
    const other = await startMaliciousIssuer(client);
    other.forge(`${other.url}/?nonce=x`, { calledItself: 'https://accounts.google.com' });
    const deceived = await startTestApp({
      GOOGLE_SIGN_IN_CLIENT_ID: client.id,
      GOOGLE_SIGN_IN_CLIENT_SECRET: client.secret,
      GOOGLE_SIGN_IN_ISSUER: other.url,
    });
    const answer = await deceived.browser().send('GET', `${googleSignIn.start.path}?from=login`);
    await deceived.close();
    await other.close();
    expect(answer.headers.get('location')).toBe('http://127.0.0.1:1/login?google=failed');
    expect(other.asked).toEqual([]);
  });

  test('hostile words in a name stay text, and what is too long counts as not said', async () => {
    const claims = { name: '<b>\u0000Eve\n</b>', email: 'no address', picture: 'x'.repeat(5000) };
    const browser = lied.browser();
    const way = await startGoogleLogin(browser);
    issuer.forge(way, { claims });
    const state = new URL(way).searchParams.get('state') ?? '';
    await browser.send('GET', `${googleSignIn.callback.path}?code=any&state=${state}`);
    expect(await readPendingGoogleUser(browser)).toMatchObject({
      name: '<b>Eve</b>',
      email: null,
      photoURL: null,
    });
  });
});

describe('[CONST-15] too often', () => {
  test('ways to Google, sign-ups and passwords are counted as elsewhere', async () => {
    const strict = await startGoogleLoginTestApp({
      RATE_LIMIT_FACTOR: '1',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const from = (address: string) => strict.browser({ 'x-forwarded-for': address });

    const ends = [];
    for (let n = 0; n < 101; n++) ends.push(await startGoogleLogin(from('192.0.2.9')));
    expect(ends.slice(0, 100).every((end) => end.startsWith(strict.google.url))).toBe(true);
    expect(ends[100]).toBe('http://127.0.0.1:1/login?google=busy');

    for (let n = 0; n < 11; n++) {
      const browser = from('192.0.2.10');
      await completeGoogleConsent(browser, newGoogleUser());
      const answer = await loginWithCredential(
        browser,
        (await readPendingGoogleUser(browser)).credential,
      );
      expect(answer.status).toBe(n < 10 ? 200 : 429);
    }

    const person = newGoogleUser({ email: 'guessed@families.example' });
    const owner = await createVerifiedTutor(
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
    // The bucket is the login's own: guessing here is no way round it.
    const login = { username: owner.input.username, password: 'one more' };
    expect((await from('192.0.2.13').call(accounts.login, { body: login })).status).toBe(429);
    await strict.close();
  });
});
