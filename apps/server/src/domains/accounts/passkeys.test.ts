import { accounts } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createTutor, createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { addPasskey, loginWithPassword, startMfaTestApp } from '../../test/mfa-test-app.ts';
import { PasskeyDevice } from '../../test/passkey-device.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const isLoggedIn = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;

async function createTutorWithPasskey() {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  return { browser, input, ...(await addPasskey(browser)) };
}

const loginOptions = async (browser: Browser) =>
  (await browser.call(mfa.passkeyLoginOptions)).body.options;
const mfaPasskeyOptions = async (browser: Browser) =>
  (await browser.call(mfa.mfaPasskeyOptions)).body.options;
const logInWith = (browser: Browser, response: ReturnType<PasskeyDevice['sign']>) =>
  browser.call(mfa.logInWithPasskey, { body: { response } });

describe('a passkey', () => {
  test('can be added, renamed and removed: other logins end, recovery codes are issued and emails are sent', async () => {
    const { browser, input } = await createTutorWhoCanEmailFamilies(app);
    const { browser: other } = await loginWithPassword(app, input);
    const { added } = await addPasskey(browser, 'Kitchen laptop');
    expect(added.status).toBe(201);
    expect(added.body.passkey).toMatchObject({ name: 'Kitchen laptop', lastUsedAt: null });
    expect(added.body.recoveryCodes).toHaveLength(10);
    expect(await isLoggedIn(other)).toBe(false);
    app.clock.advance({ seconds: 1 });
    expect((await addPasskey(browser, 'Phone')).added.body.recoveryCodes).toEqual([]);

    const { id } = added.body.passkey;
    await browser.call(mfa.renamePasskey, { params: { id }, body: { name: 'Laptop' } });
    const names = async () =>
      (await browser.call(security.security)).body.passkeys.map(({ name }) => name);
    expect(await names()).toEqual(['Laptop', 'Phone']);
    const { browser: stranger } = await createTutor(app);
    expect((await stranger.call(mfa.removePasskey, { params: { id } })).status).toBe(404);
    const rename = { params: { id }, body: { name: 'Mine' } };
    expect((await stranger.call(mfa.renamePasskey, rename)).status).toBe(404);
    await browser.call(mfa.removePasskey, { params: { id } });
    expect(await names()).toEqual(['Phone']);
    for (const subject of [/^Passkey added/, /^Passkey removed/])
      await app.mailbox.waitFor(
        (mail) => mail.to.includes(input.email) && subject.test(mail.subject),
      );
  });

  test('logs in without a username or password', async () => {
    const { device, input } = await createTutorWithPasskey();
    const browser = app.browser();
    const loggedIn = await logInWith(browser, device.sign(await loginOptions(browser)));
    expect([loggedIn.status, loggedIn.body.username]).toEqual([200, input.username]);
    expect(await isLoggedIn(browser)).toBe(true);
    expect((await browser.call(security.security)).body.passkeys[0]?.lastUsedAt).toBe(
      '2026-11-16T12:00:00.000Z',
    );
  });

  test('can be used as a second factor and, instead of the password, for reauthentication', async () => {
    const { device, input } = await createTutorWithPasskey();
    const { browser, response } = await loginWithPassword(app, input);
    expect(response.error.code).toBe('second_factor_needed');
    expect((await browser.call(mfa.mfaChallenge)).body).toEqual({
      authenticator: false,
      passkey: true,
    });
    const signedResponse = device.sign(await mfaPasskeyOptions(browser));
    const loggedIn = await browser.call(mfa.verifyMfaPasskey, {
      body: { response: signedResponse },
    });
    expect(loggedIn.status).toBe(200);

    app.clock.advance({ minutes: 11 });
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(403);
    const { options } = (await browser.call(mfa.reauthenticationPasskeyOptions)).body;
    const again = { response: device.sign(options) };
    expect((await browser.call(mfa.reauthenticateWithPasskey, { body: again })).status).toBe(200);
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(200);
  });

  test('when the last one is removed, recovery codes are deleted and logins no longer need a second factor', async () => {
    const { browser, input, added } = await createTutorWithPasskey();
    const { id } = added.body.passkey;
    await browser.call(mfa.removePasskey, { params: { id } });
    expect((await loginWithPassword(app, input)).response.status).toBe(200);
    expect((await browser.call(security.security)).body.recoveryCodesLeft).toBe(0);
  });

  test('is not offered on a site without a domain name', async () => {
    const withoutDomain = await startTestApp();
    const { browser } = await createTutor(withoutDomain);
    expect((await browser.call(security.security)).body.passkeysOffered).toBe(false);
    expect((await browser.call(accounts.signInOptions)).body.passkeys).toBe(false);
    expect((await withoutDomain.browser().call(mfa.passkeyLoginOptions)).status).toBe(404);
    await withoutDomain.close();
  });
});

