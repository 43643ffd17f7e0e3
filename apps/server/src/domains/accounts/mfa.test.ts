import { accounts } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  PASSWORD,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import {
  createTutorWithTotp,
  generateTotpCode,
  loginWithPassword,
  startMfaTestApp,
} from '../../test/mfa-test-app.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { deleteExpiredAuthRecords } from './service/delete-expired-auth-records.ts';
import { rotateAuthenticatorEncryption } from './service/mfa/rotate-encryption.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const isLoggedIn = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;
const submitCode = (browser: Browser, code: string) =>
  browser.call(mfa.verifyMfaCode, { body: { code } });
const waitForMail = (address: string, subject: RegExp) =>
  app.mailbox.waitFor((mail) => mail.to.includes(address) && subject.test(mail.subject));

describe('the authenticator app', () => {
  test('[V7.4.3] is turned on with a first code: other logins end, ten recovery codes are issued and an email is sent', async () => {
    const { browser, input } = await createTutorWhoCanEmailFamilies(app);
    const { browser: other } = await loginWithPassword(app, input);
    const setup = await browser.call(mfa.startAuthenticatorSetup);
    expect(setup.body.uri).toMatch(/^otpauth:\/\/totp\/Lessonbook:/);
    expect(setup.body.uri).toContain(`secret=${setup.body.secret}`);
    // The setup has not been confirmed with a code yet, so no second factor is required.
    expect((await loginWithPassword(app, input)).response.status).toBe(200);
    const wrong = await browser.call(mfa.turnOnAuthenticator, {
      body: { code: '000000' },
    });
    expect([wrong.status, wrong.error.fields]).toEqual([400, { code: "That code isn't right" }]);

    const code = generateTotpCode(setup.body.secret, app.clock.now());
    const response = await browser.call(mfa.turnOnAuthenticator, { body: { code } });
    expect(response.body.recoveryCodes).toHaveLength(10);
    expect(new Set(response.body.recoveryCodes).size).toBe(10);
    expect(await isLoggedIn(browser)).toBe(true);
    expect(await isLoggedIn(other)).toBe(false);
    expect((await browser.call(security.security)).body).toMatchObject({
      authenticatorOn: true,
      recoveryCodesLeft: 10,
    });
    await waitForMail(input.email, /^Authenticator app turned on/);
    expect((await browser.call(mfa.startAuthenticatorSetup)).status).toBe(409);
  });

  test('accepts the code for the current, previous or next time step', async () => {
    const { input, secret } = await createTutorWithTotp(app);
    for (const seconds of [-30, 30]) {
      app.clock.advance({ minutes: 5 });
      const { browser, response } = await loginWithPassword(app, input);
      expect([response.status, response.error.code]).toEqual([401, 'second_factor_needed']);
      expect((await browser.call(mfa.mfaChallenge)).body).toEqual({
        authenticator: true,
        passkey: false,
      });
      const codeTime = new Date(app.clock.now().getTime() + seconds * 1000);
      const loggedIn = await submitCode(browser, generateTotpCode(secret, codeTime));
      expect([loggedIn.status, loggedIn.body.username]).toEqual([200, input.username]);
      expect(await isLoggedIn(browser)).toBe(true);
      expect([...browser.cookies.keys()].toSorted()).toEqual(['lessonbook', 'lessonbook-device']);
    }
  });

  test('is not offered without an encryption key', async () => {
    const withoutKeys = await startTestApp();
    const { browser } = await createTutor(withoutKeys);
    expect((await browser.call(security.security)).body.authenticatorOffered).toBe(false);
    expect((await browser.call(mfa.startAuthenticatorSetup)).status).toBe(404);
    await withoutKeys.close();
  });

  test('can be turned off: no code is required, recovery codes are deleted and an email is sent', async () => {
    const { browser, input } = await createTutorWithTotp(app);
    expect((await browser.call(mfa.turnOffAuthenticator)).status).toBe(200);
    expect((await loginWithPassword(app, input)).response.status).toBe(200);
    expect((await browser.call(security.security)).body).toMatchObject({
      authenticatorOn: false,
      recoveryCodesLeft: 0,
    });
    await waitForMail(input.email, /^Authenticator app turned off/);
    expect((await browser.call(mfa.turnOffAuthenticator)).status).toBe(404);
  });

  test('[V11.2.2, V14.2.4] its secret is encrypted in the database, and re-encrypted with the newest key after a day', async () => {
    const { secret, input } = await createTutorWithTotp(app);
    const readEncryptedSecret = async () =>
      (
        await app.admin.query<{ encrypted_secret: string }>(
          'select encrypted_secret from totp_credentials a join login_directory d using (tutor_id) where d.email = $1',
          [input.email],
        )
      ).rows[0]?.encrypted_secret ?? '';
    expect(await readEncryptedSecret()).toMatch(/^one\./);
    expect(await readEncryptedSecret()).not.toContain(secret);

    const newer = { name: 'two', key: Buffer.alloc(32, 9) };
    const encryptionKeys = [newer, ...app.context.config.encryptionKeys];
    const rotatedContext = { ...app.context, config: { ...app.context.config, encryptionKeys } };
    await rotateAuthenticatorEncryption(rotatedContext);
    expect(await readEncryptedSecret()).toMatch(/^one\./);
    app.clock.advance({ days: 1 });
    await rotateAuthenticatorEncryption(rotatedContext);
    expect(await readEncryptedSecret()).toMatch(/^two\./);
  });
});

