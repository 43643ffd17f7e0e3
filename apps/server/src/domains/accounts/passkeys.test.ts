import { accounts } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { addPasskey, loginWithPassword, startMfaTestApp } from '../../test/mfa-test-app.ts';
import { PasskeyDevice } from '../../test/passkey-device.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, createVerifiedTutor } from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const isInside = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;

async function guarded() {
  const { browser, input } = await createVerifiedTutor(app);
  return { browser, input, ...(await addPasskey(browser)) };
}

const ask = async (browser: Browser) => (await browser.call(mfa.passkeyLoginOptions)).body.options;
const askSecond = async (browser: Browser) =>
  (await browser.call(mfa.mfaPasskeyOptions)).body.options;
const comeInWith = (browser: Browser, answer: ReturnType<PasskeyDevice['sign']>) =>
  browser.call(mfa.logInByPasskey, { body: { response: answer } });

describe('a passkey', () => {
  test('is added with a name, named anew and removed; the others are logged out, codes come, mails go', async () => {
    const { browser, input } = await createVerifiedTutor(app);
    const { browser: other } = await loginWithPassword(app, input);
    const { added } = await addPasskey(browser, 'Kitchen laptop');
    expect(added.status).toBe(201);
    expect(added.body.passkey).toMatchObject({ name: 'Kitchen laptop', lastUsedAt: null });
    expect(added.body.recoveryCodes).toHaveLength(10);
    expect(await isInside(other)).toBe(false);
    app.clock.forward({ seconds: 1 });
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

  test('lets in by itself, without a name or a password', async () => {
    const { device, input } = await guarded();
    const browser = app.browser();
    const inside = await comeInWith(browser, device.sign(await ask(browser)));
    expect([inside.status, inside.body.username]).toEqual([200, input.username]);
    expect(await isInside(browser)).toBe(true);
    expect((await browser.call(security.security)).body.passkeys[0]?.lastUsedAt).toBe(
      '2026-11-16T12:00:00.000Z',
    );
  });

  test('is the second factor after a password, and serves in place of it before something delicate', async () => {
    const { device, input } = await guarded();
    const { browser, answer } = await loginWithPassword(app, input);
    expect(answer.error.code).toBe('second_factor_needed');
    expect((await browser.call(mfa.mfaChallenge)).body).toEqual({
      authenticator: false,
      passkey: true,
    });
    const signed = device.sign(await askSecond(browser));
    const inside = await browser.call(mfa.verifyMfaPasskey, { body: { response: signed } });
    expect(inside.status).toBe(200);

    app.clock.forward({ minutes: 11 });
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(403);
    const { options } = (await browser.call(mfa.reauthenticationPasskeyOptions)).body;
    const again = { response: device.sign(options) };
    expect((await browser.call(mfa.reauthenticateWithPasskey, { body: again })).status).toBe(200);
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(200);
  });

  test('that was the last factor takes the recovery codes along and asks for nothing any more', async () => {
    const { browser, input, added } = await guarded();
    const { id } = added.body.passkey;
    await browser.call(mfa.removePasskey, { params: { id } });
    expect((await loginWithPassword(app, input)).answer.status).toBe(200);
    expect((await browser.call(security.security)).body.recoveryCodesLeft).toBe(0);
  });

  test('is not offered on a site without a name', async () => {
    const plain = await startTestApp();
    const { browser } = await createTutor(plain);
    expect((await browser.call(security.security)).body.passkeysOffered).toBe(false);
    expect((await browser.call(accounts.signInOptions)).body.passkeys).toBe(false);
    expect((await plain.browser().call(mfa.passkeyLoginOptions)).status).toBe(404);
    await plain.close();
  });
});

describe('a passkey does not let in', () => {
  test.each([
    ['when the device was not unlocked', { verified: false }],
    ['on a page that looks like ours', { origin: 'https://localhost.evil.example' }],
    ['when the signature is by another key', { forged: true }],
  ])('%s', async (_, bend) => {
    const { device, input } = await guarded();
    const browser = app.browser();
    expect((await comeInWith(browser, device.sign(await ask(browser), bend))).status).toBe(400);
    const { browser: second } = await loginWithPassword(app, input);
    const answer = device.sign(await askSecond(second), bend);
    expect((await second.call(mfa.verifyMfaPasskey, { body: { response: answer } })).status).toBe(
      400,
    );
    for (const one of [browser, second]) expect(await isInside(one)).toBe(false);
    // And it was the bend: straight it works.
    expect((await comeInWith(browser, device.sign(await ask(browser)))).status).toBe(200);
  });

  test('a second time with the same answer, nor eight times at the same moment', async () => {
    const { device } = await guarded();
    const browser = app.browser();
    const answer = device.sign(await ask(browser));
    const held = new Map(browser.cookies);
    const copies = Array.from({ length: 8 }, () => {
      const copy = app.browser();
      copy.cookies = new Map(held);
      return copy;
    });
    const statuses = await Promise.all(
      copies.map(async (copy) => (await comeInWith(copy, answer)).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(400)]);
    browser.cookies = held;
    expect((await comeInWith(browser, answer)).status).toBe(400);
  });

  test('[V6.6.2] in another browser than the one that asked, for another purpose, or after six minutes', async () => {
    const { device, input, browser: own } = await guarded();
    const asked = app.browser();
    const stolen = device.sign(await ask(asked));
    expect((await comeInWith(app.browser(), stolen)).status).toBe(400);

    // What was signed to log in confirms nothing, and what was signed to confirm lets nobody in.
    const answer = device.sign(await ask(own));
    expect(
      (await own.call(mfa.reauthenticateWithPasskey, { body: { response: answer } })).status,
    ).toBe(400);
    const { options } = (await own.call(mfa.reauthenticationPasskeyOptions)).body;
    expect((await comeInWith(own, device.sign(options))).status).toBe(400);
    const { browser: second } = await loginWithPassword(app, input);
    expect((await comeInWith(second, device.sign(await askSecond(second)))).status).toBe(400);

    const slow = device.sign(await ask(asked));
    app.clock.forward({ minutes: 6, seconds: 1 });
    expect((await comeInWith(asked, slow)).status).toBe(400);
  });

  test('of another tutor after this one’s password, nor in place of it', async () => {
    const [ada, bea] = [await guarded(), await guarded()];
    const { browser } = await loginWithPassword(app, ada.input);
    const question = await askSecond(browser);
    const answer = bea.device.sign(question);
    expect((await browser.call(mfa.verifyMfaPasskey, { body: { response: answer } })).status).toBe(
      400,
    );
    expect(await isInside(browser)).toBe(false);
    app.clock.forward({ minutes: 11 });
    const asked = (await ada.browser.call(mfa.reauthenticationPasskeyOptions)).body.options;
    const other = { response: bea.device.sign(asked) };
    expect((await ada.browser.call(mfa.reauthenticateWithPasskey, { body: other })).status).toBe(
      400,
    );
  });

  test('once it was removed, nor one that nobody has added', async () => {
    const { browser, device, added } = await guarded();
    const visitor = app.browser();
    const answer = device.sign(await ask(visitor));
    await browser.call(mfa.removePasskey, { params: { id: added.body.passkey.id } });
    expect((await comeInWith(visitor, answer)).status).toBe(400);
    const unknown = new PasskeyDevice('http://localhost:1');
    expect((await comeInWith(visitor, unknown.sign(await ask(visitor)))).status).toBe(400);
  });

  test.each([{}, { clientDataJSON: '' }, { clientDataJSON: 7 }, { clientDataJSON: 'e30' }])(
    'with an answer that is none: %j',
    async (response) => {
      const browser = app.browser();
      await ask(browser);
      const body = { response: { id: 'x', rawId: 'x', type: 'public-key' as const, response } };
      expect((await browser.call(mfa.logInByPasskey, { body })).status).toBe(400);
    },
  );
});

describe('a passkey is not added', () => {
  test('without unlocking the device, from another page, to another’s question, or one that is there already', async () => {
    const { browser } = await createVerifiedTutor(app);
    const device = new PasskeyDevice('http://localhost:1');
    const question = async (one: Browser) =>
      (await one.call(mfa.passkeyRegistrationOptions)).body.options;
    const add = (answer: ReturnType<PasskeyDevice['register']>) =>
      browser.call(mfa.addPasskey, { body: { name: 'Phone', response: answer } });
    expect((await add(device.register(await question(browser), { verified: false }))).status).toBe(
      400,
    );
    const evil = { origin: 'https://evil.example' };
    expect((await add(device.register(await question(browser), evil))).status).toBe(400);
    const { browser: stranger } = await createVerifiedTutor(app);
    expect((await add(device.register(await question(stranger)))).status).toBe(400);
    expect((await add(device.register(await question(browser)))).status).toBe(201);
    expect((await add(device.register(await question(browser)))).status).toBe(400);
    // Nor under another tutor's name, who would then let this device in as themselves.
    const taken = device.register(await question(stranger));
    const again = { body: { name: 'Phone', response: taken } };
    expect((await stranger.call(mfa.addPasskey, again)).status).toBe(400);
  });

  test('more than ten minutes after the password was given', async () => {
    const { browser } = await createVerifiedTutor(app);
    const { options } = (await browser.call(mfa.passkeyRegistrationOptions)).body;
    const answer = new PasskeyDevice('http://localhost:1').register(options);
    await app.admin.query(
      "update logins set reauthenticated_at = reauthenticated_at - interval '1 hour'",
    );
    const added = await browser.call(mfa.addPasskey, { body: { name: 'Phone', response: answer } });
    expect([added.status, added.error.code]).toEqual([403, 'confirmation_needed']);
    expect((await browser.call(mfa.passkeyRegistrationOptions)).status).toBe(403);
  });
});
