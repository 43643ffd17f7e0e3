import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminders';
import { sessions } from '@lessonbook/contract/sessions';
import { CONSENT_WORDING, whatsapp } from '@lessonbook/contract/whatsapp';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whatsAppCloud } from '../../integrations/whatsapp.ts';
import { openHouse } from '../../test/house.ts';
import { paid, teach } from '../../test/money.ts';
import { hurryRetries, postponeRetries } from '../../test/queue-idle.ts';
import {
  chase,
  freshNumber,
  openAgreedBook,
  openWhatsAppBook,
  openWhatsAppHouse,
  remindOfLesson,
  settled,
  type WhatsAppBook,
  type WhatsAppHouse,
} from '../../test/whatsapp.ts';
import { remindEveryone } from './service/reminders.ts';
import { sendMessage } from './service/send.ts';

let place: WhatsAppHouse;
let maintenance: pg.Client;
beforeAll(async () => {
  place = await openWhatsAppHouse();
  maintenance = new pg.Client(place.house.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await place.close();
});
afterEach(async () => {
  place.standIn.clearTrouble();
  await place.house.restartClock();
});

const takenBy = (book: Pick<WhatsAppBook, 'digits'>) =>
  place.standIn.taken().filter((message) => message.to === book.digits);
const open = (phone?: string) => openWhatsAppBook(place.house, phone);

describe('who agreed', () => {
  test('without consent it lies in the tray; with it, it goes by itself, and the text kept is the text as sent', async () => {
    const book = await open();
    await remindOfLesson(place.house, book, { place: 'Library\n\tRoom 2' });
    const [draft] = await book.tray();
    expect(draft).toMatchObject({ state: 'draft', channel: 'whatsapp' });
    expect(draft?.text).toContain('just reply to this message');
    expect(takenBy(book)).toEqual([]);
    const agreed = await book.agree(draft?.id ?? 0);
    expect(agreed).toMatchObject({ status: 200, body: { state: 'waiting' } });
    const taken = await place.standIn.waitFor((message) => message.to === book.digits);
    expect(taken.text).toBe(
      'Hello Ruth, this is a reminder from Ada Fenwick.\n\n' +
        'Lessons tomorrow, Tue 17 Nov: Maya: Maths, 4:00 pm to 5:00 pm, Library Room 2.\n\n' +
        'If anything has changed, please tell your tutor; nobody reads replies to this number. Reply STOP to end these reminders.',
    );
    const [sent] = await settled(book);
    expect(sent).toMatchObject({ state: 'sent', text: taken.text, problem: null });
    expect(sent?.sentAt).not.toBeNull();
    expect(await book.consents()).toEqual([
      {
        address: book.phone,
        name: 'Ruth Hale',
        wording: CONSENT_WORDING,
        at: '2026-11-16T16:00:00.000Z',
      },
    ]);
  });

  test('the next one goes without being asked, each once; agreeing again changes nothing', async () => {
    const book = await openAgreedBook(place);
    const [first] = await book.log();
    const before = await book.consents();
    place.house.clock.forward({ hours: 1 });
    expect((await book.agree(first?.id ?? 0)).body).toEqual(first);
    expect(await book.consents()).toEqual(before);
    await chase(place.house, book);
    await remindEveryone(place.house.context);
    await settled(book);
    expect(takenBy(book)).toHaveLength(2);
    const newest = await book.newest();
    expect(takenBy(book)[1]).toMatchObject({ template: 'payment_reminder', text: newest?.text });
    expect(newest?.text).toContain(
      '£35.00 is to be paid for: Maya: Maths lesson, Tue 10 Nov, £35.00.',
    );
    expect(newest?.text).toContain('/pay/b_');
  });

  test('withdrawn, the next ones wait in the tray in the words of the tutor', async () => {
    const book = await openAgreedBook(place);
    const body = { address: book.phone.replace('+44', '+44 (0)') };
    expect((await book.browser.call(whatsapp.withdrawConsent, { body })).body).toEqual([]);
    await chase(place.house, book);
    const [draft] = await book.tray();
    expect(draft?.text).toContain('Hello Ruth,\n\n£35.00 is to be paid for:');
    expect(takenBy(book)).toHaveLength(1);
    await book.agree(draft?.id ?? 0);
    await settled(book);
    expect(takenBy(book)).toHaveLength(2);
  });

  test('withdrawn while one waits, that one goes back to the tray', async () => {
    const book = await openAgreedBook(place);
    place.standIn.trouble({ status: 500, code: 131000 });
    const asked = place.standIn.asked();
    await chase(place.house, book);
    await expect.poll(() => place.standIn.asked()).toBe(asked + 1);
    await book.browser.call(whatsapp.withdrawConsent, { body: { address: book.phone } });
    const messageId = (await book.newest())?.id ?? 0;
    await sendMessage(place.house.context, { tutorId: book.tutorId, messageId });
    expect(await book.newest()).toMatchObject({ state: 'draft' });
    expect((await book.newest())?.text).toContain('Hello Ruth,\n\n£35.00');
  });

  test('what the tutor wrote by hand, and what stands open in WhatsApp already, stays in the tray', async () => {
    const book = await openAgreedBook(place);
    await chase(place.house, book);
    await settled(book);
    const body = { familyId: book.familyId, channel: 'whatsapp' as const, text: 'My own words' };
    const made = await book.browser.call(messages.sendReminder, { body });
    const id = made.body.messages[0]?.id ?? 0;
    expect((await book.agree(id)).body).toMatchObject({ state: 'draft', text: 'My own words' });
    const other = await open();
    await remindOfLesson(place.house, other);
    const params = { id: (await other.tray())[0]?.id ?? 0 };
    await other.browser.call(messages.openMessage, { params });
    expect((await other.agree(params.id)).body).toMatchObject({ state: 'opened' });
    expect(await other.consents()).toHaveLength(1);
    expect(takenBy(other)).toEqual([]);
    expect(takenBy(book)).toHaveLength(2);
  });

  test('the settings say that it goes by itself, and the first batch shows the words that will go', async () => {
    const book = await openAgreedBook(place);
    const settings = await book.browser.call(reminders.reminderSettings);
    expect(settings.body.whatsAppByItself).toBe(true);
    const batch = await book.browser.call(reminders.firstBatch);
    expect(batch.body[0]?.text).toBe(book.first.text);
  });

  test('a tutor who has not confirmed an address writes to nobody through us', async () => {
    const book = await openWhatsAppBook(place.house, freshNumber(), false);
    await remindOfLesson(place.house, book);
    const refused = await book.agree((await book.tray())[0]?.id ?? 0);
    expect([refused.status, refused.error.code]).toEqual([409, 'conflict']);
    expect(await book.consents()).toEqual([]);
    expect(takenBy(book)).toEqual([]);
  });

  test('a number without a country code cannot agree', async () => {
    const book = await open('call me');
    await remindOfLesson(place.house, book);
    expect((await book.agree((await book.tray())[0]?.id ?? 0)).status).toBe(409);
  });
});

describe('what is no longer true', () => {
  test('is left out, or skipped', async () => {
    const book = await openAgreedBook(place);
    await chase(place.house, book);
    await settled(book);
    await paid(book.browser, book.familyId, 3500);
    const messageId = (await book.newest())?.id ?? 0;
    const update = `update messages set state = 'waiting' where tutor_id = $1 and id = $2`;
    await maintenance.query(update, [book.tutorId, messageId]);
    await sendMessage(place.house.context, { tutorId: book.tutorId, messageId });
    expect(await book.newest()).toMatchObject({ state: 'skipped' });
    expect(takenBy(book)).toHaveLength(2);
  });

  test('a lesson that is cancelled after the reminder arrived is corrected, from the tray', async () => {
    const book = await openAgreedBook(place);
    const statement = { message: book.first, status: 'delivered' as const };
    await place.standIn.webhooks.deliver(
      place.webhook,
      place.standIn.webhooks.statuses([statement]),
    );
    await book.browser.call(sessions.cancelSession, {
      params: { id: book.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    await remindEveryone(place.house.context);
    expect(await book.tray()).toMatchObject([{ kind: 'lesson_change', state: 'draft' }]);
  });

  test('the demo sends nothing', async () => {
    const book = await openAgreedBook(place);
    await maintenance.query('update login_directory set is_demo = true where tutor_id = $1', [
      book.tutorId,
    ]);
    await chase(place.house, book);
    await settled(book);
    expect(await book.newest()).toMatchObject({ state: 'skipped' });
    expect(takenBy(book)).toHaveLength(1);
  });
});

describe('WhatsApp in trouble', () => {
  test('429, 500, a broken connection and a token that ran out: tried again by itself, and then it goes', async () => {
    const books = [
      await openAgreedBook(place),
      await openAgreedBook(place),
      await openAgreedBook(place),
      await openAgreedBook(place),
    ];
    place.standIn.trouble({ status: 429, code: 130429 }, { status: 500, code: 131000 }, 'reset', {
      status: 401,
      code: 190,
    });
    const asked = place.standIn.asked();
    await Promise.all(books.map((book) => teach(book.desk, book.desk.studentId, '2026-11-10')));
    await remindEveryone(place.house.context);
    await expect.poll(() => place.standIn.asked()).toBeGreaterThanOrEqual(asked + 4);
    await hurryRetries(place.house, 'send-message', 4);
    for (const book of books) {
      await place.standIn.waitFor(() => takenBy(book).length === 2);
      await settled(book);
      expect(await book.newest()).toMatchObject({ state: 'sent', problem: null });
      expect(await book.inbox()).toEqual([]);
    }
    expect(place.standIn.asked()).toBe(asked + 8);
  });

  test('after eight tries, also of silence, it lies in the tray and the tutor is told once', async () => {
    const book = await openAgreedBook(place);
    const { url, account } = place.standIn;
    const impatient = {
      ...place.house.context,
      whatsApp: whatsAppCloud({ ...account, url, templateLanguage: 'en_GB', timeoutMs: 100 }),
    };
    const asked = place.standIn.asked();
    place.standIn.trouble({ status: 500, code: 2 });
    await chase(place.house, book);
    await expect.poll(() => place.standIn.asked()).toBe(asked + 1);
    await postponeRetries(place.house, 'send-message');
    const message = { tutorId: book.tutorId, messageId: (await book.newest())?.id ?? 0 };
    for (let attempt = 2; attempt < 8; attempt += 1) {
      place.standIn.trouble('hang');
      await expect(sendMessage(impatient, message)).rejects.toThrow('later');
      expect(await book.inbox()).toEqual([]);
    }
    place.standIn.trouble('hang');
    await sendMessage(impatient, message);
    expect(await book.newest()).toMatchObject({
      state: 'draft',
      problem:
        'WhatsApp could not deliver the message. It lies in the tray: please send it yourself.',
    });
    expect((await book.newest())?.text).toContain('Hello Ruth,\n\n£35.00');
    expect(await book.inbox()).toMatchObject([{ kind: 'message_failed', needsYou: true }]);
    expect(takenBy(book)).toHaveLength(1);
  });

  test('a number that is not reached: at once in the tray, and the next ones too', async () => {
    const book = await openAgreedBook(place);
    place.standIn.trouble({ status: 400, code: 131026 });
    await chase(place.house, book);
    await settled(book);
    expect(await book.newest()).toMatchObject({
      state: 'draft',
      problem:
        'WhatsApp does not reach this number. Please check it. It lies in the tray: please send it yourself.',
    });
    expect(await book.consents()).toEqual([]);
    expect(await book.inbox()).toHaveLength(1);
    expect((await book.agree((await book.newest())?.id ?? 0)).status).toBe(200);
    await settled(book);
    expect(takenBy(book)).toHaveLength(2);
  });

  test('whoever opted out at WhatsApp gets no draft either', async () => {
    const book = await openAgreedBook(place);
    place.standIn.trouble({ status: 400, code: 131050 });
    await chase(place.house, book);
    await settled(book);
    expect(await book.newest()).toMatchObject({ state: 'skipped' });
    expect(await book.tray()).toEqual([]);
    expect(await book.consents()).toEqual([]);
    expect(await book.inbox()).toHaveLength(1);
  });

  test('an answer that got lost does not double the message if its webhook is faster than the next try', async () => {
    const book = await openAgreedBook(place);
    place.standIn.trouble('done then reset');
    await chase(place.house, book);
    const lost = await place.standIn.waitFor(() => takenBy(book).length === 2);
    await expect.poll(async () => (await book.newest())?.state).toBe('waiting');
    const { webhooks } = place.standIn;
    const [, second = lost] = takenBy(book);
    await webhooks.deliver(
      place.webhook,
      webhooks.statuses([{ message: second, status: 'delivered' }]),
    );
    const messageId = (await book.newest())?.id ?? 0;
    await sendMessage(place.house.context, { tutorId: book.tutorId, messageId });
    expect(takenBy(book)).toHaveLength(2);
    expect(await book.newest()).toMatchObject({ state: 'delivered', text: second.text });
  });
});

test('without an account everything waits in the tray, and nothing can be agreed to', async () => {
  const house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
  try {
    const book = await openWhatsAppBook(house);
    await remindOfLesson(house, book);
    const [draft] = await book.tray();
    expect(draft).toMatchObject({ state: 'draft' });
    expect((await book.agree(draft?.id ?? 0)).status).toBe(409);
    const settings = await book.browser.call(reminders.reminderSettings);
    expect(settings.body.whatsAppByItself).toBe(false);
    const { webhooks } = place.standIn;
    const url = `${house.url}/api/whatsapp/webhooks`;
    const stop = webhooks.letter(book.digits, 'STOP');
    expect((await webhooks.deliver(url, stop)).status).toBe(404);
    expect((await webhooks.verify(url)).status).toBe(404);
    const stopped = house.context.db.global.selectFrom('whatsapp_opt_outs').selectAll();
    expect(await stopped.execute()).toEqual([]);
    expect(await book.log()).toEqual([draft]);
  } finally {
    await house.close();
  }
});