describe('[V2.3.1, T05] an MFA challenge is not a login', () => {
  test('no endpoint accepts its token as a login token, under any cookie name', async () => {
    const { input } = await createTutorWithTotp(app);
    const { browser } = await loginWithPassword(app, input);
    expect([...browser.cookies.keys()]).toEqual(['lessonbook-step']);
    const challengeToken = browser.cookies.get('lessonbook-step') ?? '';
    const loginEndpoints = app.http.endpoints.filter((endpoint) => endpoint.access === 'login');
    for (const name of ['lessonbook-step', 'lessonbook', 'lessonbook-device']) {
      browser.cookies = new Map([[name, challengeToken]]);
      for (const endpoint of loginEndpoints) {
        const response = await browser.send(endpoint.method, endpoint.path.replace(/:\w+/g, '1'));
        expect([endpoint.path, response.status]).toEqual([
          endpoint.path,
          endpoint.redirects ? 303 : 401,
        ]);
      }
    }
    const { rows } = await app.admin.query(
      'select l.created_at from logins l join login_directory d using (tutor_id) where d.email = $1',
      [input.email],
    );
    expect(rows).toHaveLength(1);
  });

  test('a login token is not accepted as a challenge, and a challenge needs its cookie', async () => {
    const { browser: loggedIn, input, secret } = await createTutorWithTotp(app);
    const attacker = app.browser();
    attacker.cookies.set('lessonbook-step', loggedIn.cookies.get('lessonbook') ?? '');
    expect((await submitCode(attacker, generateTotpCode(secret, app.clock.now()))).status).toBe(
      410,
    );
    await loginWithPassword(app, input);
    expect(
      (await submitCode(app.browser(), generateTotpCode(secret, app.clock.now()))).status,
    ).toBe(410);
    expect((await app.browser().call(mfa.mfaChallenge)).status).toBe(410);
  });

  test('a challenge ends after ten minutes, after one login or when the password changes, and is later deleted', async () => {
    const { browser: ownerBrowser, input, secret } = await createTutorWithTotp(app);
    const { browser: slow } = await loginWithPassword(app, input);
    app.clock.advance({ minutes: 10, seconds: 1 });
    expect((await submitCode(slow, generateTotpCode(secret, app.clock.now()))).status).toBe(410);

    const { browser: reused } = await loginWithPassword(app, input);
    const challengeToken = reused.cookies.get('lessonbook-step') ?? '';
    expect((await submitCode(reused, generateTotpCode(secret, app.clock.now()))).status).toBe(200);
    reused.cookies = new Map([['lessonbook-step', challengeToken]]);
    app.clock.advance({ minutes: 1 });
    expect((await submitCode(reused, generateTotpCode(secret, app.clock.now()))).status).toBe(410);

    const { browser: pending } = await loginWithPassword(app, input);
    await ownerBrowser.call(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
    await ownerBrowser.call(security.changePassword, { body: { password: 'a new chalk board' } });
    expect((await submitCode(pending, generateTotpCode(secret, app.clock.now()))).status).toBe(410);

    app.clock.advance({ days: 1 });
    await deleteExpiredAuthRecords(app.context);
    expect((await app.admin.query('select 1 from mfa_challenges')).rowCount).toBe(0);
  });

  test('[V6.6.3] a challenge is limited to five attempts, and attempts across all challenges for an account are limited too', async () => {
    const strict = await startMfaTestApp({ RATE_LIMIT_FACTOR: '1' });
    const { input, secret } = await createTutorWithTotp(strict);
    const { browser } = await loginWithPassword(strict, input);
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await submitCode(browser, `00000${n}`)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400]);
    expect((await submitCode(browser, generateTotpCode(secret, strict.clock.now()))).status).toBe(
      410,
    );
    const { browser: next } = await loginWithPassword(strict, input);
    expect((await submitCode(next, '000009')).status).toBe(400);
    expect((await submitCode(next, generateTotpCode(secret, strict.clock.now()))).status).toBe(429);
    await strict.close();
  });
});

