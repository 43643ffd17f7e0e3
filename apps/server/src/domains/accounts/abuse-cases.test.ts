import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  newSignupInput,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import {
  addPasskey,
  createTutorWithTotp,
  loginWithPassword,
  startMfaTestApp,
} from '../../test/mfa-test-app.ts';
import type { TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

test('[V8.3.1, V15.3.3, T01] identity comes only from the login: ids in the body, query string or headers are ignored', async () => {
  const { browser: victim, input } = await createTutorWhoCanEmailFamilies(app);
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const { rows } = await app.admin.query<{ tutor_id: string; public_id: string }>(
    'select t.tutor_id, t.public_id from tutors t join login_directory d using (tutor_id) where d.email = $1',
    [input.email],
  );
  const [{ tutor_id: tutorId, public_id: publicId } = { tutor_id: '', public_id: '' }] = rows;
  const ids = {
    id: publicId,
    userId: publicId,
    tutorId,
    tutor_id: tutorId,
    username: input.username,
  };
  const own = (await browser.call(accounts.me)).body;
  await browser.send('PUT', `/api/me?${new URLSearchParams(ids).toString()}`, {
    ...ids,
    name: 'Changed Name',
    email: own.email,
  });
  await browser.send(
    'PUT',
    '/api/password',
    { ...ids, password: 'taken over' },
    { 'x-user-id': publicId },
  );
  await browser.send('DELETE', `/api/logins?tutorId=${tutorId}`);
  expect((await victim.call(accounts.me)).body).toMatchObject({ name: input.name });
  expect((await loginWithPassword(app, input)).response.status).toBe(200);
  expect((await browser.call(accounts.me)).body).toMatchObject({
    id: own.id,
    name: 'Changed Name',
  });
});

test('[T02] signing up with a taken email address does not change the existing account, its password or its second factor', async () => {
  const { input, recoveryCodes } = await createTutorWithTotp(app);
  for (const email of [input.email, input.email.toUpperCase(), ` ${input.email} `]) {
    const again = await app
      .browser()
      .call(accounts.signup, { body: newSignupInput({ email, password: 'taken over' }) });
    expect(again.status).toBe(409);
  }
  expect((await loginWithPassword(app, { ...input, password: 'taken over' })).response.status).toBe(
    401,
  );
  const { browser, response } = await loginWithPassword(app, input);
  expect(response.error.code).toBe('second_factor_needed');
  const code = recoveryCodes[0] ?? '';
  expect((await browser.call(mfa.verifyMfaCode, { body: { code } })).status).toBe(200);
});

test('[T03] a password reset removes passkeys added by a person who signed up with another person’s email address', async () => {
  const { browser: attacker, input } = await createTutor(app);
  const { device, added } = await addPasskey(attacker);
  expect(added.status).toBe(201);
  app.clock.advance({ days: 30 });
  const owner = app.browser();
  await owner.call(accounts.forgotPassword, { body: { account: input.email } });
  const token = await readTokenFromEmail(app, input.email, 'reset-password');
  await owner.call(accounts.resetPassword, { body: { token, password: 'chosen by mail' } });
  const attackerBrowser = app.browser();
  const { options } = (await attackerBrowser.call(mfa.passkeyLoginOptions)).body;
  const response = device.sign(options);
  expect((await attackerBrowser.call(mfa.logInWithPasskey, { body: { response } })).status).toBe(
    400,
  );
  const login = { username: input.username, password: 'chosen by mail' };
  expect((await owner.call(accounts.login, { body: login })).status).toBe(200);
});

describe('[V9.2.2, T04] a token of one kind is not accepted as a token of another kind', () => {
  test('tokens for logins, MFA challenges, trusted devices, email links, codes and feeds work only for their own purpose', async () => {
    const { browser, input, recoveryCodes } = await createTutorWithTotp(app);
    const { browser: mfaBrowser } = await loginWithPassword(app, input);
    await app.browser().call(accounts.forgotPassword, { body: { account: input.email } });
    const feed = (await browser.send('POST', '/api/calendar/feed')).body as { url?: string };
    const { browser: otherBrowser, input: other } = await createTutor(app);
    const tokens: Record<string, string> = {
      login: browser.cookies.get('lessonbook') ?? '',
      device: browser.cookies.get('lessonbook-device') ?? '',
      step: mfaBrowser.cookies.get('lessonbook-step') ?? '',
      reset: await readTokenFromEmail(app, input.email, 'reset-password'),
      verify: await readTokenFromEmail(app, other.email, 'verify-email'),
      recovery: recoveryCodes[0] ?? '',
      feed: /feeds\/([\w-]+)/.exec(feed.url ?? '')?.[1] ?? '',
    };
    expect(Object.values(tokens).every((token) => token.length > 10)).toBe(true);
    const browserWithCookie = (name: string, value: string) => {
      const visitor = app.browser();
      visitor.cookies.set(name, value);
      return visitor;
    };
    const uses: Record<string, (token: string) => Promise<{ status: number }>> = {
      login: (token) => browserWithCookie('lessonbook', token).call(accounts.me),
      step: (token) => browserWithCookie('lessonbook-step', token).call(mfa.mfaChallenge),
      reset: (token) =>
        app.browser().call(accounts.resetPassword, { body: { token, password: 'taken over' } }),
      verify: (token) => app.browser().call(accounts.confirmEmail, { body: { token } }),
      google: (token) =>
        browserWithCookie('lessonbook-google', token).call(googleSignIn.socialAuth, {
          body: { credential: token },
        }),
      password: (password) =>
        app.browser().call(accounts.login, { body: { username: input.username, password } }),
      feed: (token) => app.browser().send('GET', `/api/calendar/feeds/${token}.ics`),
      pay: (token) => app.browser().send('GET', `/api/pay/${token}`),
      unsubscribe: (token) => app.browser().send('GET', `/api/unsubscribe/${token}/reminders`),
    };
    const accepted: string[] = [];
    for (const [purpose, use] of Object.entries(uses))
      for (const [kind, token] of Object.entries(tokens)) {
        if (kind === purpose) continue;
        const { status } = await use(encodeURIComponent(token));
        if (status < 400) accepted.push(`${kind} was accepted as ${purpose}: ${status}`);
      }
    expect(accepted).toEqual([]);
    // Check that the tokens are valid for their own purpose; otherwise the test would prove nothing.
    expect((await uses['login']?.(tokens['login'] ?? ''))?.status).toBe(200);
    expect((await uses['step']?.(tokens['step'] ?? ''))?.status).toBe(200);
    expect((await uses['verify']?.(tokens['verify'] ?? ''))?.status).toBe(200);
    expect((await uses['reset']?.(tokens['reset'] ?? ''))?.status).toBe(200);
    expect((await otherBrowser.call(accounts.me)).body.emailVerified).toBe(true);
  });
});

test('[V3.5.1, T19] rejects every state-changing request from another site, even with a valid cookie', async () => {
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const writeEndpoints = app.http.endpoints.filter(
    ({ method, signed, allowCrossOrigin }) => method !== 'GET' && !signed && !allowCrossOrigin,
  );
  expect(writeEndpoints.length).toBeGreaterThan(30);
  const savedCookies = new Map(browser.cookies);
  for (const endpoint of writeEndpoints) {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
    ]) {
      browser.cookies = new Map(savedCookies);
      const path = endpoint.path.replace(/:\w+/g, '1');
      const response = await browser.send(endpoint.method, path, {}, headers);
      expect([endpoint.method, endpoint.path, response.status]).toEqual([
        endpoint.method,
        endpoint.path,
        403,
      ]);
      expect(response.error.message).toBe('This request did not come from Lessonbook.');
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  }
  browser.cookies = savedCookies;
  expect((await browser.call(accounts.me)).status).toBe(200);
});

