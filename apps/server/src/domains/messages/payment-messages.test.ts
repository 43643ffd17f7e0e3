import { bills } from '@lessonbook/contract/bills';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminders';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/book.ts';
import { type House, openHouse } from '../../test/house.ts';
import { account, paid, teach } from '../../test/money.ts';
import { settledMessages } from '../../test/settled-messages.ts';
import type { Desk } from '../../test/teaching.ts';
import { confirmed } from '../../test/tutor.ts';
import { remindEveryone } from './service/reminders.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => house.close());
afterEach(() => house.restartClock());

let books = 0;
/** A family that owes £35 for a lesson of 10 November. */
async function owing() {
  books += 1;
  const { browser } = await confirmed(house);
  const email = `payer${books}@families.example`;
  const student = await newStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: email,
  });
  const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
  const desk: Desk = { browser, studentId: student.id, subjectId: subject.id };
  await teach(desk, student.id, '2026-11-10');
  const familyId = student.familyId as number;
  const mails = () => house.mailbox.mails().filter((mail) => mail.to.includes(email));
  return { browser, student, desk, familyId, email, mails };
}
type Book = Awaited<ReturnType<typeof owing>>;

const arrived = (book: Book, many: number) =>
  house.mailbox.waitFor(() => book.mails().length >= many);
const settled = (book: Book) => settledMessages(book.browser);

describe('a payment reminder by hand', () => {
  test('[PROD-12, DASH-08] is read and edited before it goes, and carries the link to pay', async () => {
    const book = await owing();
    const to = { familyId: book.familyId, channel: 'email' as const };
    const preview = await book.browser.call(messages.previewReminder, { body: to });
    const { payToken } = await account(book.browser, book.familyId);
    expect(preview.body).toMatchObject({ subject: 'Lessons to pay: £35.00', problem: null });
    expect(preview.body.text).toContain(`/pay/${payToken}`);
    expect(preview.body.text).toContain('Maya: Maths lesson, Tue 10 Nov, £35.00');
    const text = `${preview.body.text}\nP.S. See you on Tuesday.`;
    const sent = await book.browser.call(messages.sendReminder, { body: { ...to, text } });
    expect(sent.status).toBe(201);
    await arrived(book, 1);
    expect(book.mails()[0]?.text).toContain('P.S. See you on Tuesday.');
    expect(book.mails()[0]?.html).toContain(`/pay/${payToken}`);
    await paid(book.browser, book.familyId, 3500);
    const nothing = await book.browser.call(messages.previewReminder, { body: to });
    expect(nothing.status).toBe(409);
  });

  test('a repeat with the same key is one mail; without an address it says what to do', async () => {
    const book = await owing();
    const body = { familyId: book.familyId, channel: 'email' };
    const send = () =>
      book.browser.send('POST', '/api/reminders', body, { 'idempotency-key': 'remind-once' });
    await Promise.all([send(), send()]);
    await settled(book);
    expect(book.mails()).toHaveLength(1);
    const whats = await book.browser.call(messages.sendReminder, {
      body: { familyId: book.familyId, channel: 'whatsapp' },
    });
    expect(whats.error.message).toBe('Ruth Hale has no phone number yet. Please add one.');
  });
});

describe('chasing', () => {
  async function chasing(book: Book) {
    const { body } = await book.browser.call(reminders.reminderSettings);
    const { startedAt: _s, proposals: _p, ...own } = body;
    await book.browser.call(reminders.saveReminderSettings, { body: { ...own, chase: true } });
    await book.browser.call(reminders.startReminders);
  }
  const dayLater = async (days: number) => {
    house.clock.forward({ days });
    await remindEveryone(house.context);
  };

  test('asks 3, 7 and 14 days after the due date, once each, by day, and stops when it is paid', async () => {
    const book = await owing();
    await chasing(book);
    // 16 November: six days late.
    await remindEveryone(house.context);
    await remindEveryone(house.context);
    await settled(book);
    expect(book.mails()).toHaveLength(1);
    await dayLater(1);
    await settled(book);
    expect(book.mails()).toHaveLength(2);
    await dayLater(3);
    await settled(book);
    expect(book.mails()).toHaveLength(2);
    await dayLater(4);
    await settled(book);
    expect(book.mails()).toHaveLength(3);
    await paid(book.browser, book.familyId, 3500);
    await dayLater(10);
    await settled(book);
    expect(book.mails()).toHaveLength(3);
  });

  test("pauses for five days when the family says that it has paid, and the tutor's inbox says so", async () => {
    const book = await owing();
    await chasing(book);
    const { payToken } = await account(book.browser, book.familyId);
    await house.browser().call(bills.claimTransfer, { params: { token: payToken } });
    await remindEveryone(house.context);
    await settled(book);
    expect(book.mails()).toEqual([]);
    const inbox = await book.browser.call(notifications.listNotifications, { query: {} });
    expect(inbox.body).toMatchObject({
      unread: 1,
      notifications: [
        {
          kind: 'transfer_claimed',
          text: 'Ruth Hale says that £35.00 was sent by bank transfer.',
          path: `/families/${book.familyId}`,
          needsYou: true,
        },
      ],
    });
    await dayLater(6);
    await settled(book);
    expect(book.mails()).toHaveLength(1);
  });

  test('an invoice counts from its own due date', async () => {
    const book = await owing();
    await chasing(book);
    const body = { familyId: book.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await book.browser.call(invoices.draftInvoice, { body })).body;
    await book.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    await dayLater(9);
    await settled(book);
    expect(book.mails()).toEqual([]);
    await dayLater(1);
    await settled(book);
    expect(book.mails()).toHaveLength(1);
  });
});

