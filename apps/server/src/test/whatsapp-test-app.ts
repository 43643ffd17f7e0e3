import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminders';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import { startWhatsApp } from '@lessonbook/fakes/whatsapp';
import { WHATSAPP_TEMPLATES } from '../domains/messages/rules/whatsapp-templates.ts';
import { sendDueReminders } from '../domains/messages/service/reminders/lesson-reminders.ts';
import { newStudent, newSubject } from './factories.ts';
import { addLesson, type LessonFixture } from './lesson-fixture.ts';
import { createTaughtLesson } from './payment-fixture.ts';
import { settledMessages } from './settled-messages.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { createTutor, createVerifiedTutor, findTutorId } from './tutor.ts';

export type WhatsAppTestApp = Awaited<ReturnType<typeof startWhatsAppTestApp>>;

/** A house with an account at WhatsApp, or rather at its stand-in. */
export async function startWhatsAppTestApp() {
  const standIn = await startWhatsApp({ templates: WHATSAPP_TEMPLATES });
  const app = await startTestApp({ RATE_LIMIT_FACTOR: '1000', ...standIn.environment });
  const webhook = `${app.url}/api/whatsapp/webhooks`;
  const close = async () => {
    await app.close();
    await standIn.stop();
  };
  return { house: app, standIn, webhook, close };
}

let numbers = 0;
/** A number from the range that is kept free for stories. */
export function nextPhoneNumber(): string {
  numbers += 1;
  return `+447700${String(900_000 + numbers)}`;
}

export type WhatsAppSetup = Awaited<ReturnType<typeof createWhatsAppSetup>>;

/** A tutor who reminds by WhatsApp and has started it, with a carer and one child. */
export async function createWhatsAppSetup(
  app: TestApp,
  phone = nextPhoneNumber(),
  verified = true,
) {
  const { browser, input } = await (verified ? createVerifiedTutor(app) : createTutor(app));
  const maya = await newStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerPhone: phone,
  });
  const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const { body } = await browser.call(reminders.reminderSettings);
  const { enabledAt: _s, defaultTemplates: _p, whatsAppAutomatic: _w, ...own } = body;
  await browser.call(reminders.saveReminderSettings, {
    body: { ...own, channels: ['whatsapp'], overdueEnabled: true },
  });
  await browser.call(reminders.startReminders);
  const log = async () => (await browser.call(messages.listMessages, { query: {} })).body;
  return {
    browser,
    desk: fixture,
    phone,
    digits: phone.slice(1),
    familyId: maya.familyId as number,
    tutorId: await findTutorId(app, input),
    log,
    tray: async () => (await browser.call(messages.outbox)).body,
    newest: async () => (await log())[0],
    inbox: async () =>
      (await browser.call(notifications.listNotifications, { query: {} })).body.notifications,
    agree: (id: number) => browser.call(whatsappConsents.grantConsent, { params: { id } }),
    consents: async () => (await browser.call(whatsappConsents.listConsents)).body,
  };
}

/** A lesson of tomorrow, and the hour at which it is reminded of. */
export async function sendLessonReminder(app: TestApp, setup: WhatsAppSetup, change: object = {}) {
  app.clock.restart();
  const lesson = await addLesson(setup.desk, change);
  app.clock.forward({ hours: 4 });
  await sendDueReminders(app.context);
  return lesson;
}

/** Money that is six days late, and the hour at which it is asked for. */
export async function sendOverdueReminder(app: TestApp, setup: WhatsAppSetup) {
  await createTaughtLesson(setup.desk, setup.desk.studentId, '2026-11-10');
  await sendDueReminders(app.context);
}

/** A book in which the carer has agreed, by way of a first draft that went by itself. */
export async function createConsentedSetup(
  { house: app, standIn }: WhatsAppTestApp,
  phone = nextPhoneNumber(),
) {
  const setup = await createWhatsAppSetup(app, phone);
  const { sessionId } = await sendLessonReminder(app, setup);
  const [draft] = await setup.tray();
  await setup.agree(draft?.id ?? 0);
  const first = await standIn.waitFor((message) => message.to === setup.digits);
  await waitUntilSent(setup);
  return { ...setup, first, sessionId };
}

/** Waits until nothing is on its way any more, so that "none" means none. */
export function waitUntilSent(setup: Pick<WhatsAppSetup, 'browser'>) {
  return settledMessages(setup.browser);
}
