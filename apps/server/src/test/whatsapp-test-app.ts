import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import { startWhatsApp } from '@lessonbook/fakes/whatsapp';
import {
  AUTHENTICATION_TEMPLATES,
  WHATSAPP_TEMPLATES,
} from '../domains/messages/rules/whatsapp-templates.ts';
import { sendDueReminders } from '../domains/messages/service/reminders/send-due-reminders.ts';
import { createStudent, createSubject } from './create-student-and-subject.ts';
import {
  addPaymentInstructions,
  createTutor,
  createTutorWhoCanEmailFamilies,
  findTutorId,
} from './create-tutor.ts';
import { addLesson, type LessonFixture } from './lesson-fixture.ts';
import { createCompletedLesson } from './payment-fixture.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { waitUntilMessagesProcessed } from './wait-until-messages-processed.ts';

export type WhatsAppTestApp = Awaited<ReturnType<typeof startWhatsAppTestApp>>;

/** Starts the test app with the fake WhatsApp. */
export async function startWhatsAppTestApp() {
  const whatsApp = await startWhatsApp({
    templates: WHATSAPP_TEMPLATES,
    authenticationTemplates: AUTHENTICATION_TEMPLATES,
  });
  const app = await startTestApp({ RATE_LIMIT_FACTOR: '1000', ...whatsApp.environment });
  const webhook = `${app.url}/api/whatsapp/webhooks`;
  const close = async () => {
    await app.close();
    await whatsApp.stop();
  };
  return { app, whatsApp, webhook, close };
}

let phoneNumberCount = 0;
/** A unique number from the range reserved for use in fiction. */
export function nextPhoneNumber(): string {
  phoneNumberCount += 1;
  return `+447700${String(900_000 + phoneNumberCount)}`;
}

export type WhatsAppSetup = Awaited<ReturnType<typeof createWhatsAppSetup>>;

/** Creates a tutor with WhatsApp reminders enabled, and a carer with one child. */
export async function createWhatsAppSetup(
  app: TestApp,
  phone = nextPhoneNumber(),
  verified = true,
) {
  const { browser, input } = await (verified
    ? createTutorWhoCanEmailFamilies(app)
    : createTutor(app));
  if (!verified) await addPaymentInstructions(app, input);
  const maya = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerPhone: phone,
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const { body } = await browser.call(reminders.reminderSettings);
  const { enabledAt: _s, defaultTemplates: _p, whatsAppAutomatic: _w, ...settings } = body;
  await browser.call(reminders.saveReminderSettings, {
    body: { ...settings, channels: ['whatsapp'], overdueEnabled: true },
  });
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  const log = async () => (await browser.call(messages.listMessages, { query: {} })).body;
  return {
    browser,
    fixture,
    phone,
    digits: phone.slice(1),
    familyId: maya.familyId as number,
    tutorId: await findTutorId(app, input),
    log,
    outbox: async () => (await browser.call(messages.outbox)).body,
    newest: async () => (await log())[0],
    notifications: async () =>
      (await browser.call(notifications.listNotifications, { query: {} })).body.notifications,
    giveConsent: (id: number) => browser.call(whatsappConsents.grantConsent, { params: { id } }),
    consents: async () => (await browser.call(whatsappConsents.listConsents)).body,
  };
}

/** Creates a lesson for tomorrow, moves the clock to the time of its reminder and sends the due reminders. */
export async function sendLessonReminder(app: TestApp, setup: WhatsAppSetup, change: object = {}) {
  app.clock.restart();
  const lesson = await addLesson(setup.fixture, change);
  app.clock.advance({ hours: 4 });
  await sendDueReminders(app.context);
  return lesson;
}

/** Creates a charge that is six days overdue and sends the reminder. */
export async function sendOverdueReminder(app: TestApp, setup: WhatsAppSetup) {
  await createCompletedLesson(setup.fixture, setup.fixture.studentId, '2026-11-10');
  await sendDueReminders(app.context);
}

/** Creates a setup whose carer has consented to WhatsApp messages and has been sent a first reminder automatically. */
export async function createConsentedSetup(
  { app, whatsApp }: WhatsAppTestApp,
  phone = nextPhoneNumber(),
) {
  const setup = await createWhatsAppSetup(app, phone);
  const { sessionId } = await sendLessonReminder(app, setup);
  const [draft] = await setup.outbox();
  await setup.giveConsent(draft?.id ?? 0);
  const first = await whatsApp.waitFor((message) => message.to === setup.digits);
  await waitUntilMessagesSent(setup);
  return { ...setup, first, sessionId };
}

/** Waits until no message is waiting to be sent. */
export function waitUntilMessagesSent(setup: Pick<WhatsAppSetup, 'browser'>) {
  return waitUntilMessagesProcessed(setup.browser);
}