describe('a passkey login is rejected', () => {
  test.each([
    ['when the device was not unlocked', { verified: false }],
    ['on a page that looks like ours', { origin: 'https://localhost.evil.example' }],
    ['when the signature is from another key', { forged: true }],
  ])('%s', async (_, manipulation) => {
    const { device, input } = await createTutorWithPasskey();
    const browser = app.browser();
    expect(
      (await logInWith(browser, device.sign(await loginOptions(browser), manipulation))).status,
    ).toBe(400);
    const { browser: second } = await loginWithPassword(app, input);
    const response = device.sign(await mfaPasskeyOptions(second), manipulation);
    expect((await second.call(mfa.verifyMfaPasskey, { body: { response } })).status).toBe(400);
    for (const attempted of [browser, second]) expect(await isLoggedIn(attempted)).toBe(false);
    // An unmodified response is accepted.
    expect((await logInWith(browser, device.sign(await loginOptions(browser)))).status).toBe(200);
  });

  test('when the same response is sent twice, one after the other or concurrently', async () => {
    const { device } = await createTutorWithPasskey();
    const browser = app.browser();
    const response = device.sign(await loginOptions(browser));
    const savedCookies = new Map(browser.cookies);
    const copies = Array.from({ length: 8 }, () => {
      const copy = app.browser();
      copy.cookies = new Map(savedCookies);
      return copy;
    });
    const statuses = await Promise.all(
      copies.map(async (copy) => (await logInWith(copy, response)).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(400)]);
    browser.cookies = savedCookies;
    expect((await logInWith(browser, response)).status).toBe(400);
  });

  test('[V6.6.2] in another browser, for another purpose, or after six minutes', async () => {
    const { device, input, browser: own } = await createTutorWithPasskey();
    const initiator = app.browser();
    const stolen = device.sign(await loginOptions(initiator));
    expect((await logInWith(app.browser(), stolen)).status).toBe(400);

    // A login response cannot be used to reauthenticate, and vice versa.
    const response = device.sign(await loginOptions(own));
    expect((await own.call(mfa.reauthenticateWithPasskey, { body: { response } })).status).toBe(
      400,
    );
    const { options } = (await own.call(mfa.reauthenticationPasskeyOptions)).body;
    expect((await logInWith(own, device.sign(options))).status).toBe(400);
    const { browser: second } = await loginWithPassword(app, input);
    expect((await logInWith(second, device.sign(await mfaPasskeyOptions(second)))).status).toBe(
      400,
    );

    const slow = device.sign(await loginOptions(initiator));
    app.clock.advance({ minutes: 6, seconds: 1 });
    expect((await logInWith(initiator, slow)).status).toBe(400);
  });

  test('when the passkey belongs to another tutor, as a second factor or for reauthentication', async () => {
    const [ada, bea] = [await createTutorWithPasskey(), await createTutorWithPasskey()];
    const { browser } = await loginWithPassword(app, ada.input);
    const mfaOptions = await mfaPasskeyOptions(browser);
    const response = bea.device.sign(mfaOptions);
    expect((await browser.call(mfa.verifyMfaPasskey, { body: { response } })).status).toBe(400);
    expect(await isLoggedIn(browser)).toBe(false);
    app.clock.advance({ minutes: 11 });
    const options = (await ada.browser.call(mfa.reauthenticationPasskeyOptions)).body.options;
    const other = { response: bea.device.sign(options) };
    expect((await ada.browser.call(mfa.reauthenticateWithPasskey, { body: other })).status).toBe(
      400,
    );
  });

  test('when the passkey has been removed or is unknown', async () => {
    const { browser, device, added } = await createTutorWithPasskey();
    const visitor = app.browser();
    const response = device.sign(await loginOptions(visitor));
    await browser.call(mfa.removePasskey, { params: { id: added.body.passkey.id } });
    expect((await logInWith(visitor, response)).status).toBe(400);
    const unknown = new PasskeyDevice('http://localhost:1');
    expect((await logInWith(visitor, unknown.sign(await loginOptions(visitor)))).status).toBe(400);
  });

  test.each([{}, { clientDataJSON: '' }, { clientDataJSON: 7 }, { clientDataJSON: 'e30' }])(
    'when the response is malformed: %j',
    async (response) => {
      const browser = app.browser();
      await loginOptions(browser);
      const body = { response: { id: 'x', rawId: 'x', type: 'public-key' as const, response } };
      expect((await browser.call(mfa.logInWithPasskey, { body })).status).toBe(400);
    },
  );
});

describe('a passkey is not added', () => {
  test('without user verification, from another origin, with another browser’s challenge, or twice', async () => {
    const { browser } = await createTutorWhoCanEmailFamilies(app);
    const device = new PasskeyDevice('http://localhost:1');
    const getOptions = async (from: Browser) =>
      (await from.call(mfa.passkeyRegistrationOptions)).body.options;
    const add = (response: ReturnType<PasskeyDevice['register']>) =>
      browser.call(mfa.addPasskey, { body: { name: 'Phone', response } });
    expect(
      (await add(device.register(await getOptions(browser), { verified: false }))).status,
    ).toBe(400);
    const otherOrigin = { origin: 'https://evil.example' };
    expect((await add(device.register(await getOptions(browser), otherOrigin))).status).toBe(400);
    const { browser: stranger } = await createTutorWhoCanEmailFamilies(app);
    expect((await add(device.register(await getOptions(stranger)))).status).toBe(400);
    expect((await add(device.register(await getOptions(browser)))).status).toBe(201);
    expect((await add(device.register(await getOptions(browser)))).status).toBe(400);
    // The same passkey cannot be added to another tutor's account either.
    const registration = device.register(await getOptions(stranger));
    const again = { body: { name: 'Phone', response: registration } };
    expect((await stranger.call(mfa.addPasskey, again)).status).toBe(400);
  });

  test('more than ten minutes after the last authentication', async () => {
    const { browser } = await createTutorWhoCanEmailFamilies(app);
    const { options } = (await browser.call(mfa.passkeyRegistrationOptions)).body;
    const response = new PasskeyDevice('http://localhost:1').register(options);
    await app.admin.query(
      "update logins set reauthenticated_at = reauthenticated_at - interval '1 hour'",
    );
    const added = await browser.call(mfa.addPasskey, { body: { name: 'Phone', response } });
    expect([added.status, added.error.code]).toEqual([403, 'confirmation_needed']);
    expect((await browser.call(mfa.passkeyRegistrationOptions)).status).toBe(403);
  });
});
