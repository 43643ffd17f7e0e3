import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { CONSENT_WORDING, whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whatsAppCloud } from '../../integrations/whatsapp.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp } from '../../test/test-app.ts';
import {
  postponeRetries,
  retryFailedJobsNow,
} from '../../test/wait-for-queue-and-control-retries.ts';
import {
  createConsentedSetup,
  createWhatsAppSetup,
  nextPhoneNumber,
  sendLessonReminder,
  sendOverdueReminder,
  startWhatsAppTestApp,
  type WhatsAppSetup,
  type WhatsAppTestApp,
  waitUntilMessagesSent,
} from '../../test/whatsapp-test-app.ts';
import { WHATSAPP_MAX_ATTEMPTS } from './job-types.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

let testApp: WhatsAppTestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  testApp = await startWhatsAppTestApp();
  maintenance = new pg.Client(testApp.app.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await testApp.close();
});
afterEach(async () => {
  testApp.whatsApp.clearFaults();
  await testApp.app.restartClock();
});

const messagesTo = (setup: Pick<WhatsAppSetup, 'digits'>) =>
  testApp.whatsApp.accepted().filter((message) => message.to === setup.digits);
const createSetup = (phone?: string) => createWhatsAppSetup(testApp.app, phone);

describe('consent', () => {
  test('a reminder is a draft until consent is given and is then sent, and the stored text is the text sent', async () => {
    const setup = await createSetup();
    await sendLessonReminder(testApp.app, setup, { place: 'Library\n\tRoom 2' });
    const [draft] = await setup.outbox();
    expect(draft).toMatchObject({ state: 'draft', channel: 'whatsapp' });
    expect(draft?.text).toContain('just reply.');
    expect(messagesTo(setup)).toEqual([]);
    const consented = await setup.giveConsent(draft?.id ?? 0);
    expect(consented).toMatchObject({ status: 200, body: { state: 'waiting' } });
    const delivered = await testApp.whatsApp.waitFor((message) => message.to === setup.digits);
    expect(delivered.text).toBe(
      'Hi Ruth, this is a reminder from Ada Fenwick.\n\n' +
        'Lessons tomorrow, Tue 17 Nov: Maya: Maths, 4pm to 5pm, Library Room 2.\n\n' +
        "If you can't make it, please let your tutor know. Replies to this number aren't monitored. Reply STOP to end these reminders.",
    );
    const [sent] = await waitUntilMessagesSent(setup);
    expect(sent).toMatchObject({ state: 'sent', text: delivered.text, problem: null });
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

  test('after consent, each message is sent automatically once, and giving consent again changes nothing', async () => {
    const setup = await createConsentedSetup(testApp);
    const [first] = await setup.log();
    const before = await setup.consents();
    testApp.app.clock.advance({ hours: 1 });
    expect((await setup.giveConsent(first?.id ?? 0)).body).toEqual(first);
    expect(await setup.consents()).toEqual(before);
    await sendOverdueReminder(testApp.app, setup);
    await sendDueReminders(testApp.app.context);
    await waitUntilMessagesSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
    const newest = await setup.newest();
    expect(messagesTo(setup)[1]).toMatchObject({
      template: 'payment_reminder',
      text: newest?.text,
    });
    expect(newest?.text).toContain(
      "There's still £35.00 to pay for: Maya: Maths lesson, Tue 10 Nov, £35.00.",
    );
    expect(newest?.text).toContain('/pay/b_');
  });

  test("after consent is withdrawn, later messages are drafts with the tutor's text", async () => {
    const setup = await createConsentedSetup(testApp);
    const body = { address: setup.phone.replace('+44', '+44 (0)') };
    expect((await setup.browser.call(whatsappConsents.withdrawConsent, { body })).body).toEqual([]);
    await sendOverdueReminder(testApp.app, setup);
    const [draft] = await setup.outbox();
    expect(draft?.text).toContain("Hi Ruth,\n\nThere's still £35.00 to pay for:");
    expect(messagesTo(setup)).toHaveLength(1);
    await setup.giveConsent(draft?.id ?? 0);
    await waitUntilMessagesSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('withdrawing consent turns a waiting message into a draft', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.whatsApp.addFaults({ status: 500, code: 131000 });
    const requestsBefore = testApp.whatsApp.requestCount();
    await sendOverdueReminder(testApp.app, setup);
    await expect.poll(() => testApp.whatsApp.requestCount()).toBe(requestsBefore + 1);
    await setup.browser.call(whatsappConsents.withdrawConsent, { body: { address: setup.phone } });
    const messageId = (await setup.newest())?.id ?? 0;
    await sendMessage(testApp.app.context, { tutorId: setup.tutorId, messageId });
    expect(await setup.newest()).toMatchObject({ state: 'draft' });
    expect((await setup.newest())?.text).toContain("Hi Ruth,\n\nThere's still £35.00");
  });

  test('messages written by the tutor or opened in WhatsApp remain drafts', async () => {
    const setup = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.app, setup);
    await waitUntilMessagesSent(setup);
    const body = { familyId: setup.familyId, channel: 'whatsapp' as const, text: 'My own words' };
    const created = await setup.browser.call(messages.sendReminder, { body });
    const id = created.body.messages[0]?.id ?? 0;
    expect((await setup.giveConsent(id)).body).toMatchObject({
      state: 'draft',
      text: 'My own words',
    });
    const other = await createSetup();
    await sendLessonReminder(testApp.app, other);
    const params = { id: (await other.outbox())[0]?.id ?? 0 };
    await other.browser.call(messages.markMessageOpened, { params });
    expect((await other.giveConsent(params.id)).body).toMatchObject({ state: 'opened' });
    expect(await other.consents()).toHaveLength(1);
    expect(messagesTo(other)).toEqual([]);
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('the settings say that messages are sent automatically, and the preview shows their text', async () => {
    const setup = await createConsentedSetup(testApp);
    const settings = await setup.browser.call(reminders.reminderSettings);
    expect(settings.body.whatsAppAutomatic).toBe(true);
    // The preview omits messages that already exist.
    await testApp.app.admin.query(
      `update messages set dedupe_key = 'earlier ' || id where text = $1`,
      [setup.first.text],
    );
    const previews = await setup.browser.call(reminders.previewFirstReminders);
    expect(previews.body[0]?.text).toBe(setup.first.text);
  });

  test('a tutor with an unverified address cannot record consent', async () => {
    const setup = await createWhatsAppSetup(testApp.app, nextPhoneNumber(), false);
    await sendLessonReminder(testApp.app, setup);
    const rejected = await setup.giveConsent((await setup.outbox())[0]?.id ?? 0);
    expect([rejected.status, rejected.error.code]).toEqual([409, 'conflict']);
    expect(await setup.consents()).toEqual([]);
    expect(messagesTo(setup)).toEqual([]);
  });

  test('recording consent returns 409 for a number that cannot be used with WhatsApp', async () => {
    const setup = await createSetup('07700 900123 ext. 3');
    await sendLessonReminder(testApp.app, setup);
    expect((await setup.giveConsent((await setup.outbox())[0]?.id ?? 0)).status).toBe(409);
  });
});

describe('outdated messages', () => {
  test('a payment reminder is skipped after the payment', async () => {
    const setup = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.app, setup);
    await waitUntilMessagesSent(setup);
    await createPayment(setup.browser, setup.familyId, 3500);
    const messageId = (await setup.newest())?.id ?? 0;
    const update = `update messages set state = 'waiting' where tutor_id = $1 and id = $2`;
    await maintenance.query(update, [setup.tutorId, messageId]);
    await sendMessage(testApp.app.context, { tutorId: setup.tutorId, messageId });
    expect(await setup.newest()).toMatchObject({ state: 'skipped' });
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('cancelling a lesson after its reminder was delivered creates a draft correction', async () => {
    const setup = await createConsentedSetup(testApp);
    const update = { message: setup.first, status: 'delivered' as const };
    await testApp.whatsApp.webhooks.deliver(
      testApp.webhook,
      testApp.whatsApp.webhooks.statuses([update]),
    );
    await setup.browser.call(sessions.cancelSession, {
      params: { id: setup.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    await sendDueReminders(testApp.app.context);
    expect(await setup.outbox()).toMatchObject([{ kind: 'lesson_change', state: 'draft' }]);
  });

  test('the demo account sends nothing', async () => {
    const setup = await createConsentedSetup(testApp);
    await maintenance.query('update login_directory set is_demo = true where tutor_id = $1', [
      setup.tutorId,
    ]);
    await sendOverdueReminder(testApp.app, setup);
    await waitUntilMessagesSent(setup);
    expect(await setup.newest()).toMatchObject({ state: 'skipped' });
    expect(messagesTo(setup)).toHaveLength(1);
  });
});

describe('WhatsApp failures', () => {
  test('sending is retried after a 429, a 500, a dropped connection or an expired token', async () => {
    const setups = [
      await createConsentedSetup(testApp),
      await createConsentedSetup(testApp),
      await createConsentedSetup(testApp),
      await createConsentedSetup(testApp),
    ];
    testApp.whatsApp.addFaults(
      { status: 429, code: 130429 },
      { status: 500, code: 131000 },
      'reset',
      {
        status: 401,
        code: 190,
      },
    );
    const requestsBefore = testApp.whatsApp.requestCount();
    await Promise.all(
      setups.map((setup) =>
        createCompletedLesson(setup.fixture, setup.fixture.studentId, '2026-11-10'),
      ),
    );
    await sendDueReminders(testApp.app.context);
    await expect
      .poll(() => testApp.whatsApp.requestCount())
      .toBeGreaterThanOrEqual(requestsBefore + 4);
    await retryFailedJobsNow(testApp.app, 'send-message', 4);
    for (const setup of setups) {
      await testApp.whatsApp.waitFor(() => messagesTo(setup).length === 2);
      await waitUntilMessagesSent(setup);
      expect(await setup.newest()).toMatchObject({ state: 'sent', problem: null });
      expect(await setup.notifications()).toEqual([]);
    }
    expect(testApp.whatsApp.requestCount()).toBe(requestsBefore + 8);
  });

  test('after several attempts, including timeouts, the message becomes a draft and the tutor is notified once', async () => {
    const setup = await createConsentedSetup(testApp);
    const { url, account } = testApp.whatsApp;
    const contextWithTimeout = {
      ...testApp.app.context,
      whatsApp: whatsAppCloud({ ...account, url, templateLanguage: 'en_GB', timeoutMs: 100 }),
    };
    const requestsBefore = testApp.whatsApp.requestCount();
    testApp.whatsApp.addFaults({ status: 500, code: 2 });
    await sendOverdueReminder(testApp.app, setup);
    await expect.poll(() => testApp.whatsApp.requestCount()).toBe(requestsBefore + 1);
    await postponeRetries(testApp.app, 'send-message');
    const message = { tutorId: setup.tutorId, messageId: (await setup.newest())?.id ?? 0 };
    for (let attempt = 2; attempt < WHATSAPP_MAX_ATTEMPTS; attempt += 1) {
      testApp.whatsApp.addFaults('hang');
      await expect(sendMessage(contextWithTimeout, message)).rejects.toThrow('retryable');
      expect(await setup.notifications()).toEqual([]);
    }
    testApp.whatsApp.addFaults('hang');
    await sendMessage(contextWithTimeout, message);
    expect(await setup.newest()).toMatchObject({
      state: 'draft',
      problem:
        "WhatsApp couldn't deliver the message. It's saved in Messages: please send it yourself.",
    });
    expect((await setup.newest())?.text).toContain("Hi Ruth,\n\nThere's still £35.00");
    expect(await setup.notifications()).toMatchObject([
      { kind: 'message_failed', requiresAction: true },
    ]);
    expect(messagesTo(setup)).toHaveLength(1);
  });

  test('if a number is unreachable, this message and later ones become drafts', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.whatsApp.addFaults({ status: 400, code: 131026 });
    await sendOverdueReminder(testApp.app, setup);
    await waitUntilMessagesSent(setup);
    expect(await setup.newest()).toMatchObject({
      state: 'draft',
      problem:
        "WhatsApp can't reach this number. Please check it. It's saved in Messages: please send it yourself.",
    });
    expect(await setup.consents()).toEqual([]);
    expect(await setup.notifications()).toHaveLength(1);
    expect((await setup.giveConsent((await setup.newest())?.id ?? 0)).status).toBe(200);
    await waitUntilMessagesSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
  });

  test('no draft is created for a number that opted out with WhatsApp', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.whatsApp.addFaults({ status: 400, code: 131050 });
    await sendOverdueReminder(testApp.app, setup);
    await waitUntilMessagesSent(setup);
    expect(await setup.newest()).toMatchObject({ state: 'skipped' });
    expect(await setup.outbox()).toEqual([]);
    expect(await setup.consents()).toEqual([]);
    expect(await setup.notifications()).toHaveLength(1);
  });

  test('a lost response does not lead to a duplicate if the webhook arrives before the retry', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.whatsApp.addFaults('done then reset');
    await sendOverdueReminder(testApp.app, setup);
    const lost = await testApp.whatsApp.waitFor(() => messagesTo(setup).length === 2);
    await expect.poll(async () => (await setup.newest())?.state).toBe('waiting');
    const { webhooks } = testApp.whatsApp;
    const [, second = lost] = messagesTo(setup);
    await webhooks.deliver(
      testApp.webhook,
      webhooks.statuses([{ message: second, status: 'delivered' }]),
    );
    const messageId = (await setup.newest())?.id ?? 0;
    await sendMessage(testApp.app.context, { tutorId: setup.tutorId, messageId });
    expect(messagesTo(setup)).toHaveLength(2);
    expect(await setup.newest()).toMatchObject({ state: 'delivered', text: second.text });
  });
});

test('without a WhatsApp account, all messages are drafts and recording consent returns 409', async () => {
  const app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  try {
    const setup = await createWhatsAppSetup(app);
    await sendLessonReminder(app, setup);
    const [draft] = await setup.outbox();
    expect(draft).toMatchObject({ state: 'draft' });
    expect((await setup.giveConsent(draft?.id ?? 0)).status).toBe(409);
    const settings = await setup.browser.call(reminders.reminderSettings);
    expect(settings.body.whatsAppAutomatic).toBe(false);
    const { webhooks } = testApp.whatsApp;
    const url = `${app.url}/api/whatsapp/webhooks`;
    const stop = webhooks.message(setup.digits, 'STOP');
    expect((await webhooks.deliver(url, stop)).status).toBe(404);
    expect((await webhooks.verify(url)).status).toBe(404);
    const optOuts = app.context.db.global.selectFrom('whatsapp_opt_outs').selectAll();
    expect(await optOuts.execute()).toEqual([]);
    expect(await setup.log()).toEqual([draft]);
  } finally {
    await app.close();
  }
});
