import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminders';
import { whatsapp } from '@lessonbook/contract/whatsapp';
import { startWhatsApp } from '@lessonbook/fakes/whatsapp';
import { APPROVED } from '../domains/messages/rules/approved.ts';
import { remindEveryone } from '../domains/messages/service/reminders.ts';
import { newStudent, newSubject } from './book.ts';
import { type House, openHouse } from './house.ts';
import { teach } from './money.ts';
import { settledMessages } from './settled-messages.ts';
import { addLesson, type Desk } from './teaching.ts';
import { confirmed, signedIn } from './tutor.ts';
import { tutorIdOf } from './tutor-id.ts';

export type WhatsAppHouse = Awaited<ReturnType<typeof openWhatsAppHouse>>;

/** A house with an account at WhatsApp, or rather at its stand-in. */
export async function openWhatsAppHouse() {
  const standIn = await startWhatsApp({ templates: APPROVED });
  const house = await openHouse({ RATE_LIMIT_FACTOR: '1000', ...standIn.environment });
  const webhook = `${house.url}/api/whatsapp/webhooks`;
  const close = async () => {
    await house.close();
    await standIn.stop();
  };
  return { house, standIn, webhook, close };
}

let numbers = 0;
/** A number from the range that is kept free for stories. */
export function freshNumber(): string {
  numbers += 1;
  return `+447700${String(900_000 + numbers)}`;
}

export type WhatsAppBook = Awaited<ReturnType<typeof openWhatsAppBook>>;

/** A tutor who reminds by WhatsApp and has started it, with a carer and one child. */
export async function openWhatsAppBook(house: House, phone = freshNumber(), verified = true) {
  const { browser, input } = await (verified ? confirmed(house) : signedIn(house));
  const maya = await newStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerPhone: phone,
  });
  const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
  const desk: Desk = { browser, studentId: maya.id, subjectId: subject.id };
  const { body } = await browser.call(reminders.reminderSettings);
  const { startedAt: _s, proposals: _p, whatsAppByItself: _w, ...own } = body;
  await browser.call(reminders.saveReminderSettings, {
    body: { ...own, channels: ['whatsapp'], chase: true },
  });
  await browser.call(reminders.startReminders);
  const log = async () => (await browser.call(messages.listMessages, { query: {} })).body;
  return {
    browser,
    desk,
    phone,
    digits: phone.slice(1),
    familyId: maya.familyId as number,
    tutorId: await tutorIdOf(house, input),
    log,
    tray: async () => (await browser.call(messages.tray)).body,
    newest: async () => (await log())[0],
    inbox: async () =>
      (await browser.call(notifications.listNotifications, { query: {} })).body.notifications,
    agree: (id: number) => browser.call(whatsapp.giveConsent, { params: { id } }),
    consents: async () => (await browser.call(whatsapp.listConsents)).body,
  };
}

/** A lesson of tomorrow, and the hour at which it is reminded of. */
export async function remindOfLesson(house: House, book: WhatsAppBook, change: object = {}) {
  house.clock.restart();
  const lesson = await addLesson(book.desk, change);
  house.clock.forward({ hours: 4 });
  await remindEveryone(house.context);
  return lesson;
}

/** Money that is six days late, and the hour at which it is asked for. */
export async function chase(house: House, book: WhatsAppBook) {
  await teach(book.desk, book.desk.studentId, '2026-11-10');
  await remindEveryone(house.context);
}

/** A book in which the carer has agreed, by way of a first draft that went by itself. */
export async function openAgreedBook({ house, standIn }: WhatsAppHouse, phone = freshNumber()) {
  const book = await openWhatsAppBook(house, phone);
  const { sessionId } = await remindOfLesson(house, book);
  const [draft] = await book.tray();
  await book.agree(draft?.id ?? 0);
  const first = await standIn.waitFor((message) => message.to === book.digits);
  await settled(book);
  return { ...book, first, sessionId };
}

/** Waits until nothing is on its way any more, so that "none" means none. */
export function settled(book: Pick<WhatsAppBook, 'browser'>) {
  return settledMessages(book.browser);
}
