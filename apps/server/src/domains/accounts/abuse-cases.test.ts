import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addPasskey,
  createTutorWithTotp,
  loginWithPassword,
  startMfaTestApp,
} from '../../test/mfa-test-app.ts';
import type { TestApp } from '../../test/test-app.ts';
import {
  createTutor,
  createVerifiedTutor,
  newSignupInput,
  readMailedToken,
} from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

test('[V8.3.1, V15.3.3, T01] who somebody is comes from the login alone: ids in a body, an address or a header change nothing', async () => {
  const { browser: victim, input } = await createVerifiedTutor(app);
  const { browser } = await createVerifiedTutor(app);
  const { rows } = await app.admin.query<{ tutor_id: string; public_id: string }>(
    'select t.tutor_id, t.public_id from tutors t join login_directory d using (tutor_id) where d.email = $1',
    [input.email],
  );
  const [{ tutor_id: tutorId, public_id: publicId } = { tutor_id: '', public_id: '' }] = rows;
  const names = {
    id: publicId,
    userId: publicId,
    tutorId,
    tutor_id: tutorId,
    username: input.username,
  };
  const own = (await browser.call(accounts.me)).body;
  await browser.send('PUT', `/api/me?${new URLSearchParams(names).toString()}`, {
    ...names,
    name: 'Changed Name',
    email: own.email,
  });
  await browser.send(
    'PUT',
    '/api/password',
    { ...names, password: 'taken over' },
    { 'x-user-id': publicId },
  );
  await browser.send('DELETE', `/api/logins?tutorId=${tutorId}`);
  expect((await victim.call(accounts.me)).body).toMatchObject({ name: input.name });
  expect((await loginWithPassword(app, input)).answer.status).toBe(200);
  expect((await browser.call(accounts.me)).body).toMatchObject({
    id: own.id,
    name: 'Changed Name',
  });
});

test('[T02] a sign-up with an address that is taken leaves the account, its password and its factor as they were', async () => {
  const { input, recoveryCodes } = await createTutorWithTotp(app);
  for (const email of [input.email, input.email.toUpperCase(), ` ${input.email} `]) {
    const again = await app
      .browser()
      .call(accounts.signup, { body: newSignupInput({ email, password: 'taken over' }) });
    expect(again.status).toBe(409);
  }
  expect((await loginWithPassword(app, { ...input, password: 'taken over' })).answer.status).toBe(
    401,
  );
  const { browser, answer } = await loginWithPassword(app, input);
  expect(answer.error.code).toBe('second_factor_needed');
  const code = recoveryCodes[0] ?? '';
  expect((await browser.call(mfa.verifyMfaCode, { body: { code } })).status).toBe(200);
});

test('[T03] whoever registered an address beforehand keeps no passkey to the book of its owner', async () => {
  const { browser: thief, input } = await createTutor(app);
  const { device, added } = await addPasskey(thief);
  expect(added.status).toBe(201);
  app.clock.forward({ days: 30 });
  const owner = app.browser();
  await owner.call(accounts.forgotPassword, { body: { account: input.email } });
  const token = await readMailedToken(app, input.email, 'reset-password');
  await owner.call(accounts.resetPassword, { body: { token, password: 'chosen by mail' } });
  const back = app.browser();
  const { options } = (await back.call(mfa.passkeyLoginOptions)).body;
  const answer = device.sign(options);
  expect((await back.call(mfa.logInByPasskey, { body: { response: answer } })).status).toBe(400);
  const login = { username: input.username, password: 'chosen by mail' };
  expect((await owner.call(accounts.login, { body: login })).status).toBe(200);
});

describe('[V9.2.2, T04] one kind of token is not taken for another', () => {
  test('a login, a ticket, a known browser, mailed links, codes, a feed: each opens its own door alone', async () => {
    const { browser, input, recoveryCodes } = await createTutorWithTotp(app);
    const { browser: half } = await loginWithPassword(app, input);
    await app.browser().call(accounts.forgotPassword, { body: { account: input.email } });
    const feed = (await browser.send('GET', '/api/calendar/feed')).body as { url?: string };
    const { browser: fresh, input: other } = await createTutor(app);
    const tokens: Record<string, string> = {
      login: browser.cookies.get('lessonbook') ?? '',
      device: browser.cookies.get('lessonbook-device') ?? '',
      step: half.cookies.get('lessonbook-step') ?? '',
      reset: await readMailedToken(app, input.email, 'reset-password'),
      verify: await readMailedToken(app, other.email, 'verify-email'),
      recovery: recoveryCodes[0] ?? '',
      feed: /feeds\/([\w-]+)/.exec(feed.url ?? '')?.[1] ?? '',
    };
    expect(Object.values(tokens).every((token) => token.length > 10)).toBe(true);
    const asCookie = (name: string, value: string) => {
      const visitor = app.browser();
      visitor.cookies.set(name, value);
      return visitor;
    };
    const doors: Record<string, (token: string) => Promise<{ status: number }>> = {
      login: (token) => asCookie('lessonbook', token).call(accounts.me),
      step: (token) => asCookie('lessonbook-step', token).call(mfa.mfaChallenge),
      reset: (token) =>
        app.browser().call(accounts.resetPassword, { body: { token, password: 'taken over' } }),
      verify: (token) => app.browser().call(accounts.confirmEmail, { body: { token } }),
      google: (token) =>
        asCookie('lessonbook-google', token).call(googleSignIn.socialAuth, {
          body: { credential: token },
        }),
      password: (password) =>
        app.browser().call(accounts.login, { body: { username: input.username, password } }),
      feed: (token) => app.browser().send('GET', `/api/calendar/feeds/${token}.ics`),
      pay: (token) => app.browser().send('GET', `/api/pay/${token}`),
      unsubscribe: (token) => app.browser().send('GET', `/api/unsubscribe/${token}`),
    };
    const opened: string[] = [];
    for (const [door, open] of Object.entries(doors))
      for (const [kind, token] of Object.entries(tokens)) {
        if (kind === door) continue;
        const { status } = await open(encodeURIComponent(token));
        if (status < 400) opened.push(`${kind} opened ${door}: ${status}`);
      }
    expect(opened).toEqual([]);
    // And each does open its own, or this would show nothing.
    expect((await doors['login']?.(tokens['login'] ?? ''))?.status).toBe(200);
    expect((await doors['step']?.(tokens['step'] ?? ''))?.status).toBe(200);
    expect((await doors['verify']?.(tokens['verify'] ?? ''))?.status).toBe(200);
    expect((await doors['reset']?.(tokens['reset'] ?? ''))?.status).toBe(200);
    expect((await fresh.call(accounts.me)).body.emailVerified).toBe(true);
  });
});