describe('[V6.5.1] codes work only once', () => {
  test('a code is rejected the second time it is used, even in the next time step', async () => {
    const { input, secret } = await createTutorWithTotp(app);
    const code = generateTotpCode(secret, app.clock.now());
    const [first, second] = [
      await loginWithPassword(app, input),
      await loginWithPassword(app, input),
    ];
    expect((await submitCode(first.browser, code)).status).toBe(200);
    expect((await submitCode(second.browser, code)).status).toBe(400);
    app.clock.advance({ seconds: 30 });
    expect((await submitCode(second.browser, code)).status).toBe(400);
  });

  test('an older code is rejected once a newer one has been used', async () => {
    const { input, secret } = await createTutorWithTotp(app);
    const older = generateTotpCode(secret, new Date(app.clock.now().getTime() - 30_000));
    const [first, second] = [
      await loginWithPassword(app, input),
      await loginWithPassword(app, input),
    ];
    expect(
      (await submitCode(first.browser, generateTotpCode(secret, app.clock.now()))).status,
    ).toBe(200);
    expect((await submitCode(second.browser, older)).status).toBe(400);
  });

  test.each(['app code', 'recovery code'])(
    '[T16] only one of eight concurrent uses of one %s succeeds',
    async (kind) => {
      const { input, secret, recoveryCodes } = await createTutorWithTotp(app);
      const code =
        kind === 'app code' ? generateTotpCode(secret, app.clock.now()) : (recoveryCodes[0] ?? '');
      const logins = await Promise.all(
        Array.from({ length: 8 }, () => loginWithPassword(app, input)),
      );
      const responses = await Promise.all(logins.map(({ browser }) => submitCode(browser, code)));
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array<number>(7).fill(400),
      ]);
      const loggedIn = await Promise.all(logins.map(({ browser }) => isLoggedIn(browser)));
      expect(loggedIn.filter(Boolean)).toHaveLength(1);
    },
  );

  test.each(['', ' ', '-', '------', '      ', '0', 'undefined', 'null'])(
    '[T18] rejects an empty or malformed code (%j), even when no recovery codes are left',
    async (code) => {
      const { input } = await createTutorWithTotp(app);
      await app.admin.query(
        'delete from recovery_codes where tutor_id = (select tutor_id from login_directory where email = $1)',
        [input.email],
      );
      const { browser } = await loginWithPassword(app, input);
      expect((await submitCode(browser, code)).status).toBe(400);
      expect(await isLoggedIn(browser)).toBe(false);
    },
  );
});