describe('[V3.7.2, T15] redirects', () => {
  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'http://localhost:1@evil.example',
    'evil.example?.localhost:1',
  ])('never go to %s, whichever query parameter contains it', async (target) => {
    const { browser } = await createTutorWhoCanEmailFamilies(app);
    const paramNames = [
      'from',
      'next',
      'to',
      'redirect',
      'returnTo',
      'return_to',
      'url',
      'state',
      'page',
    ];
    const query = new URLSearchParams(paramNames.map((name): [string, string] => [name, target]));
    for (const endpoint of app.http.endpoints.filter(({ redirects }) => redirects)) {
      const response = await browser.send(
        'GET',
        `${endpoint.path}?${query.toString()}`,
        undefined,
        {
          referer: target,
        },
      );
      const to = response.headers.get('location');
      expect([
        endpoint.path,
        to === null ? null : new URL(to, 'http://localhost:1').origin,
      ]).toEqual([endpoint.path, to === null ? null : 'http://localhost:1']);
    }
  });
});

describe('data leaks', () => {
  test('[V15.3.1, T22] no response contains a hash, secret, token or internal id, and none can be stored in a shared cache or reused without revalidation', async () => {
    const { browser, input, secret, recoveryCodes } = await createTutorWithTotp(app);
    const { device } = await addPasskey(browser);
    const { rows } = await app.admin.query<Record<string, string>>(
      `select d.tutor_id::text, d.password_hash, a.encrypted_secret, encode(l.token_hash, 'hex') as token_hash,
         encode(p.public_key, 'base64') as public_key
       from login_directory d join totp_credentials a using (tutor_id) join logins l using (tutor_id)
       join passkeys p using (tutor_id) where d.email = $1`,
      [input.email],
    );
    const secrets = [
      ...Object.values(rows[0] ?? {}),
      secret,
      device.id,
      browser.cookies.get('lessonbook') ?? '',
      ...recoveryCodes,
    ];
    expect(secrets).toHaveLength(18);
    const readEndpoints = app.http.endpoints.filter(
      ({ method, access, path, file }) =>
        method === 'GET' &&
        access === 'login' &&
        !path.includes(':') &&
        file !== 'text/event-stream',
    );
    expect(readEndpoints.length).toBeGreaterThan(10);
    for (const endpoint of readEndpoints) {
      const response = await browser.send('GET', endpoint.path);
      const text = JSON.stringify([response.body, [...response.headers]]);
      const leaked = secrets.filter((secretText) => text.includes(secretText));
      expect([endpoint.path, leaked]).toEqual([endpoint.path, []]);
      expect(response.headers.get('cache-control')).toMatch(/no-store|private, no-cache/);
    }
    const me = await browser.call(accounts.me);
    expect(Object.keys(me.body)).not.toContain('passwordHash');
  });

  test('[V14.3.1, T23] after logout, neither the remaining cookies nor the old ones give access to any data', async () => {
    const { browser } = await createTutorWhoCanEmailFamilies(app);
    const savedCookies = new Map(browser.cookies);
    await browser.call(accounts.logout);
    const other = await createTutor(app);
    for (const cookies of [browser.cookies, savedCookies]) {
      browser.cookies = new Map(cookies);
      const response = await browser.call(accounts.me);
      expect([response.status, response.headers.get('cache-control')]).toEqual([
        401,
        'private, no-store',
      ]);
      expect(JSON.stringify(response.body)).not.toContain(other.input.email);
    }
  });
});

