import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminders';
import { sessions } from '@lessonbook/contract/sessions';
import { CONSENT_WORDING, whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whatsAppCloud } from '../../integrations/whatsapp.ts';
import { createPayment, createTaughtLesson } from '../../test/payment-fixture.ts';
import { hurryRetries, postponeRetries } from '../../test/queue-idle.ts';
import { startTestApp } from '../../test/test-app.ts';
import {
  createConsentedSetup,
  createWhatsAppSetup,
  nextPhoneNumber,
  sendLessonReminder,
  sendOverdueReminder,
  startWhatsAppTestApp,
  type WhatsAppSetup,
  type WhatsAppTestApp,
  waitUntilSent,
} from '../../test/whatsapp-test-app.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendDueReminders } from './service/reminders/lesson-reminders.ts';

let testApp: WhatsAppTestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  testApp = await startWhatsAppTestApp();
  maintenance = new pg.Client(testApp.house.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await testApp.close();
});
afterEach(async () => {
  testApp.standIn.clearTrouble();
  await testApp.house.restartClock();
});

const messagesTo = (setup: Pick<WhatsAppSetup, 'digits'>) =>
  testApp.standIn.taken().filter((message) => message.to === setup.digits);
const createSetup = (phone?: string) => createWhatsAppSetup(testApp.house, phone);

