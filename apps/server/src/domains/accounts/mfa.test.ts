import { accounts } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import {
  createTutorWithTotp,
  generateTotpCode,
  loginWithPassword,
  startMfaTestApp,
} from '../../test/mfa-test-app.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, createVerifiedTutor, PASSWORD, readMailedToken } from '../../test/tutor.ts';
import { deleteExpiredAccountData } from './service/deletion/cleanup-expired.ts';
import { rotateAuthenticatorEncryption } from './service/mfa/rotate-encryption.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const isInside = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;
const giveCode = (browser: Browser, code: string) =>
  browser.call(mfa.verifyMfaCode, { body: { code } });
const mailTo = (address: string, subject: RegExp) =>
  app.mailbox.waitFor((mail) => mail.to.includes(address) && subject.test(mail.subject));

describe('the authenticator app', () => {
  test('[V7.4.3] counts once a code was given: the others are logged out, ten recovery codes come, a mail goes', async () => {
    const { browser, input } = await createVerifiedTutor(app);
    const { browser: other } = await loginWithPassword(app, input);
    const begun = await browser.call(mfa.startAuthenticatorSetup);
    expect(begun.body.uri).toMatch(/^otpauth:\/\/totp\/Lessonbook:/);
    expect(begun.body.uri).toContain(`secret=${begun.body.secret}`);
    // Not shown yet that the app has it: nobody is asked for a code.
    expect((await loginWithPassword(app, input)).answer.status).toBe(200);
    const wrong = await browser.call(mfa.turnOnAuthenticator, {
      body: { code: '000000' },
    });
    expect([wrong.status, wrong.error.fields]).toEqual([400, { code: 'That code is not right' }]);

    const code = generateTotpCode(begun.body.secret, app.clock.now());
    const on = await browser.call(mfa.turnOnAuthenticator, { body: { code } });
    expect(on.body.recoveryCodes).toHaveLength(10);
    expect(new Set(on.body.recoveryCodes).size).toBe(10);
    expect(await isInside(browser)).toBe(true);
    expect(await isInside(other)).toBe(false);
    expect((await browser.call(security.security)).body).toMatchObject({
      authenticatorOn: true,
      recoveryCodesLeft: 10,
    });
    await mailTo(input.email, /^Authenticator app turned on/);
    expect((await browser.call(mfa.startAuthenticatorSetup)).status).toBe(409);
  });

  test('lets in after the password with this half minute’s code, or a neighbour’s', async () => {
    const { input, secret } = await createTutorWithTotp(app);
    for (const seconds of [-30, 30]) {
      app.clock.forward({ minutes: 5 });
      const { browser, answer } = await loginWithPassword(app, input);
      expect([answer.status, answer.error.code]).toEqual([401, 'second_factor_needed']);
      expect((await browser.call(mfa.mfaChallenge)).body).toEqual({
        authenticator: true,
        passkey: false,
      });
      const then = new Date(app.clock.now().getTime() + seconds * 1000);
      const inside = await giveCode(browser, generateTotpCode(secret, then));
      expect([inside.status, inside.body.username]).toEqual([200, input.username]);
      expect(await isInside(browser)).toBe(true);
      expect([...browser.cookies.keys()].toSorted()).toEqual(['lessonbook', 'lessonbook-device']);
    }
  });

  test('is not offered where no key could seal its secret', async () => {
    const plain = await startTestApp();
    const { browser } = await createTutor(plain);
    expect((await browser.call(security.security)).body.authenticatorOffered).toBe(false);
    expect((await browser.call(mfa.startAuthenticatorSetup)).status).toBe(404);
    await plain.close();
  });

  test('is turned off: no code is asked for, recovery codes end, a mail goes', async () => {
    const { browser, input } = await createTutorWithTotp(app);
    expect((await browser.call(mfa.turnOffAuthenticator)).status).toBe(200);
    expect((await loginWithPassword(app, input)).answer.status).toBe(200);
    expect((await browser.call(security.security)).body).toMatchObject({
      authenticatorOn: false,
      recoveryCodesLeft: 0,
    });
    await mailTo(input.email, /^Authenticator app turned off/);
    expect((await browser.call(mfa.turnOffAuthenticator)).status).toBe(404);
  });

  test('[V11.2.2, V14.2.4] its secret stands sealed in the database, and under the newest key a day later', async () => {
    const { secret, input } = await createTutorWithTotp(app);
    const sealed = async () =>
      (
        await app.admin.query<{ encrypted_secret: string }>(
          'select encrypted_secret from totp_credentials a join login_directory d using (tutor_id) where d.email = $1',
          [input.email],
        )
      ).rows[0]?.encrypted_secret ?? '';
    expect(await sealed()).toMatch(/^one\./);
    expect(await sealed()).not.toContain(secret);

    const newer = { name: 'two', key: Buffer.alloc(32, 9) };
    const sealingKeys = [newer, ...app.context.config.sealingKeys];
    const turned = { ...app.context, config: { ...app.context.config, sealingKeys } };
    await rotateAuthenticatorEncryption(turned);
    expect(await sealed()).toMatch(/^one\./);
    app.clock.forward({ days: 1 });
    await rotateAuthenticatorEncryption(turned);
    expect(await sealed()).toMatch(/^two\./);
  });
});

