import { audit } from '@lessonbook/contract/audit';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { notifications } from '@lessonbook/contract/notifications';
import { portal } from '@lessonbook/contract/portal';
import { portalDetails } from '@lessonbook/contract/portal-contact-details';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { students } from '@lessonbook/contract/students';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createPortalFixture, requestCode, signInToPortal } from '../../test/portal-fixture.ts';
import type { TestApp } from '../../test/test-app.ts';
import {
  nextPhoneNumber,
  startWhatsAppTestApp,
  type WhatsAppTestApp,
} from '../../test/whatsapp-test-app.ts';
import { hasOptedOutOfReminders } from '../messages/queries/reminder-opt-outs.ts';

let server: WhatsAppTestApp;
let app: TestApp;
beforeAll(async () => {
  server = await startWhatsAppTestApp();
  ({ app } = server);
});
afterAll(() => server.close());
afterEach(() => app.restartClock());

let count = 0;
const newEmail = () => `new${++count}@families.example`;

/** Ruth, signed in to the portal of a tutor whose email address is confirmed. */
async function signInRuth(email?: string) {
  const tutor = await createPortalFixture(app, email === undefined ? {} : { email });
  await app.admin.query('update login_directory set email_verified_at = now()');
  const { browser, login } = await signInToPortal(app, tutor.ruthEmail);
  const params = { publicId: login.tutors[0]?.publicId as string };
  return { tutor, browser, params, login };
}
type Ruth = Pick<Awaited<ReturnType<typeof signInRuth>>, 'browser' | 'params'>;

const emailsTo = (email: string) => app.mailbox.emails().filter(({ to }) => to.includes(email));

async function requestNewCode({ browser, params }: Ruth, email: string) {
  const before = emailsTo(email).length;
  const { status, body } = await browser.call(portalDetails.requestPortalEmailCode, {
    params,
    body: { email },
  });
  expect(status).toBe(202);
  await app.mailbox.waitFor(() => emailsTo(email).length > before);
  return { requestId: body.requestId, code: emailsTo(email).at(-1)?.subject.slice(0, 6) ?? '' };
}

const readDetails = ({ browser, params }: Ruth) =>
  browser.call(portalDetails.portalDetails, { params });

const changeEmail = (
  { browser, params }: Ruth,
  body: { requestId: string; code: string; atAllTutors?: boolean },
) => browser.call(portalDetails.changePortalEmail, { params, body });

const notificationsOf = async (browser: Browser) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body.notifications
    .filter(({ kind }) => kind === 'contact_changed' || kind === 'reminders_stopped')
    .map(({ text, path }) => ({ text, path }));

test('a person sees what the tutor has on file about them', async () => {
  const ruth = await signInRuth();
  const { body } = await readDetails(ruth);
  expect(body).toMatchObject({
    name: 'Ruth Hale',
    isStudent: false,
    isPayer: true,
    studentNames: ['Maya', 'Leo'],
    email: ruth.tutor.ruthEmail,
    phone: null,
    reminders: [
      { kind: 'payment_reminder', isOn: true, canChange: true },
      { kind: 'lesson_notes', isOn: true, canChange: true },
    ],
    reminderLead: null,
  });
});