describe('recovery codes', () => {
  test('[V6.4.4] each work once, regardless of case, spaces and hyphens, and the email says how many are left', async () => {
    const { input, recoveryCodes } = await createTutorWithTotp(app);
    const [first = '', second = ''] = recoveryCodes;
    expect(first).toMatch(/^([a-km-np-z2-9]{6}-){3}[a-km-np-z2-9]{6}$/);
    const { browser } = await loginWithPassword(app, input);
    expect((await submitCode(browser, first)).status).toBe(200);
    const mail = await waitForMail(input.email, /^Recovery code used/);
    expect(mail.text).toContain('9 are left');
    const { browser: again } = await loginWithPassword(app, input);
    expect((await submitCode(again, first)).status).toBe(400);
    expect((await submitCode(again, ` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(
      200,
    );
    expect((await again.call(security.security)).body.recoveryCodesLeft).toBe(8);
  });

  test('[V6.5.2] new codes replace the old ones; another tutor’s codes are rejected; only hashes are stored', async () => {
    const [ada, bea] = [await createTutorWithTotp(app), await createTutorWithTotp(app)];
    const renewed = await ada.browser.call(mfa.regenerateRecoveryCodes);
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    await waitForMail(ada.input.email, /^New recovery codes/);
    const { browser } = await loginWithPassword(app, ada.input);
    expect((await submitCode(browser, ada.recoveryCodes[0] ?? '')).status).toBe(400);
    expect((await submitCode(browser, bea.recoveryCodes[0] ?? '')).status).toBe(400);
    const { rows } = await app.admin.query(
      "select encode(code_hash, 'escape') as stored from recovery_codes",
    );
    const stored = JSON.stringify(rows);
    for (const code of renewed.body.recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
    expect((await submitCode(browser, renewed.body.recoveryCodes[3] ?? '')).status).toBe(200);
  });

  test('cannot be created without a second factor', async () => {
    const { browser } = await createTutor(app);
    expect((await browser.call(mfa.regenerateRecoveryCodes)).status).toBe(409);
  });

  test('can be used to reauthenticate instead of the password, as can app codes', async () => {
    const { browser, secret, recoveryCodes } = await createTutorWithTotp(app);
    app.clock.advance({ minutes: 11 });
    expect((await browser.call(mfa.regenerateRecoveryCodes)).status).toBe(403);
    const wrong = await browser.call(mfa.reauthenticateWithCode, { body: { code: '000000' } });
    expect(wrong.status).toBe(400);
    const code = generateTotpCode(secret, app.clock.now());
    expect((await browser.call(mfa.reauthenticateWithCode, { body: { code } })).status).toBe(200);
    expect((await browser.call(mfa.reauthenticateWithCode, { body: { code } })).status).toBe(400);
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(200);
    app.clock.advance({ minutes: 11 });
    const recovery = { code: recoveryCodes[0] ?? '' };
    expect((await browser.call(mfa.reauthenticateWithCode, { body: recovery })).status).toBe(200);
    expect((await browser.call(mfa.turnOffAuthenticator)).status).toBe(200);
  });
});

describe('a password reset', () => {
  async function reset(email: string) {
    const visitor = app.browser();
    await visitor.call(accounts.forgotPassword, { body: { account: email } });
    const token = await readTokenFromEmail(app, email, 'reset-password');
    const password = 'chosen by mail';
    return (await visitor.call(accounts.resetPassword, { body: { token, password } })).status;
  }
  const logIn = (username: string) =>
    app.browser().call(accounts.login, { body: { username, password: 'chosen by mail' } });

  test('[V6.4.3, V6.4.4] keeps a factor that is several days old, so access to the mailbox alone is not enough', async () => {
    const { input } = await createTutorWithTotp(app);
    app.clock.advance({ days: 3, minutes: 1 });
    expect(await reset(input.email)).toBe(200);
    expect((await logIn(input.username)).error.code).toBe('second_factor_needed');
    await waitForMail(input.email, /password was changed/);
  });

  test('removes a recently added factor, which an attacker could have added to lock the owner out', async () => {
    const { input } = await createTutorWithTotp(app);
    app.clock.advance({ days: 2 });
    expect(await reset(input.email)).toBe(200);
    expect((await logIn(input.username)).status).toBe(200);
  });

  test('F35 deletes recovery codes that were created in the last three days, and keeps older ones with their date', async () => {
    const [ada, bea] = [await createTutorWithTotp(app), await createTutorWithTotp(app)];
    const createdAt = (await bea.browser.call(security.security)).body.recoveryCodesCreatedAt;
    expect(createdAt).toBe('2026-11-16T12:01:00.000Z');
    app.clock.advance({ days: 4 });
    const { browser: thief } = await loginWithPassword(app, ada.input);
    await submitCode(thief, generateTotpCode(ada.secret, app.clock.now()));
    const [stolen = ''] = (await thief.call(mfa.regenerateRecoveryCodes)).body.recoveryCodes;
    app.clock.advance({ days: 2 });
    expect([await reset(ada.input.email), await reset(bea.input.email)]).toEqual([200, 200]);
    const password = 'chosen by mail';
    const { browser: owner } = await loginWithPassword(app, { ...ada.input, password });
    expect((await submitCode(owner, stolen)).status).toBe(400);
    expect((await submitCode(owner, generateTotpCode(ada.secret, app.clock.now()))).status).toBe(
      200,
    );
    expect((await owner.call(security.security)).body).toMatchObject({
      authenticatorOn: true,
      recoveryCodesLeft: 0,
      recoveryCodesCreatedAt: null,
    });
    const { browser: other } = await loginWithPassword(app, { ...bea.input, password });
    expect((await submitCode(other, bea.recoveryCodes[0] ?? '')).status).toBe(200);
    expect((await other.call(security.security)).body.recoveryCodesCreatedAt).toBe(createdAt);
  });

  test('removes all factors if the email address was never verified', async () => {
    const { browser, input } = await createTutor(app);
    const { secret } = (await browser.call(mfa.startAuthenticatorSetup)).body;
    const code = generateTotpCode(secret, app.clock.now());
    await browser.call(mfa.turnOnAuthenticator, { body: { code } });
    app.clock.advance({ days: 20 });
    expect(await reset(input.email)).toBe(200);
    expect((await logIn(input.username)).status).toBe(200);
  });
});
