import { accounts } from '@lessonbook/contract/accounts';
import { secondFactor } from '@lessonbook/contract/second-factor';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { addPasskeyTo, givePassword, openGuardedHouse } from '../../test/factors.ts';
import { type House, openHouse } from '../../test/house.ts';
import { PasskeyDevice } from '../../test/passkey-device.ts';
import { confirmed, signedIn } from '../../test/tutor.ts';

let house: House;
beforeAll(async () => {
  house = await openGuardedHouse();
});
afterEach(() => house.restartClock());
afterAll(() => house.close());

const isInside = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;

async function guarded() {
  const { browser, input } = await confirmed(house);
  return { browser, input, ...(await addPasskeyTo(browser)) };
}

const ask = async (browser: Browser) => (await browser.call(secondFactor.askPasskey)).body.question;
const askSecond = async (browser: Browser) =>
  (await browser.call(secondFactor.askSecondPasskey)).body.question;
const comeInWith = (browser: Browser, answer: ReturnType<PasskeyDevice['sign']>) =>
  browser.call(secondFactor.logInByPasskey, { body: { answer } });

describe('a passkey', () => {
  test('is added with a name, named anew and removed; the others are logged out, codes come, mails go', async () => {
    const { browser, input } = await confirmed(house);
    const { browser: other } = await givePassword(house, input);
    const { added } = await addPasskeyTo(browser, 'Kitchen laptop');
    expect(added.status).toBe(201);
    expect(added.body.passkey).toMatchObject({ name: 'Kitchen laptop', lastUsedAt: null });
    expect(added.body.recoveryCodes).toHaveLength(10);
    expect(await isInside(other)).toBe(false);
    house.clock.forward({ seconds: 1 });
    expect((await addPasskeyTo(browser, 'Phone')).added.body.recoveryCodes).toEqual([]);

    const { id } = added.body.passkey;
    await browser.call(secondFactor.renamePasskey, { params: { id }, body: { name: 'Laptop' } });
    const names = async () =>
      (await browser.call(security.security)).body.passkeys.map(({ name }) => name);
    expect(await names()).toEqual(['Laptop', 'Phone']);
    const { browser: stranger } = await signedIn(house);
    expect((await stranger.call(secondFactor.removePasskey, { params: { id } })).status).toBe(404);
    const rename = { params: { id }, body: { name: 'Mine' } };
    expect((await stranger.call(secondFactor.renamePasskey, rename)).status).toBe(404);
    await browser.call(secondFactor.removePasskey, { params: { id } });
    expect(await names()).toEqual(['Phone']);
    for (const subject of [/^Passkey added/, /^Passkey removed/])
      await house.mailbox.waitFor(
        (mail) => mail.to.includes(input.email) && subject.test(mail.subject),
      );
  });

  test('lets in by itself, without a name or a password', async () => {
    const { device, input } = await guarded();
    const browser = house.browser();
    const inside = await comeInWith(browser, device.sign(await ask(browser)));
    expect([inside.status, inside.body.username]).toEqual([200, input.username]);
    expect(await isInside(browser)).toBe(true);
    expect((await browser.call(security.security)).body.passkeys[0]?.lastUsedAt).toBe(
      '2026-11-16T12:00:00.000Z',
    );
  });

  test('is the second factor after a password, and serves in place of it before something delicate', async () => {
    const { device, input } = await guarded();
    const { browser, answer } = await givePassword(house, input);
    expect(answer.error.code).toBe('second_factor_needed');
    expect((await browser.call(secondFactor.secondStep)).body).toEqual({
      authenticator: false,
      passkey: true,
    });
    const signed = device.sign(await askSecond(browser));
    const inside = await browser.call(secondFactor.giveSecondPasskey, { body: { answer: signed } });
    expect(inside.status).toBe(200);

    house.clock.forward({ minutes: 11 });
    expect((await browser.call(security.endOtherLogins)).status).toBe(403);
    const { question } = (await browser.call(secondFactor.askToConfirm)).body;
    const again = { answer: device.sign(question) };
    expect((await browser.call(secondFactor.confirmByPasskey, { body: again })).status).toBe(200);
    expect((await browser.call(security.endOtherLogins)).status).toBe(200);
  });

  test('that was the last factor takes the recovery codes along and asks for nothing any more', async () => {
    const { browser, input, added } = await guarded();
    const { id } = added.body.passkey;
    await browser.call(secondFactor.removePasskey, { params: { id } });
    expect((await givePassword(house, input)).answer.status).toBe(200);
    expect((await browser.call(security.security)).body.recoveryCodesLeft).toBe(0);
  });

  test('is not offered on a site without a name', async () => {
    const plain = await openHouse();
    const { browser } = await signedIn(plain);
    expect((await browser.call(security.security)).body.passkeysOffered).toBe(false);
    expect((await browser.call(accounts.signInOptions)).body.passkeys).toBe(false);
    expect((await plain.browser().call(secondFactor.askPasskey)).status).toBe(404);
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
    const browser = house.browser();
    expect((await comeInWith(browser, device.sign(await ask(browser), bend))).status).toBe(400);
    const { browser: second } = await givePassword(house, input);
    const answer = device.sign(await askSecond(second), bend);
    expect((await second.call(secondFactor.giveSecondPasskey, { body: { answer } })).status).toBe(
      400,
    );
    for (const one of [browser, second]) expect(await isInside(one)).toBe(false);
    // And it was the bend: straight it works.
    expect((await comeInWith(browser, device.sign(await ask(browser)))).status).toBe(200);
  });

  test('a second time with the same answer, nor eight times at the same moment', async () => {
    const { device } = await guarded();
    const browser = house.browser();
    const answer = device.sign(await ask(browser));
    const held = new Map(browser.cookies);
    const copies = Array.from({ length: 8 }, () => {
      const copy = house.browser();
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
    const asked = house.browser();
    const stolen = device.sign(await ask(asked));
    expect((await comeInWith(house.browser(), stolen)).status).toBe(400);

    // What was signed to log in confirms nothing, and what was signed to confirm lets nobody in.
    const answer = device.sign(await ask(own));
    expect((await own.call(secondFactor.confirmByPasskey, { body: { answer } })).status).toBe(400);
    const { question } = (await own.call(secondFactor.askToConfirm)).body;
    expect((await comeInWith(own, device.sign(question))).status).toBe(400);
    const { browser: second } = await givePassword(house, input);
    expect((await comeInWith(second, device.sign(await askSecond(second)))).status).toBe(400);

    const slow = device.sign(await ask(asked));
    house.clock.forward({ minutes: 6, seconds: 1 });
    expect((await comeInWith(asked, slow)).status).toBe(400);
  });

  test('of another tutor after this one’s password, nor in place of it', async () => {
    const [ada, bea] = [await guarded(), await guarded()];
    const { browser } = await givePassword(house, ada.input);
    const question = await askSecond(browser);
    const answer = bea.device.sign(question);
    expect((await browser.call(secondFactor.giveSecondPasskey, { body: { answer } })).status).toBe(
      400,
    );
    expect(await isInside(browser)).toBe(false);
    house.clock.forward({ minutes: 11 });
    const asked = (await ada.browser.call(secondFactor.askToConfirm)).body.question;
    const other = { answer: bea.device.sign(asked) };
    expect((await ada.browser.call(secondFactor.confirmByPasskey, { body: other })).status).toBe(
      400,
    );
  });

  test('once it was removed, nor one that nobody has added', async () => {
    const { browser, device, added } = await guarded();
    const visitor = house.browser();
    const answer = device.sign(await ask(visitor));
    await browser.call(secondFactor.removePasskey, { params: { id: added.body.passkey.id } });
    expect((await comeInWith(visitor, answer)).status).toBe(400);
    const unknown = new PasskeyDevice('http://localhost:1');
    expect((await comeInWith(visitor, unknown.sign(await ask(visitor)))).status).toBe(400);
  });

  test.each([{}, { clientDataJSON: '' }, { clientDataJSON: 7 }, { clientDataJSON: 'e30' }])(
    'with an answer that is none: %j',
    async (response) => {
      const browser = house.browser();
      await ask(browser);
      const body = { answer: { id: 'x', rawId: 'x', type: 'public-key' as const, response } };
      expect((await browser.call(secondFactor.logInByPasskey, { body })).status).toBe(400);
    },
  );
});

describe('a passkey is not added', () => {
  test('without unlocking the device, from another page, to another’s question, or one that is there already', async () => {
    const { browser } = await confirmed(house);
    const device = new PasskeyDevice('http://localhost:1');
    const question = async (one: Browser) =>
      (await one.call(secondFactor.askToAddPasskey)).body.question;
    const add = (answer: ReturnType<PasskeyDevice['make']>) =>
      browser.call(secondFactor.addPasskey, { body: { name: 'Phone', answer } });
    expect((await add(device.make(await question(browser), { verified: false }))).status).toBe(400);
    const evil = { origin: 'https://evil.example' };
    expect((await add(device.make(await question(browser), evil))).status).toBe(400);
    const { browser: stranger } = await confirmed(house);
    expect((await add(device.make(await question(stranger)))).status).toBe(400);
    expect((await add(device.make(await question(browser)))).status).toBe(201);
    expect((await add(device.make(await question(browser)))).status).toBe(400);
    // Nor under another tutor's name, who would then let this device in as themselves.
    const taken = device.make(await question(stranger));
    const again = { body: { name: 'Phone', answer: taken } };
    expect((await stranger.call(secondFactor.addPasskey, again)).status).toBe(400);
  });

  test('more than ten minutes after the password was given', async () => {
    const { browser } = await confirmed(house);
    const { question } = (await browser.call(secondFactor.askToAddPasskey)).body;
    const answer = new PasskeyDevice('http://localhost:1').make(question);
    await house.admin.query(
      "update logins set reauthenticated_at = reauthenticated_at - interval '1 hour'",
    );
    const added = await browser.call(secondFactor.addPasskey, { body: { name: 'Phone', answer } });
    expect([added.status, added.error.code]).toEqual([403, 'confirmation_needed']);
    expect((await browser.call(secondFactor.askToAddPasskey)).status).toBe(403);
  });
});
