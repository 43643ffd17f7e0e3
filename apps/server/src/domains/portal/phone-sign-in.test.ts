import { portal } from '@lessonbook/contract/portal';
import { portalFeeds } from '@lessonbook/contract/portal-feed';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { compareTimings } from '../../test/compare-timings.ts';
import { pathOf } from '../../test/ics-reader.ts';
import { createPortalFixture, NO_ACCESS, signInToPortal } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  retryFailedJobsNow,
  waitUntilQueueIdle,
} from '../../test/wait-for-queue-and-control-retries.ts';
import {
  nextPhoneNumber,
  startWhatsAppTestApp,
  type WhatsAppTestApp,
} from '../../test/whatsapp-test-app.ts';

const JOB = 'portal-code-whatsapp';

let server: WhatsAppTestApp;
let app: TestApp;
beforeAll(async () => {
  server = await startWhatsAppTestApp();
  ({ app } = server);
});
afterAll(() => server.close());
afterEach(async () => {
  server.whatsApp.clearFaults();
  await app.restartClock();
});

interface PaulFields {
  phone: string | null;
  email?: string | null;
  access?: Partial<typeof NO_ACCESS>;
}

/** A tutor with a confirmed email address, and Paul, who has a phone number and sees Maya's lessons. */
async function createPhoneFixture(fields: Partial<PaulFields> = {}) {
  const phone = fields.phone ?? nextPhoneNumber();
  const setup = await createPortalFixture(app);
  await app.admin.query('update login_directory set email_verified_at = now()');
  const id = setup.maya.id;
  const toBody = ({ access = { seesLessons: true }, ...details }: PaulFields) => ({
    name: 'Paul Hale',
    ...details,
    access: { ...NO_ACCESS, ...access },
  });
  const added = await setup.browser.call(studentContacts.addContact, {
    params: { id },
    body: { name: 'Paul Hale', phone },
  });
  const contactId = added.body.contacts.find(({ name }) => name === 'Paul Hale')?.id as number;
  const updatePaul = async (change: PaulFields) => {
    const params = { id, contactId };
    const reply = await setup.browser.call(studentContacts.updateContact, {
      params,
      body: toBody(change),
    });
    expect(reply.status).toBe(200);
  };
  await updatePaul({ ...fields, phone });
  return { ...setup, phone, contactId, updatePaul };
}

const messagesTo = (phone: string) =>
  server.whatsApp.accepted().filter(({ to }) => `+${to}` === phone);

const askForCode = (address: string) =>
  app.browser().call(portal.requestPortalCode, { body: { address } });

/** Asks for a code and reads it from the WhatsApp message. */
async function requestPhoneCode(phone: string, typed = phone) {
  const before = messagesTo(phone).length;
  const { body } = await askForCode(typed);
  await server.whatsApp.waitFor(() => messagesTo(phone).length > before);
  return { requestId: body.requestId, code: messagesTo(phone).at(-1)?.text.slice(0, 6) ?? '' };
}

async function signInByPhone(phone: string) {
  const browser = app.browser();
  const body = await requestPhoneCode(phone);
  const { status, body: login } = await browser.call(portal.signInToPortal, { body });
  expect(status).toBe(201);
  return { browser, login };
}

const readLessons = (browser: ReturnType<TestApp['browser']>, publicId: string) =>
  browser.call(portal.portalLessons, { params: { publicId } });