describe('documents', () => {
  test('[PROD-09] an invoice goes by mail with its public link and the paper', async () => {
    const book = await owing();
    const body = { familyId: book.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await book.browser.call(invoices.draftInvoice, { body })).body;
    const params = { id: draft?.id ?? 0 };
    const early = await book.browser.call(messages.sendInvoice, {
      params,
      body: { channel: 'email' },
    });
    expect(early.status).toBe(409);
    await book.browser.call(invoices.issueInvoices, { body: { ids: [params.id] } });
    await book.browser.call(messages.sendInvoice, { params, body: { channel: 'email' } });
    await arrived(book, 1);
    const [mail] = book.mails();
    expect(mail?.subject).toBe('Invoice 0001: £35.00');
    expect(mail?.text).toContain('/pay/i_');
    expect(mail?.attachments[0]).toMatchObject({ filename: 'Invoice-0001.pdf' });
    expect(mail?.attachments[0]?.content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(mail?.headers['list-unsubscribe']).toBeUndefined();
  });

  test('a receipt says what was covered and what remains', async () => {
    const book = await owing();
    const payment = await paid(book.browser, book.familyId, 5000);
    await book.browser.call(messages.sendReceipt, {
      params: { id: payment.id },
      body: { channel: 'email' },
    });
    await arrived(book, 1);
    expect(book.mails()[0]?.text).toContain('Maya: Maths lesson, Tue 10 Nov, £35.00');
    expect(book.mails()[0]?.text).toContain('£15.00 is left as credit for the next lessons.');
  });
});

describe('what cannot be delivered', () => {
  test('[ROUTE-25] an address that is refused for good is told to the tutor, and can be tried again once mended', async () => {
    const book = await owing();
    house.mailbox.refuseNext(550);
    const body = { familyId: book.familyId, channel: 'email' as const };
    await book.browser.call(messages.sendReminder, { body });
    const [failed] = await settled(book);
    expect(failed).toMatchObject({
      state: 'failed',
      problem: 'The address does not take mail. Please check it, then try again.',
    });
    const inbox = await book.browser.call(notifications.listNotifications, { query: {} });
    expect(inbox.body.notifications).toMatchObject([
      { kind: 'message_failed', path: '/messages?show=sent' },
    ]);
    const read = await book.browser.call(notifications.readNotifications, { body: {} });
    expect(read.body).toEqual({ unread: 0 });
    await book.browser.call(messages.retryMessage, { params: { id: failed?.id ?? 0 } });
    await arrived(book, 1);
  });

  test('a refusal for now is tried again by itself, under the same Message-ID', async () => {
    const book = await owing();
    house.mailbox.refuseNext(451);
    await book.browser.call(messages.sendReminder, {
      body: { familyId: book.familyId, channel: 'email' },
    });
    await arrived(book, 1);
    expect(await settled(book)).toMatchObject([{ state: 'sent', problem: null }]);
  });
});

test('[V1.1.2, V1.2.1, V1.3.5, V1.3.11] names and texts that look like code stay text', async () => {
  const book = await owing();
  await book.browser.call(students.updateStudent, {
    params: { id: book.student.id },
    body: { name: 'Maya', carerName: '<img src=x onerror=1> {tutor}', carerEmail: book.email },
  });
  const to = { familyId: book.familyId, channel: 'email' as const };
  await book.browser.call(messages.sendReminder, { body: { ...to, subject: 'a\r\nBcc: x@y.z' } });
  await arrived(book, 1);
  const [mail] = book.mails();
  expect(mail?.html).toContain('&lt;img');
  expect(mail?.html).not.toContain('<img');
  expect(mail?.headers['bcc']).toBeUndefined();
  expect(mail?.envelope.to).toEqual([book.email]);
});