test('a demo visitor cannot change the demo account’s login settings or see other visitors', async () => {
  const { createDemoTutor, DEMO_CREDENTIALS } = await import(
    './service/create-and-replace-demo-account.ts'
  );
  await createDemoTutor(app.context);
  const [browser, other] = [app.browser(), app.browser()];
  for (const visitor of [browser, other])
    await visitor.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
  const attempts = [
    browser.call(security.changePassword, { body: { password: 'taken over' } }),
    browser.call(security.revokeOtherLogins),
    browser.call(security.revokeLogin, { params: { id: 'x' } }),
    browser.call(mfa.startAuthenticatorSetup),
    browser.call(mfa.turnOnAuthenticator, { body: { code: '000000' } }),
    browser.call(mfa.turnOffAuthenticator),
    browser.call(mfa.regenerateRecoveryCodes),
    browser.call(mfa.passkeyRegistrationOptions),
    browser.call(accounts.updateMe, {
      body: { name: 'Ada Fenwick', email: 'visitor@example.com' },
    }),
  ];
  for (const attempt of attempts) expect((await attempt).status).toBe(403);
  expect((await browser.call(security.logins)).body).toHaveLength(1);
  expect((await browser.call(security.security)).body.isDemo).toBe(true);
  expect((await other.call(accounts.me)).status).toBe(200);
});