describe('a code by WhatsApp', () => {
  test('is sent to the number on file, however the number is typed, and works once', async () => {
    const { phone } = await createPhoneFixture();
    const national = `0${phone.slice(3, 7)} ${phone.slice(7)}`;
    for (const typed of [phone, national, `+44 (0)${phone.slice(3)}`, `0044${phone.slice(3)}`]) {
      const body = await requestPhoneCode(phone, typed);
      const signedIn = await app.browser().call(portal.signInToPortal, { body });
      expect([typed, signedIn.status]).toEqual([typed, 201]);
      expect(signedIn.body.address).toBe(phone);
      expect(signedIn.body.tutors.map(({ studentNames }) => studentNames)).toEqual([['Maya']]);
      expect((await app.browser().call(portal.signInToPortal, { body })).status).toBe(400);
    }
    expect(messagesTo(phone).at(-1)?.template).toBe('sign_in_code');
  });

  test('can be used only once, even by concurrent requests', async () => {
    const { phone } = await createPhoneFixture();
    const body = await requestPhoneCode(phone);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => app.browser().call(portal.signInToPortal, { body })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('is sent only if a tutor who may send messages has opened the portal to the person', async () => {
    const closed = await createPhoneFixture();
    await closed.browser.call(portalSettings.closePortal);
    const seesNothing = await createPhoneFixture({ access: {} });
    const stopped = await createPhoneFixture();
    const { webhooks } = server.whatsApp;
    await webhooks.deliver(server.webhook, webhooks.message(stopped.phone.slice(1), 'STOP'));
    const unconfirmed = await createPhoneFixture();
    await app.admin.query(
      `update login_directory set email_verified_at = null
       where tutor_id = (select tutor_id from contacts where phone = $1)`,
      [unconfirmed.phone],
    );
    const phones = [closed, seesNothing, stopped, unconfirmed].map(({ phone }) => phone);
    phones.push(nextPhoneNumber());
    for (const phone of phones) expect((await askForCode(phone)).status).toBe(202);
    await waitUntilQueueIdle(app.admin);
    expect(phones.flatMap((phone) => messagesTo(phone))).toEqual([]);
  });

  test('known and unknown numbers get the same reply after the same time', async () => {
    const { phone } = await createPhoneFixture();
    const measure = async (address: string): Promise<number> => {
      const start = performance.now();
      const { status, body } = await askForCode(address);
      const time = performance.now() - start;
      expect([status, Object.keys(body), body.requestId.length]).toEqual([202, ['requestId'], 32]);
      return time;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let index = 0; index < 15; index += 1) {
      known.push(await measure(phone));
      unknown.push(await measure(nextPhoneNumber()));
    }
    const { zScore, medians } = compareTimings(known, unknown);
    // Both replies take at least the same minimum time, so the remaining difference is noise.
    expect(Math.abs(zScore), `medians ${medians.join(' and ')} ms`).toBeLessThan(4);
  });

  test('is sent again after a failure, unless WhatsApp cannot reach the number', async () => {
    const { phone } = await createPhoneFixture();
    server.whatsApp.addFaults({ status: 500, code: 131000 });
    await askForCode(phone);
    await retryFailedJobsNow(app, JOB);
    await server.whatsApp.waitFor(({ to }) => `+${to}` === phone);
    await waitUntilQueueIdle(app.admin);
    const before = server.whatsApp.requestCount();
    server.whatsApp.addFaults({ status: 400, code: 131026 });
    await askForCode(phone);
    await waitUntilQueueIdle(app.admin);
    expect(server.whatsApp.requestCount() - before).toBe(1);
    const { rows } = await app.admin.query<{ text: string }>(
      `select concat(data::text, output::text) as text from jobs.job where name = $1`,
      [JOB],
    );
    expect(rows.length).toBeGreaterThan(1);
    const code = messagesTo(phone)[0]?.text.slice(0, 6) as string;
    expect(rows.filter(({ text }) => text.includes(phone.slice(1)))).toEqual([]);
    expect(rows.filter(({ text }) => text.includes(`"${code}"`))).toEqual([]);
  });

  test.each([
    ['0770 09', 'This number is too short'],
    ['+447700900123456789', 'This number is too long'],
    ['call 07700900123', 'Enter only the number, for example 07700 900123'],
    ['ruth', 'Please enter a valid email address or phone number'],
    ['ruth@', 'Please enter a valid email address'],
  ])('%s is rejected', async (address, message) => {
    const reply = await askForCode(address);
    expect(reply.status).toBe(400);
    expect(reply.error.fields).toEqual({ address: message });
  });
});

test('codes are rate limited per number, however the number is typed', async () => {
  const strict = await startTestApp(server.whatsApp.environment);
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1)
    for (const address of ['07700 900000', '+44 7700 900000'])
      statuses.push(
        (await strict.browser().call(portal.requestPortalCode, { body: { address } })).status,
      );
  await strict.close();
  expect(statuses).toEqual([...Array.from({ length: 8 }, () => 202), 429, 429]);
});

test('without WhatsApp, the page offers only email addresses', async () => {
  const plain = await startTestApp();
  const browser = plain.browser();
  const options = await browser.call(portal.portalSignInOptions);
  const body = { address: '07700 900123' };
  const reply = await browser.call(portal.requestPortalCode, { body });
  const name = await browser.call(portal.requestPortalCode, { body: { address: 'ruth' } });
  await plain.close();
  expect(options.body).toEqual({ hasWhatsApp: false });
  expect((await app.browser().call(portal.portalSignInOptions)).body).toEqual({
    hasWhatsApp: true,
  });
  expect(reply.status).toBe(400);
  expect(reply.error.fields).toEqual({
    address: "We can't send codes to phone numbers. Please enter your email address.",
  });
  expect(name.status).toBe(400);
  expect(name.error.fields).toEqual({ address: 'Please enter a valid email address' });
});

describe('a login with a phone number', () => {
  test('gives access to exactly the contacts with that number', async () => {
    const email = 'paul-with-two-tutors@families.example';
    const first = await createPhoneFixture({ email });
    const second = await createPhoneFixture({ phone: first.phone });
    const byPhone = await signInByPhone(first.phone);
    expect(byPhone.login.tutors).toHaveLength(2);
    const byEmail = await signInToPortal(app, email);
    expect(byEmail.login.tutors).toHaveLength(1);
    const onlyByPhone = byPhone.login.tutors
      .map(({ publicId }) => publicId)
      .find((publicId) => publicId !== byEmail.login.tutors[0]?.publicId) as string;
    expect((await readLessons(byPhone.browser, onlyByPhone)).status).toBe(200);
    expect((await readLessons(byEmail.browser, onlyByPhone)).status).toBe(401);
    await second.updatePaul({ phone: nextPhoneNumber() });
    expect((await readLessons(byPhone.browser, onlyByPhone)).status).toBe(401);
    expect((await byPhone.browser.call(portal.portalLogin)).body.tutors).toHaveLength(1);
  });

  test('is reported to the email addresses on file', async () => {
    const email = 'paul-is-notified@families.example';
    const { phone } = await createPhoneFixture({ email });
    await createPhoneFixture({ phone, email: email.toUpperCase() });
    const { phone: withoutEmail } = await createPhoneFixture();
    await signInByPhone(withoutEmail);
    await signInByPhone(phone);
    await waitUntilQueueIdle(app.admin);
    const notices = app.mailbox
      .emails()
      .filter(({ to }) => to.some((each) => each.toLowerCase() === email));
    expect(notices.map(({ subject }) => subject)).toEqual(['New sign-in to the family portal']);
    expect(notices[0]?.text).toContain('with your phone number, using an unknown browser.');
    expect(notices[0]?.text).toContain('sign in with your phone number, go to Details');
  });

  test('ends when the tutor signs the person out, suspends them or closes the portal', async () => {
    const { browser: tutor, phone, contactId } = await createPhoneFixture();
    const params = { id: contactId };
    const suspend = (isSuspended: boolean) =>
      tutor.call(portalSettings.suspendContact, { params, body: { isSuspended } });
    const endings = [
      () => tutor.call(portalSettings.signOutContact, { params }),
      () => suspend(true),
      () => tutor.call(portalSettings.closePortal),
    ];
    for (const end of endings) {
      await suspend(false);
      const { browser, login } = await signInByPhone(phone);
      const publicId = login.tutors[0]?.publicId as string;
      expect((await readLessons(browser, publicId)).status).toBe(200);
      await end();
      expect((await readLessons(browser, publicId)).status).toBe(401);
    }
  });

  test('ends, and so does its feed, when the number changes, but not when only the email address or the format of the number changes', async () => {
    const email = 'paul-has-feed@families.example';
    const { phone, contactId, updatePaul } = await createPhoneFixture({ email });
    const { browser, login } = await signInByPhone(phone);
    const params = { publicId: login.tutors[0]?.publicId as string };
    const feed = await browser.call(portalFeeds.createPortalFeed, { params });
    const feedStatus = async () => (await fetch(app.url + pathOf(feed.body.url as string))).status;
    const statuses = async () => [
      (await readLessons(browser, params.publicId)).status,
      await feedStatus(),
    ];
    await updatePaul({ phone, email: null });
    await app.admin.query('update contacts set phone = $2 where phone = $1 and id = $3', [
      phone,
      `${phone.slice(0, 3)} (0)${phone.slice(3, 7)} ${phone.slice(7)}`,
      contactId,
    ]);
    expect(await statuses()).toEqual([200, 200]);
    await updatePaul({ phone: nextPhoneNumber() });
    expect(await statuses()).toEqual([401, 404]);
  });

  test('is not needed for a feed created after a sign-in by email, which still works after the number is removed', async () => {
    const email = 'paul-has-email-feed@families.example';
    const { updatePaul } = await createPhoneFixture({ email });
    const { browser, login } = await signInToPortal(app, email);
    const params = { publicId: login.tutors[0]?.publicId as string };
    const feed = await browser.call(portalFeeds.createPortalFeed, { params });
    await updatePaul({ phone: null, email });
    expect((await fetch(app.url + pathOf(feed.body.url as string))).status).toBe(200);
  });
});

test('the tutor sees who can sign in and who shares a number', async () => {
  const { browser, phone, maya, updatePaul } = await createPhoneFixture();
  await browser.call(studentContacts.addContact, {
    params: { id: maya.id },
    body: { name: 'Nina Hale', phone },
  });
  const read = async () => {
    const settings = await browser.call(portalSettings.portalSettings);
    expect(settings.body.hasWhatsApp).toBe(true);
    const { body } = await browser.call(portalSettings.listPortalContacts, { query: {} });
    return Object.fromEntries(
      body.map(({ name, hasAddress, sharesAddress }) => [
        name.split(' ')[0],
        [hasAddress, sharesAddress],
      ]),
    );
  };
  expect(await read()).toMatchObject({
    Ruth: [true, false],
    Paul: [true, true],
    Nina: [true, true],
  });
  await updatePaul({ phone: null });
  expect(await read()).toMatchObject({ Paul: [false, false], Nina: [true, false] });
});
