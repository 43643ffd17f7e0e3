import { bills } from '@lessonbook/contract/bills';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminders';
import { waitUntil } from '@lessonbook/stage/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/book.ts';
import { type House, openHouse } from '../../test/house.ts';
import { paid, teach } from '../../test/money.ts';
import { addLesson, type Desk } from '../../test/teaching.ts';
import { type Attempt, attemptBy, countFrom, everythingOf } from '../../test/tenants.ts';
import { confirmed } from '../../test/tutor.ts';
import { tutorIdOf } from '../../test/tutor-id.ts';

let house: House;
let maintenance: pg.Client;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(house.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await house.close();
});

const CANARY = /canary/i;
const { unsubscribe: _public, ...own } = messages;
/** A stream says that there is news, and nothing else; see inbox.test.ts. */
const { newsStream: _stream, ...inbox } = notifications;
const endpoints: Record<string, Endpoint> = { ...own, ...reminders, ...inbox };
const KINDS =
  'student carer subject lesson session family charge payment invoice message notification';

interface Book extends Desk {
  tutorId: string;
  familyId: number;
  sessionId: number;
  invoiceId: number;
  paymentId: number;
  draftId: number;
  failedId: number;
}

/** A tutor with a draft in the tray, a mail that failed, an invoice, a payment and a notice; ids are counted from `from` on. */
async function openTutor(word: string, from = 0): Promise<Book> {
  const { browser, input } = await confirmed(house, { name: `${word} tutor` });
  const tutorId = await tutorIdOf(house, input);
  await countFrom(maintenance, tutorId, KINDS.split(' '), from);
  const student = await newStudent(browser, {
    name: `${word} student`,
    carerName: `${word} carer`,
    carerEmail: `${word}@families.example`,
    carerPhone: '+447700900123',
  });
  const subject = await newSubject(browser, { name: `${word} subject`, defaultFee: 35 });
  const desk: Desk = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await teach(desk, student.id, '2026-11-03');
  const { sessionId } = await addLesson(desk, { title: `${word} lesson` });
  const period = { familyId, from: '2026-11-01', to: '2026-11-10' };
  const [invoice] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  await browser.call(invoices.issueInvoices, { body: { ids: [invoice?.id ?? 0] } });
  const { id: paymentId } = await paid(browser, familyId, 100);
  const remind = async (channel: 'email' | 'whatsapp') =>
    (await browser.call(messages.sendReminder, { body: { familyId, channel } })).body.messages[0]
      ?.id ?? 0;
  const draftId = await remind('whatsapp');
  const failedId = await remind('email');
  // The worker must be done with it, or it would say afterwards that it was sent.
  const sent = async () =>
    (await browser.call(messages.listMessages, { query: {} })).body.find(
      (message) => message.id === failedId,
    )?.state === 'sent';
  await waitUntil(sent, () => 'the reminder is not sent');
  await maintenance.query(`update messages set state = 'failed' where tutor_id = $1 and id = $2`, [
    tutorId,
    failedId,
  ]);
  const { payToken } = (
    await browser.call(families.family, { params: { id: familyId }, query: {} })
  ).body;
  await house.browser().call(bills.claimTransfer, { params: { token: payToken } });
  const invoiceId = invoice?.id ?? 0;
  return { ...desk, tutorId, familyId, sessionId, invoiceId, paymentId, draftId, failedId };
}

const send = attemptBy(endpoints);
const everything = (tutorId: string) => everythingOf(maintenance, tutorId);

const looks: Attempt[] = [
  ['listMessages', { query: {} }],
  ['tray', {}],
  ['reminderSettings', {}],
  ['firstBatch', {}],
  ['listNotifications', { query: {} }],
  ['unreadCount', {}],
  ['previewTemplate', { body: { kind: 'invoice' } }],
];

function naming(named: Book): Attempt[] {
  const tell = { kind: 'cancelled', sessionIds: [named.sessionId], channel: 'email' };
  const remind = { familyId: named.familyId, channel: 'email' };
  const invoice = { params: { id: named.invoiceId }, body: { channel: 'email' } };
  const student = { params: { id: named.studentId } };
  const choice = { own: true, lead: 60, channels: ['email'], recipient: 'carer' };
  return [
    ['previewReminder', { body: remind }],
    ['previewTell', { body: tell }],
    ['previewInvoiceMessage', invoice],
    ['previewReceipt', { params: { id: named.paymentId }, body: { channel: 'email' } }],
    ['studentReminders', student],
    ['openMessage', { params: { id: named.draftId } }],
    ['settleMessage', { params: { id: named.draftId }, body: { outcome: 'sent' } }],
    ['retryMessage', { params: { id: named.failedId } }],
    ['sendReminder', { body: remind }],
    ['tell', { body: tell }],
    ['sendInvoice', invoice],
    ['sendReceipt', { params: { id: named.paymentId }, body: { channel: 'email' } }],
    ['saveStudentReminders', { ...student, body: choice }],
  ];
}

const settings = {
  lead: 60,
  channels: ['email'],
  recipient: 'carer',
  chase: false,
  chaseDays: [3],
  templates: Object.fromEntries(
    ['lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt'].map((kind) => [
      kind,
      {},
    ]),
  ),
};
const rest: Attempt[] = [
  ['saveReminderSettings', { body: settings }],
  ['startReminders', {}],
  ['stopReminders', {}],
  ['readNotifications', { body: {} }],
];

test('the lists below leave out no endpoint of messages, reminders and notifications', () => {
  const book = { studentId: 1 } as unknown as Book;
  const used = [...looks, ...naming(book), ...rest].map(([name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe("another tutor's messages", () => {
  test('[AUTH-45, V8.2.2, T06] under ids that only the other tutor has, nothing is found and nothing changes', async () => {
    const theirs = await openTutor('canary', 1_000_000);
    const mine = await openTutor('plain');
    const [before, mineBefore] = [await everything(theirs.tutorId), await everything(mine.tutorId)];
    expect(JSON.stringify(before)).toMatch(CANARY);
    for (const attempt of naming(theirs)) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status]).toEqual([attempt[0], 404]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    for (const attempt of looks) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status]).toEqual([attempt[0], 200]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    const unchanged = ({ tutors: _revision, ...tables }: Record<string, unknown[]>) => tables;
    expect(unchanged(await everything(mine.tutorId))).toEqual(unchanged(mineBefore));
    expect(await everything(theirs.tutorId)).toEqual(before);
  });

  test('[AUTH-45] with equal ids I read and change my own and never theirs', async () => {
    const theirs = await openTutor('canary');
    const mine = await openTutor('plain');
    const before = await everything(theirs.tutorId);
    for (const attempt of [...looks, ...naming(theirs), ...rest, ...looks]) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status < 300]).toEqual([attempt[0], true]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    expect(JSON.stringify(await everything(mine.tutorId))).not.toMatch(CANARY);
    expect(await everything(theirs.tutorId)).toEqual(before);
  });
});