test('[V3.5.1, T19] no call of another site changes anything, with the cookie riding on it', async () => {
  const { browser } = await createVerifiedTutor(app);
  const changing = app.http.endpoints.filter(
    ({ method, signed, allowCrossOrigin }) => method !== 'GET' && !signed && !allowCrossOrigin,
  );
  expect(changing.length).toBeGreaterThan(30);
  const kept = new Map(browser.cookies);
  for (const endpoint of changing) {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
    ]) {
      browser.cookies = new Map(kept);
      const path = endpoint.path.replace(/:\w+/g, '1');
      const answer = await browser.send(endpoint.method, path, {}, headers);
      expect([endpoint.method, endpoint.path, answer.status]).toEqual([
        endpoint.method,
        endpoint.path,
        403,
      ]);
      expect(answer.error.message).toBe('This request did not come from Lessonbook.');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  browser.cookies = kept;
  expect((await browser.call(accounts.me)).status).toBe(200);
});

describe('[V3.7.2, T15] where a browser is sent', () => {
  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'http://localhost:1@evil.example',
    'evil.example?.localhost:1',
  ])('nobody is sent to %s, whatever asks for it', async (place) => {
    const { browser } = await createVerifiedTutor(app);
    const asked = [
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
    const query = new URLSearchParams(asked.map((name): [string, string] => [name, place]));
    for (const endpoint of app.http.endpoints.filter(({ redirects }) => redirects)) {
      const answer = await browser.send('GET', `${endpoint.path}?${query.toString()}`, undefined, {
        referer: place,
      });
      const to = answer.headers.get('location');
      expect([
        endpoint.path,
        to === null ? null : new URL(to, 'http://localhost:1').origin,
      ]).toEqual([endpoint.path, to === null ? null : 'http://localhost:1']);
    }
  });
});

describe('what must not come out', () => {
  test('[V15.3.1, T22] no hash, secret, token or inner id is in any answer, and none of it can be kept on the way', async () => {
    const { browser, input, secret, recoveryCodes } = await createTutorWithTotp(app);
    const { device } = await addPasskey(browser);
    const { rows } = await app.admin.query<Record<string, string>>(
      `select d.tutor_id::text, d.password_hash, a.encrypted_secret, encode(l.token_hash, 'hex') as token_hash,
         encode(p.public_key, 'base64') as public_key
       from login_directory d join totp_credentials a using (tutor_id) join logins l using (tutor_id)
       join passkeys p using (tutor_id) where d.email = $1`,
      [input.email],
    );
    const inner = [
      ...Object.values(rows[0] ?? {}),
      secret,
      device.id,
      browser.cookies.get('lessonbook') ?? '',
      ...recoveryCodes,
    ];
    expect(inner).toHaveLength(18);
    const readable = app.http.endpoints.filter(
      ({ method, access, path, file }) =>
        method === 'GET' &&
        access === 'login' &&
        !path.includes(':') &&
        file !== 'text/event-stream',
    );
    expect(readable.length).toBeGreaterThan(10);
    for (const endpoint of readable) {
      const answer = await browser.send('GET', endpoint.path);
      const text = JSON.stringify([answer.body, [...answer.headers]]);
      const leaked = inner.filter((each) => text.includes(each));
      expect([endpoint.path, leaked]).toEqual([endpoint.path, []]);
      expect(answer.headers.get('cache-control')).toMatch(/no-store|private, no-cache/);
    }
    const me = await browser.call(accounts.me);
    expect(Object.keys(me.body)).not.toContain('passwordHash');
  });

  test('[V14.3.1, T23] after the logout what the browser still has shows nobody’s data, not even its own', async () => {
    const { browser } = await createVerifiedTutor(app);
    const kept = new Map(browser.cookies);
    await browser.call(accounts.logout);
    const other = await createTutor(app);
    for (const cookies of [browser.cookies, kept]) {
      browser.cookies = new Map(cookies);
      const answer = await browser.call(accounts.me);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        401,
        'private, no-store',
      ]);
      expect(JSON.stringify(answer.body)).not.toContain(other.input.email);
    }
  });
});

test('a demo visitor changes nothing about the demo’s login, and sees no other visitor', async () => {
  const { createDemoTutor, DEMO_CREDENTIALS } = await import('./service/demo-account.ts');
  await createDemoTutor(app.context);
  const [browser, other] = [app.browser(), app.browser()];
  for (const one of [browser, other])
    await one.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
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