describe('a new email address', () => {
  test('is confirmed with a code; the old address and the tutor are notified, and other browsers are signed out', async () => {
    const ruth = await signInRuth();
    const { ruthEmail, browser: tutor, maya } = ruth.tutor;
    const otherBrowser = await signInToPortal(app, ruthEmail);
    await ruth.browser.call(portalDetails.setPortalReminder, {
      params: ruth.params,
      body: { kind: 'payment_reminder', isOn: false },
    });
    const email = newEmail();
    const code = await requestNewCode(ruth, email);
    expect(emailsTo(email).at(-1)?.text).toContain('to confirm this email address');
    expect(emailsTo(email).at(-1)?.text).not.toMatch(/Ruth|Maya|Hale|Fenwick/);
    expect((await readDetails(ruth)).body.email).toBe(ruthEmail);

    const { status, body } = await changeEmail(ruth, code);
    expect([status, body.email]).toEqual([200, email]);
    const isOn = body.reminders.find(({ kind }) => kind === 'payment_reminder')?.isOn;
    expect(isOn, 'payment reminders stay off').toBe(false);
    const login = await ruth.browser.call(portal.portalLogin);
    expect([login.body.address, login.body.tutors.length]).toEqual([email, 1]);
    expect((await readDetails({ ...otherBrowser, params: ruth.params })).status).toBe(401);

    const notice = await app.mailbox.waitFor(
      ({ to, subject }) => to.includes(ruthEmail) && subject.includes('was changed'),
    );
    expect(notice.text).not.toContain(email);
    expect((await notificationsOf(tutor))[0]).toEqual({
      text: `Ruth Hale changed their email address in the family portal, from ${ruthEmail} to ${email}.`,
      path: `/students/${maya.id}?tab=people`,
    });
    const { body: log } = await tutor.call(audit.listAuditEntries, { query: {} });
    expect(log.entries[0]).toMatchObject({
      text: 'A contact changed their email address in the family portal.',
      from: null,
    });
    expect((await signInToPortal(app, email)).login.tutors).toHaveLength(1);
  });

  test('is set only once, even if the code is submitted repeatedly and concurrently', async () => {
    const ruth = await signInRuth();
    const email = newEmail();
    const code = await requestNewCode(ruth, email);
    const replies = await Promise.all([1, 2, 3].map(() => changeEmail(ruth, code)));
    // A request that read the login before the change finds no contact.
    expect(replies.filter(({ status }) => status !== 401).map(({ status }) => status)).toContain(
      200,
    );
    expect((await changeEmail(ruth, code)).body.email).toBe(email);
    expect(await notificationsOf(ruth.tutor.browser)).toHaveLength(1);
  });

  test('is not set with a wrong or an expired code, or after five attempts', async () => {
    const ruth = await signInRuth();
    const right = await requestNewCode(ruth, newEmail());
    const wrong = { ...right, code: right.code === '111111' ? '222222' : '111111' };
    for (let attempt = 1; attempt <= 5; attempt += 1)
      expect((await changeEmail(ruth, wrong)).status).toBe(400);
    expect((await changeEmail(ruth, right)).status).toBe(400);
    const late = await requestNewCode(ruth, newEmail());
    app.clock.advance({ minutes: 10 });
    expect((await changeEmail(ruth, late)).status).toBe(400);
    expect((await readDetails(ruth)).body.email).toBe(ruth.tutor.ruthEmail);
  });

  test('is not set with the code of another login or contact, or with a sign-in code', async () => {
    const ruth = await signInRuth();
    const { ruthEmail, tomEmail } = ruth.tutor;
    const code = await requestNewCode(ruth, newEmail());
    const elsewhere = { ...(await signInToPortal(app, ruthEmail)), params: ruth.params };
    expect((await changeEmail(elsewhere, code)).status).toBe(400);
    const tom = await signInToPortal(app, tomEmail);
    const params = { publicId: tom.login.tutors[0]?.publicId as string };
    expect((await changeEmail({ ...tom, params }, code)).status).toBe(400);
    expect((await app.browser().call(portal.signInToPortal, { body: code })).status).toBe(400);
    const signInCode = await requestCode(app, ruth.browser, ruthEmail);
    expect((await changeEmail(ruth, signInCode)).status).toBe(400);
    expect((await changeEmail(ruth, code)).status).toBe(200);
  });

  test('is rejected if another contact has it, but only after it is confirmed with a code', async () => {
    const ruth = await signInRuth();
    const { tomEmail } = ruth.tutor;
    const code = await requestNewCode(ruth, tomEmail.replace('tom', 'Tom'));
    const { status, error } = await changeEmail(ruth, code);
    expect([status, error.message]).toEqual([
      409,
      expect.stringMatching(/^.+ already has this address for another contact\./),
    ]);
    expect((await readDetails(ruth)).body.email).toBe(ruth.tutor.ruthEmail);
  });

  test('is rejected if it is the same as the old one, or if the tutor has not confirmed their own address', async () => {
    const ruth = await signInRuth();
    const ask = (email: string) =>
      ruth.browser.call(portalDetails.requestPortalEmailCode, {
        params: ruth.params,
        body: { email },
      });
    expect((await ask(ruth.tutor.ruthEmail.toUpperCase())).status).toBe(400);
    await app.admin.query('update login_directory set email_verified_at = null');
    const email = newEmail();
    expect((await ask(email)).status).toBe(409);
    expect(emailsTo(email)).toEqual([]);
  });

  test('is set for one tutor, or for all of them', async () => {
    const shared = newEmail();
    await signInRuth(shared);
    const ruth = await signInRuth(shared);
    const [first, second] = ruth.login.tutors.map(({ publicId }) => ({
      browser: ruth.browser,
      params: { publicId },
    })) as [Ruth, Ruth];
    const noticeTo = async (email: string, number = 1) => {
      const notices = () =>
        emailsTo(email).filter(({ subject }) => subject.includes('was changed'));
      await app.mailbox.waitFor(() => notices().length === number);
      return notices().at(-1)?.text;
    };
    const one = newEmail();
    expect((await changeEmail(first, await requestNewCode(first, one))).status).toBe(200);
    expect((await ruth.browser.call(portal.portalLogin)).body.tutors).toHaveLength(1);
    expect((await readDetails(second)).status).toBe(401);
    expect(await noticeTo(shared)).toContain('You can still sign in with this one');

    const again = await signInToPortal(app, shared);
    const back = { browser: again.browser, params: second.params };
    expect((await changeEmail(back, await requestNewCode(back, one))).status).toBe(200);
    const lastNotice = await noticeTo(shared, 2);
    expect(lastNotice).toContain("this one can't be used to sign in any more");
    expect(lastNotice).not.toContain('still');
    await back.browser.call(portal.portalLogin);
    const both = newEmail();
    const everywhere = { ...(await requestNewCode(back, both)), atAllTutors: true };
    expect((await changeEmail(back, everywhere)).status).toBe(200);
    const { body: login } = await again.browser.call(portal.portalLogin);
    expect([login.address, login.tutors.length]).toEqual([both, 2]);
    expect((await signInToPortal(app, both)).login.tutors).toHaveLength(2);
  });
});