describe('[V2.3.1, T05] before the second factor there is no login', () => {
  test('no call takes for a login what the browser holds then, under whatever name', async () => {
    const { input } = await createTutorWithTotp(app);
    const { browser } = await loginWithPassword(app, input);
    expect([...browser.cookies.keys()]).toEqual(['lessonbook-step']);
    const ticket = browser.cookies.get('lessonbook-step') ?? '';
    const closed = app.http.endpoints.filter((endpoint) => endpoint.access === 'login');
    for (const name of ['lessonbook-step', 'lessonbook', 'lessonbook-device']) {
      browser.cookies = new Map([[name, ticket]]);
      for (const endpoint of closed) {
        const answer = await browser.send(endpoint.method, endpoint.path.replace(/:\w+/g, '1'));
        expect([endpoint.path, answer.status]).toEqual([
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

  test('a login is no ticket either, and the ticket of one browser is nothing in another', async () => {
    const { browser: inside, input, secret } = await createTutorWithTotp(app);
    const thief = app.browser();
    thief.cookies.set('lessonbook-step', inside.cookies.get('lessonbook') ?? '');
    expect((await giveCode(thief, generateTotpCode(secret, app.clock.now()))).status).toBe(410);
    await loginWithPassword(app, input);
    expect((await giveCode(app.browser(), generateTotpCode(secret, app.clock.now()))).status).toBe(
      410,
    );
    expect((await app.browser().call(mfa.mfaChallenge)).status).toBe(410);
  });

  test('the ticket ends after ten minutes, after one login, and when the password changes; then it is forgotten', async () => {
    const { browser: own, input, secret } = await createTutorWithTotp(app);
    const { browser: slow } = await loginWithPassword(app, input);
    app.clock.forward({ minutes: 10, seconds: 1 });
    expect((await giveCode(slow, generateTotpCode(secret, app.clock.now()))).status).toBe(410);

    const { browser: twice } = await loginWithPassword(app, input);
    const ticket = twice.cookies.get('lessonbook-step') ?? '';
    expect((await giveCode(twice, generateTotpCode(secret, app.clock.now()))).status).toBe(200);
    twice.cookies = new Map([['lessonbook-step', ticket]]);
    app.clock.forward({ minutes: 1 });
    expect((await giveCode(twice, generateTotpCode(secret, app.clock.now()))).status).toBe(410);

    const { browser: overtaken } = await loginWithPassword(app, input);
    await own.call(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
    await own.call(security.changePassword, { body: { password: 'a new chalk board' } });
    expect((await giveCode(overtaken, generateTotpCode(secret, app.clock.now()))).status).toBe(410);

    app.clock.forward({ days: 1 });
    await deleteExpiredAccountData(app.context);
    expect((await app.admin.query('select 1 from mfa_challenges')).rowCount).toBe(0);
  });

  test('[V6.6.3] five tries, then not even the right code; and not many more tickets than that', async () => {
    const strict = await startMfaTestApp({ RATE_LIMIT_FACTOR: '1' });
    const { input, secret } = await createTutorWithTotp(strict);
    const { browser } = await loginWithPassword(strict, input);
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await giveCode(browser, `00000${n}`)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400]);
    expect((await giveCode(browser, generateTotpCode(secret, strict.clock.now()))).status).toBe(
      410,
    );
    const { browser: next } = await loginWithPassword(strict, input);
    expect((await giveCode(next, '000009')).status).toBe(400);
    expect((await giveCode(next, generateTotpCode(secret, strict.clock.now()))).status).toBe(429);
    await strict.close();
  });
});

describe('[V6.5.1] codes are good once', () => {
  test('the same code is refused the second time, also in the half minute after', async () => {
    const { input, secret } = await createTutorWithTotp(app);
    const code = generateTotpCode(secret, app.clock.now());
    const [first, second] = [
      await loginWithPassword(app, input),
      await loginWithPassword(app, input),
    ];
    expect((await giveCode(first.browser, code)).status).toBe(200);
    expect((await giveCode(second.browser, code)).status).toBe(400);
    app.clock.forward({ seconds: 30 });
    expect((await giveCode(second.browser, code)).status).toBe(400);
  });

  test('an older one is refused once a newer one was used', async () => {
    const { input, secret } = await createTutorWithTotp(app);
    const older = generateTotpCode(secret, new Date(app.clock.now().getTime() - 30_000));
    const [first, second] = [
      await loginWithPassword(app, input),
      await loginWithPassword(app, input),
    ];
    expect((await giveCode(first.browser, generateTotpCode(secret, app.clock.now()))).status).toBe(
      200,
    );
    expect((await giveCode(second.browser, older)).status).toBe(400);
  });

  test.each(['of the app', 'for recovery'])(
    '[T16] a code %s that eight browsers give at the same moment lets one in',
    async (kind) => {
      const { input, secret, recoveryCodes } = await createTutorWithTotp(app);
      const code =
        kind === 'of the app'
          ? generateTotpCode(secret, app.clock.now())
          : (recoveryCodes[0] ?? '');
      const steps = await Promise.all(
        Array.from({ length: 8 }, () => loginWithPassword(app, input)),
      );
      const answers = await Promise.all(steps.map(({ browser }) => giveCode(browser, code)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array<number>(7).fill(400),
      ]);
      const inside = await Promise.all(steps.map(({ browser }) => isInside(browser)));
      expect(inside.filter(Boolean)).toHaveLength(1);
    },
  );

  test.each(['', ' ', '-', '------', '      ', '0', 'undefined', 'null'])(
    '[T18] nothing, or as good as nothing (%j), is no code: not with an app, not without codes left',
    async (code) => {
      const { input } = await createTutorWithTotp(app);
      await app.admin.query(
        'delete from recovery_codes where tutor_id = (select tutor_id from login_directory where email = $1)',
        [input.email],
      );
      const { browser } = await loginWithPassword(app, input);
      expect((await giveCode(browser, code)).status).toBe(400);
      expect(await isInside(browser)).toBe(false);
    },
  );
});

describe('recovery codes', () => {
  test('[V6.4.4] let in once each, however they are typed; the mail says how many are left', async () => {
    const { input, recoveryCodes } = await createTutorWithTotp(app);
    const [first = '', second = ''] = recoveryCodes;
    expect(first).toMatch(/^([a-km-np-z2-9]{6}-){3}[a-km-np-z2-9]{6}$/);
    const { browser } = await loginWithPassword(app, input);
    expect((await giveCode(browser, first)).status).toBe(200);
    const mail = await mailTo(input.email, /^Recovery code used/);
    expect(mail.text).toContain('9 are left');
    const { browser: again } = await loginWithPassword(app, input);
    expect((await giveCode(again, first)).status).toBe(400);
    expect((await giveCode(again, ` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(
      200,
    );
    expect((await again.call(security.security)).body.recoveryCodesLeft).toBe(8);
  });

  test('[V6.5.2] new ones end the old ones; those of another tutor open nothing; only hashes are kept', async () => {
    const [ada, bea] = [await createTutorWithTotp(app), await createTutorWithTotp(app)];
    const renewed = await ada.browser.call(mfa.regenerateRecoveryCodes);
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    await mailTo(ada.input.email, /^New recovery codes/);
    const { browser } = await loginWithPassword(app, ada.input);
    expect((await giveCode(browser, ada.recoveryCodes[0] ?? '')).status).toBe(400);
    expect((await giveCode(browser, bea.recoveryCodes[0] ?? '')).status).toBe(400);
    const { rows } = await app.admin.query(
      "select encode(code_hash, 'escape') as kept from recovery_codes",
    );
    const kept = JSON.stringify(rows);
    for (const code of renewed.body.recoveryCodes) {
      expect(kept).not.toContain(code);
      expect(kept).not.toContain(code.replaceAll('-', ''));
    }
    expect((await giveCode(browser, renewed.body.recoveryCodes[3] ?? '')).status).toBe(200);
  });

  test('there are none without a factor', async () => {
    const { browser } = await createTutor(app);
    expect((await browser.call(mfa.regenerateRecoveryCodes)).status).toBe(409);
  });

  test('a code serves in place of the password before something delicate', async () => {
    const { browser, secret, recoveryCodes } = await createTutorWithTotp(app);
    app.clock.forward({ minutes: 11 });
    expect((await browser.call(mfa.regenerateRecoveryCodes)).status).toBe(403);
    const wrong = await browser.call(mfa.reauthenticateWithCode, { body: { code: '000000' } });
    expect(wrong.status).toBe(400);
    const code = generateTotpCode(secret, app.clock.now());
    expect((await browser.call(mfa.reauthenticateWithCode, { body: { code } })).status).toBe(200);
    expect((await browser.call(mfa.reauthenticateWithCode, { body: { code } })).status).toBe(400);
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(200);
    app.clock.forward({ minutes: 11 });
    const recovery = { code: recoveryCodes[0] ?? '' };
    expect((await browser.call(mfa.reauthenticateWithCode, { body: recovery })).status).toBe(200);
    expect((await browser.call(mfa.turnOffAuthenticator)).status).toBe(200);
  });
});

describe('a password that is chosen by mail', () => {
  async function reset(email: string) {
    const visitor = app.browser();
    await visitor.call(accounts.forgotPassword, { body: { account: email } });
    const token = await readMailedToken(app, email, 'reset-password');
    const password = 'chosen by mail';
    return (await visitor.call(accounts.resetPassword, { body: { token, password } })).status;
  }
  const logIn = (username: string) =>
    app.browser().call(accounts.login, { body: { username, password: 'chosen by mail' } });

  test('[V6.4.3, V6.4.4] leaves a factor that has stood for days: the mailbox alone opens nothing', async () => {
    const { input } = await createTutorWithTotp(app);
    app.clock.forward({ days: 3, minutes: 1 });
    expect(await reset(input.email)).toBe(200);
    expect((await logIn(input.username)).error.code).toBe('second_factor_needed');
    await mailTo(input.email, /password was changed/);
  });

  test('takes away one that was just added, by which a thief would keep the owner out', async () => {
    const { input } = await createTutorWithTotp(app);
    app.clock.forward({ days: 2 });
    expect(await reset(input.email)).toBe(200);
    expect((await logIn(input.username)).status).toBe(200);
  });

  test('takes away all of whoever registered an address that was not theirs', async () => {
    const { browser, input } = await createTutor(app);
    const { secret } = (await browser.call(mfa.startAuthenticatorSetup)).body;
    const code = generateTotpCode(secret, app.clock.now());
    await browser.call(mfa.turnOnAuthenticator, { body: { code } });
    app.clock.forward({ days: 20 });
    expect(await reset(input.email)).toBe(200);
    expect((await logIn(input.username)).status).toBe(200);
  });
});