describe('who agreed', () => {
  test('without consent it lies in the tray; with it, it goes by itself, and the text kept is the text as sent', async () => {
    const setup = await createSetup();
    await sendLessonReminder(testApp.house, setup, { place: 'Library\n\tRoom 2' });
    const [draft] = await setup.tray();
    expect(draft).toMatchObject({ state: 'draft', channel: 'whatsapp' });
    expect(draft?.text).toContain('just reply to this message');
    expect(messagesTo(setup)).toEqual([]);
    const agreed = await setup.agree(draft?.id ?? 0);
    expect(agreed).toMatchObject({ status: 200, body: { state: 'waiting' } });
    const taken = await testApp.standIn.waitFor((message) => message.to === setup.digits);
    expect(taken.text).toBe(
      'Hello Ruth, this is a reminder from Ada Fenwick.\n\n' +
        'Lessons tomorrow, Tue 17 Nov: Maya: Maths, 4:00 pm to 5:00 pm, Library Room 2.\n\n' +
        'If anything has changed, please tell your tutor; nobody reads replies to this number. Reply STOP to end these reminders.',
    );
    const [sent] = await waitUntilSent(setup);
    expect(sent).toMatchObject({ state: 'sent', text: taken.text, problem: null });
    expect(sent?.sentAt).not.toBeNull();
    expect(await setup.consents()).toEqual([
      {
        address: setup.phone,
        name: 'Ruth Hale',
        wording: CONSENT_WORDING,
        at: '2026-11-16T16:00:00.000Z',
      },
    ]);
  });

  test('the next one goes without being asked, each once; agreeing again changes nothing', async () => {
    const setup = await createConsentedSetup(testApp);
    const [first] = await setup.log();
    const before = await setup.consents();
    testApp.house.clock.forward({ hours: 1 });
    expect((await setup.agree(first?.id ?? 0)).body).toEqual(first);
    expect(await setup.consents()).toEqual(before);
    await sendOverdueReminder(testApp.house, setup);
    await sendDueReminders(testApp.house.context);
    await waitUntilSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
    const newest = await setup.newest();
    expect(messagesTo(setup)[1]).toMatchObject({
      template: 'payment_reminder',
      text: newest?.text,
    });
    expect(newest?.text).toContain(
      '£35.00 is to be paid for: Maya: Maths lesson, Tue 10 Nov, £35.00.',
    );
    expect(newest?.text).toContain('/pay/b_');
  });

  test('withdrawn, the next ones wait in the tray in the words of the tutor', async () => {
    const setup = await createConsentedSetup(testApp);
    const body = { address: setup.phone.replace('+44', '+44 (0)') };
    expect((await setup.browser.call(whatsappConsents.withdrawConsent, { body })).body).toEqual([]);
    await sendOverdueReminder(testApp.house, setup);
    const [draft] = await setup.tray();
    expect(draft?.text).toContain('Hello Ruth,\n\n£35.00 is to be paid for:');
    expect(messagesTo(setup)).toHaveLength(1);
    await setup.agree(draft?.id ?? 0);
    await waitUntilSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('withdrawn while one waits, that one goes back to the tray', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.standIn.trouble({ status: 500, code: 131000 });
    const asked = testApp.standIn.asked();
    await sendOverdueReminder(testApp.house, setup);
    await expect.poll(() => testApp.standIn.asked()).toBe(asked + 1);
    await setup.browser.call(whatsappConsents.withdrawConsent, { body: { address: setup.phone } });
    const messageId = (await setup.newest())?.id ?? 0;
    await sendMessage(testApp.house.context, { tutorId: setup.tutorId, messageId });
    expect(await setup.newest()).toMatchObject({ state: 'draft' });
    expect((await setup.newest())?.text).toContain('Hello Ruth,\n\n£35.00');
  });

  test('what the tutor wrote by hand, and what stands open in WhatsApp already, stays in the tray', async () => {
    const setup = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.house, setup);
    await waitUntilSent(setup);
    const body = { familyId: setup.familyId, channel: 'whatsapp' as const, text: 'My own words' };
    const made = await setup.browser.call(messages.sendReminder, { body });
    const id = made.body.messages[0]?.id ?? 0;
    expect((await setup.agree(id)).body).toMatchObject({ state: 'draft', text: 'My own words' });
    const other = await createSetup();
    await sendLessonReminder(testApp.house, other);
    const params = { id: (await other.tray())[0]?.id ?? 0 };
    await other.browser.call(messages.markMessageOpened, { params });
    expect((await other.agree(params.id)).body).toMatchObject({ state: 'opened' });
    expect(await other.consents()).toHaveLength(1);
    expect(messagesTo(other)).toEqual([]);
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('the settings say that it goes by itself, and the first batch shows the words that will go', async () => {
    const setup = await createConsentedSetup(testApp);
    const settings = await setup.browser.call(reminders.reminderSettings);
    expect(settings.body.whatsAppAutomatic).toBe(true);
    const batch = await setup.browser.call(reminders.previewFirstReminders);
    expect(batch.body[0]?.text).toBe(setup.first.text);
  });

  test('a tutor who has not confirmed an address writes to nobody through us', async () => {
    const setup = await createWhatsAppSetup(testApp.house, nextPhoneNumber(), false);
    await sendLessonReminder(testApp.house, setup);
    const refused = await setup.agree((await setup.tray())[0]?.id ?? 0);
    expect([refused.status, refused.error.code]).toEqual([409, 'conflict']);
    expect(await setup.consents()).toEqual([]);
    expect(messagesTo(setup)).toEqual([]);
  });

  test('a number without a country code cannot agree', async () => {
    const setup = await createSetup('call me');
    await sendLessonReminder(testApp.house, setup);
    expect((await setup.agree((await setup.tray())[0]?.id ?? 0)).status).toBe(409);
  });
});

describe('what is no longer true', () => {
  test('is left out, or skipped', async () => {
    const setup = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.house, setup);
    await waitUntilSent(setup);
    await createPayment(setup.browser, setup.familyId, 3500);
    const messageId = (await setup.newest())?.id ?? 0;
    const update = `update messages set state = 'waiting' where tutor_id = $1 and id = $2`;
    await maintenance.query(update, [setup.tutorId, messageId]);
    await sendMessage(testApp.house.context, { tutorId: setup.tutorId, messageId });
    expect(await setup.newest()).toMatchObject({ state: 'skipped' });
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('a lesson that is cancelled after the reminder arrived is corrected, from the tray', async () => {
    const setup = await createConsentedSetup(testApp);
    const statement = { message: setup.first, status: 'delivered' as const };
    await testApp.standIn.webhooks.deliver(
      testApp.webhook,
      testApp.standIn.webhooks.statuses([statement]),
    );
    await setup.browser.call(sessions.cancelSession, {
      params: { id: setup.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    await sendDueReminders(testApp.house.context);
    expect(await setup.tray()).toMatchObject([{ kind: 'lesson_change', state: 'draft' }]);
  });

  test('the demo sends nothing', async () => {
    const setup = await createConsentedSetup(testApp);
    await maintenance.query('update login_directory set is_demo = true where tutor_id = $1', [
      setup.tutorId,
    ]);
    await sendOverdueReminder(testApp.house, setup);
    await waitUntilSent(setup);
    expect(await setup.newest()).toMatchObject({ state: 'skipped' });
    expect(messagesTo(setup)).toHaveLength(1);
  });
});

describe('WhatsApp in trouble', () => {
  test('429, 500, a broken connection and a token that ran out: tried again by itself, and then it goes', async () => {
    const books = [
      await createConsentedSetup(testApp),
      await createConsentedSetup(testApp),
      await createConsentedSetup(testApp),
      await createConsentedSetup(testApp),
    ];
    testApp.standIn.trouble({ status: 429, code: 130429 }, { status: 500, code: 131000 }, 'reset', {
      status: 401,
      code: 190,
    });
    const asked = testApp.standIn.asked();
    await Promise.all(
      books.map((setup) => createTaughtLesson(setup.desk, setup.desk.studentId, '2026-11-10')),
    );
    await sendDueReminders(testApp.house.context);
    await expect.poll(() => testApp.standIn.asked()).toBeGreaterThanOrEqual(asked + 4);
    await hurryRetries(testApp.house, 'send-message', 4);
    for (const setup of books) {
      await testApp.standIn.waitFor(() => messagesTo(setup).length === 2);
      await waitUntilSent(setup);
      expect(await setup.newest()).toMatchObject({ state: 'sent', problem: null });
      expect(await setup.inbox()).toEqual([]);
    }
    expect(testApp.standIn.asked()).toBe(asked + 8);
  });

  test('after eight tries, also of silence, it lies in the tray and the tutor is told once', async () => {
    const setup = await createConsentedSetup(testApp);
    const { url, account } = testApp.standIn;
    const impatient = {
      ...testApp.house.context,
      whatsApp: whatsAppCloud({ ...account, url, templateLanguage: 'en_GB', timeoutMs: 100 }),
    };
    const asked = testApp.standIn.asked();
    testApp.standIn.trouble({ status: 500, code: 2 });
    await sendOverdueReminder(testApp.house, setup);
    await expect.poll(() => testApp.standIn.asked()).toBe(asked + 1);
    await postponeRetries(testApp.house, 'send-message');
    const message = { tutorId: setup.tutorId, messageId: (await setup.newest())?.id ?? 0 };
    for (let attempt = 2; attempt < 8; attempt += 1) {
      testApp.standIn.trouble('hang');
      await expect(sendMessage(impatient, message)).rejects.toThrow('later');
      expect(await setup.inbox()).toEqual([]);
    }
    testApp.standIn.trouble('hang');
    await sendMessage(impatient, message);
    expect(await setup.newest()).toMatchObject({
      state: 'draft',
      problem:
        'WhatsApp could not deliver the message. It lies in the tray: please send it yourself.',
    });
    expect((await setup.newest())?.text).toContain('Hello Ruth,\n\n£35.00');
    expect(await setup.inbox()).toMatchObject([{ kind: 'message_failed', requiresAction: true }]);
    expect(messagesTo(setup)).toHaveLength(1);
  });

  test('a number that is not reached: at once in the tray, and the next ones too', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.standIn.trouble({ status: 400, code: 131026 });
    await sendOverdueReminder(testApp.house, setup);
    await waitUntilSent(setup);
    expect(await setup.newest()).toMatchObject({
      state: 'draft',
      problem:
        'WhatsApp does not reach this number. Please check it. It lies in the tray: please send it yourself.',
    });
    expect(await setup.consents()).toEqual([]);
    expect(await setup.inbox()).toHaveLength(1);
    expect((await setup.agree((await setup.newest())?.id ?? 0)).status).toBe(200);
    await waitUntilSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('whoever opted out at WhatsApp gets no draft either', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.standIn.trouble({ status: 400, code: 131050 });
    await sendOverdueReminder(testApp.house, setup);
    await waitUntilSent(setup);
    expect(await setup.newest()).toMatchObject({ state: 'skipped' });
    expect(await setup.tray()).toEqual([]);
    expect(await setup.consents()).toEqual([]);
    expect(await setup.inbox()).toHaveLength(1);
  });

  test('an answer that got lost does not double the message if its webhook is faster than the next try', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.standIn.trouble('done then reset');
    await sendOverdueReminder(testApp.house, setup);
    const lost = await testApp.standIn.waitFor(() => messagesTo(setup).length === 2);
    await expect.poll(async () => (await setup.newest())?.state).toBe('waiting');
    const { webhooks } = testApp.standIn;
    const [, second = lost] = messagesTo(setup);
    await webhooks.deliver(
      testApp.webhook,
      webhooks.statuses([{ message: second, status: 'delivered' }]),
    );
    const messageId = (await setup.newest())?.id ?? 0;
    await sendMessage(testApp.house.context, { tutorId: setup.tutorId, messageId });
    expect(messagesTo(setup)).toHaveLength(2);
    expect(await setup.newest()).toMatchObject({ state: 'delivered', text: second.text });
  });
});

test('without an account everything waits in the tray, and nothing can be agreed to', async () => {
  const app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  try {
    const setup = await createWhatsAppSetup(app);
    await sendLessonReminder(app, setup);
    const [draft] = await setup.tray();
    expect(draft).toMatchObject({ state: 'draft' });
    expect((await setup.agree(draft?.id ?? 0)).status).toBe(409);
    const settings = await setup.browser.call(reminders.reminderSettings);
    expect(settings.body.whatsAppAutomatic).toBe(false);
    const { webhooks } = testApp.standIn;
    const url = `${app.url}/api/whatsapp/webhooks`;
    const stop = webhooks.message(setup.digits, 'STOP');
    expect((await webhooks.deliver(url, stop)).status).toBe(404);
    expect((await webhooks.verify(url)).status).toBe(404);
    const stopped = app.context.db.global.selectFrom('whatsapp_opt_outs').selectAll();
    expect(await stopped.execute()).toEqual([]);
    expect(await setup.log()).toEqual([draft]);
  } finally {
    await app.close();
  }
});