describe('a phone number', () => {
  const changePhone = ({ browser, params }: Ruth, phone: string) =>
    browser.call(portalDetails.changePortalPhone, { params, body: { phone } });

  test('changes immediately, and the tutor is notified once', async () => {
    const ruth = await signInRuth();
    expect((await changePhone(ruth, '07700 900 118')).body.phone).toBe('+447700900118');
    expect((await changePhone(ruth, '+44 7700 900118')).body.phone).toBe('+447700900118');
    expect((await readDetails(ruth)).body.phone).toBe('+447700900118');
    expect((await changePhone(ruth, '0770')).status).toBe(400);
    expect((await notificationsOf(ruth.tutor.browser)).map(({ text }) => text)).toEqual([
      'Ruth Hale added their phone number in the family portal: +447700900118.',
    ]);
  });

  test('of a contact who is a student is changed for the student too', async () => {
    const { browser } = await createPortalFixture(app);
    const maya = await createStudent(browser, { name: 'Ann Hale', email: newEmail() });
    const [own] = maya.contacts;
    const signedIn = await signInToPortal(app, own?.email as string);
    const params = { publicId: signedIn.login.tutors[0]?.publicId as string };
    const changed = await changePhone({ browser: signedIn.browser, params }, '07700 900 119');
    expect(changed.body).toMatchObject({ isStudent: true, phone: '+447700900119' });
    const { body } = await browser.call(students.listStudents, { query: {} });
    expect(body.find(({ id }) => id === maya.id)?.phone).toBe('+447700900119');
  });

  test('of a suspended contact cannot be changed', async () => {
    const ruth = await signInRuth();
    await ruth.tutor.browser.call(portalSettings.suspendContact, {
      params: { id: ruth.tutor.contacts.ruth },
      body: { isSuspended: true },
    });
    expect((await changePhone(ruth, '07700 900 120')).status).toBe(401);
  });
});

describe('reminders', () => {
  const set = (
    { browser, params }: Ruth,
    kind: 'payment_reminder' | 'lesson_reminder' | 'whatsapp',
    isOn: boolean,
  ) => browser.call(portalDetails.setPortalReminder, { params, body: { kind, isOn } });
  const isOn = async (ruth: Ruth, kind: string) =>
    (await readDetails(ruth)).body.reminders.find((each) => each.kind === kind)?.isOn;

  async function startReminders(browser: Browser, channels: ('email' | 'whatsapp')[]) {
    const { body } = await browser.call(reminders.reminderSettings);
    const { enabledAt: _, defaultTemplates: __, whatsAppAutomatic: ___, ...settings } = body;
    await browser.call(reminders.saveReminderSettings, { body: { ...settings, channels } });
    await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  }

  test('count as stopped once they are switched off, as with the link in an email', async () => {
    const ruth = await signInRuth();
    const familyId = ruth.tutor.maya.familyId as number;
    for (let time = 1; time <= 2; time += 1)
      expect((await set(ruth, 'payment_reminder', false)).status).toBe(200);
    const stopped = await ruth.tutor.browser.call(emailPreferences.familyReminders, {
      params: { id: familyId },
    });
    expect(stopped.body.stoppedKinds).toEqual(['payment_reminder']);
    await set(ruth, 'payment_reminder', true);
    expect(await isOn(ruth, 'payment_reminder')).toBe(true);
    expect((await notificationsOf(ruth.tutor.browser)).map(({ text }) => text)).toEqual([
      'Ruth Hale will get payment reminders again.',
      "Ruth Hale has unsubscribed from payment reminders. They'll still get invoices and changes to lessons.",
    ]);
  });

  test('for lessons are offered only once the tutor has started them, and show how long before the lesson they are sent', async () => {
    const ruth = await signInRuth();
    expect(await isOn(ruth, 'lesson_reminder')).toBeUndefined();
    expect((await set(ruth, 'lesson_reminder', false)).status).toBe(409);
    await startReminders(ruth.tutor.browser, ['email']);
    expect(await isOn(ruth, 'lesson_reminder')).toBe(true);
    expect((await readDetails(ruth)).body.reminderLead).toBe(1440);
    await set(ruth, 'lesson_reminder', false);
    expect(await isOn(ruth, 'lesson_reminder')).toBe(false);
  });

  test('by WhatsApp need consent, which the person can give and withdraw, but not give after replying STOP', async () => {
    const ruth = await signInRuth();
    await startReminders(ruth.tutor.browser, ['email', 'whatsapp']);
    expect(await isOn(ruth, 'whatsapp'), 'without a number').toBeUndefined();
    const phone = nextPhoneNumber();
    const { params } = ruth;
    await ruth.browser.call(portalDetails.changePortalPhone, { params, body: { phone } });
    expect(await isOn(ruth, 'whatsapp')).toBe(false);
    const consents = async () =>
      (await ruth.tutor.browser.call(whatsappConsents.listConsents)).body.map(
        ({ address }) => address,
      );
    await set(ruth, 'whatsapp', true);
    expect([await isOn(ruth, 'whatsapp'), await consents()]).toEqual([true, [phone]]);
    const { webhooks } = server.whatsApp;
    await webhooks.deliver(server.webhook, webhooks.message(phone.slice(1), 'STOP'));
    expect(await isOn(ruth, 'whatsapp')).toBe(false);
    expect((await set(ruth, 'whatsapp', true)).status).toBe(409);
    await app.admin.query('delete from whatsapp_opt_outs');
    await set(ruth, 'whatsapp', false);
    expect(await consents()).toEqual([]);
  });

  describe('by WhatsApp to a number that another contact also has', () => {
    const changePhone = ({ browser, params }: Ruth, phone: string) =>
      browser.call(portalDetails.changePortalPhone, { params, body: { phone } });

    async function signInByPhone(phone: string): Promise<Ruth> {
      const browser = app.browser();
      const { body } = await browser.call(portal.requestPortalCode, { body: { address: phone } });
      const { text } = await server.whatsApp.waitFor(({ to }) => `+${to}` === phone);
      const signedIn = await browser.call(portal.signInToPortal, {
        body: { requestId: body.requestId, code: text.slice(0, 6) },
      });
      const contact = signedIn.body.tutors.find(({ studentNames }) =>
        studentNames.includes('Maya'),
      );
      return { browser, params: { publicId: contact?.publicId as string } };
    }

    /** Ruth has consented, and then Tom enters her number as his. */
    async function takeNumber() {
      const ruth = await signInRuth();
      await startReminders(ruth.tutor.browser, ['email', 'whatsapp']);
      const phone = nextPhoneNumber();
      await changePhone(ruth, phone);
      await set(ruth, 'whatsapp', true);
      const { browser, login } = await signInToPortal(app, ruth.tutor.tomEmail);
      const tom = { browser, params: { publicId: login.tutors[0]?.publicId as string } };
      expect((await changePhone(tom, phone)).status).toBe(200);
      const { body } = await ruth.tutor.browser.call(whatsappConsents.listConsents);
      expect(body).toMatchObject([{ address: phone, name: 'Ruth Hale' }]);
      return { ruth, tom, phone, consents: body };
    }

    test('can be changed only by a person who signed in with the number', async () => {
      const { ruth, tom, phone, consents } = await takeNumber();
      expect(await isOn(tom, 'whatsapp')).toBeUndefined();
      for (const value of [false, true])
        expect((await set(tom, 'whatsapp', value)).status).toBe(409);
      const after = await ruth.tutor.browser.call(whatsappConsents.listConsents);
      expect(after.body).toEqual(consents);
      const byPhone = await signInByPhone(phone);
      expect(await isOn(byPhone, 'whatsapp')).toBe(true);
      expect((await set(byPhone, 'whatsapp', false)).status).toBe(200);
    });

    test('are not stopped when the other contact stops theirs', async () => {
      const { ruth, tom, phone } = await takeNumber();
      await set(tom, 'payment_reminder', false);
      const { rows } = await app.admin.query<{ tutor_id: string }>(
        'select tutor_id from contacts where email = $1',
        [ruth.tutor.ruthEmail],
      );
      const tutorId = rows[0]?.tutor_id as string;
      const isStopped = (address: string) =>
        app.context.db.tutorSnapshot(tutorId, (tx) =>
          hasOptedOutOfReminders(tx, tutorId, 'payment_reminder', address),
        );
      expect(await isStopped(ruth.tutor.tomEmail)).toBe(true);
      expect(await isStopped(phone)).toBe(false);
      await set(ruth, 'payment_reminder', false);
      expect(await isStopped(phone)).toBe(true);
    });
  });
});
