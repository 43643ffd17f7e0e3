import { bulkMessages } from '@lessonbook/contract/bulk-messages';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { sessionMessages } from '@lessonbook/contract/list-messages-about-session';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { publicBills } from '@lessonbook/contract/public-bill';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { notArrived } from '@lessonbook/contract/student-not-arrived-messages';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../../test/create-tutor.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import {
  callByName,
  type EndpointCall,
  readAllRowsOfTutor,
  startIdsAfter,
} from '../../test/tenant-isolation-test-support.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(app.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await app.close();
});

const CANARY = /canary/i;
/** Excluded because the stream carries no data; it is tested in notifications.test.ts. */
const { notificationStream: _stream, ...notificationEndpoints } = notifications;
const endpoints: Record<string, Endpoint> = {
  ...messages,
  ...bulkMessages,
  ...sessionMessages,
  ...notArrived,
  // The other emailPreferences endpoints are public.
  familyReminders: emailPreferences.familyReminders,
  ...reminders,
  ...notificationEndpoints,
};
const KINDS =
  'student carer subject lesson session family charge payment invoice message notification';

interface TutorFixture extends LessonFixture {
  tutorId: string;
  familyId: number;
  sessionId: number;
  /** The id of a session in progress. */
  currentId: number;
  invoiceId: number;
  paymentId: number;
  draftId: number;
  failedId: number;
}

/** Creates a tutor with a draft, a failed email, an invoice, a payment and a notification. Ids start after `from`. */
async function createTutorFixture(label: string, from = 0): Promise<TutorFixture> {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app, { name: `${label} tutor` });
  const tutorId = await findTutorId(app, input);
  await startIdsAfter(maintenance, tutorId, KINDS.split(' '), from);
  const student = await createStudent(browser, {
    name: `${label} student`,
    carerName: `${label} carer`,
    carerEmail: `${label}@families.example`,
    carerPhone: '+447700900123',
  });
  const subject = await createSubject(browser, { name: `${label} subject`, defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await createCompletedLesson(fixture, student.id, '2026-11-03');
  const { sessionId } = await addLesson(fixture, { title: `${label} lesson` });
  const now = { date: '2026-11-16', startTime: '11:00', endTime: '15:00' };
  const { sessionId: currentId } = await addLesson(fixture, { title: `${label} now`, ...now });
  await browser.call(sessions.cancelSession, {
    params: { id: sessionId },
    body: { cancelledBy: 'tutor' },
  });
  const period = { familyId, from: '2026-11-01', to: '2026-11-10' };
  const [invoice] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  await browser.call(invoices.issueInvoices, { body: { ids: [invoice?.id ?? 0] } });
  const { id: paymentId } = await createPayment(browser, familyId, 100);
  const remind = async (channel: 'email' | 'whatsapp') =>
    (await browser.call(messages.sendReminder, { body: { familyId, channel } })).body.messages[0]
      ?.id ?? 0;
  const draftId = await remind('whatsapp');
  const failedId = await remind('email');
  // Waits for the worker, which would otherwise overwrite the state set below.
  const isSent = async () =>
    (await browser.call(messages.listMessages, { query: {} })).body.find(
      (message) => message.id === failedId,
    )?.state === 'sent';
  await waitUntil(isSent, () => 'the reminder is not sent');
  await maintenance.query(`update messages set state = 'failed' where tutor_id = $1 and id = $2`, [
    tutorId,
    failedId,
  ]);
  const { payToken } = (
    await browser.call(families.family, { params: { id: familyId }, query: {} })
  ).body;
  await app.browser().call(publicBills.claimTransfer, { params: { token: payToken } });
  const invoiceId = invoice?.id ?? 0;
  const sessionIds = { sessionId, currentId };
  return { ...fixture, ...sessionIds, tutorId, familyId, invoiceId, paymentId, draftId, failedId };
}

const send = callByName(endpoints);
const readRows = (tutorId: string) => readAllRowsOfTutor(maintenance, tutorId);

const reads: EndpointCall[] = [
  ['listMessages', { query: {} }],
  ['outbox', {}],
  ['pendingNotices', { query: {} }],
  ['overdueReminders', {}],
  ['familiesWithLesson', { query: { date: '2026-11-17' } }],
  ['reminderSettings', {}],
  ['previewFirstReminders', {}],
  ['listNotifications', { query: {} }],
  ['unreadCount', {}],
  ['previewTemplate', { body: { kind: 'invoice' } }],
];

function callsWithIds(target: TutorFixture): EndpointCall[] {
  const notice = { sessionIds: [target.sessionId], channel: 'email' };
  const remind = { familyId: target.familyId, channel: 'email' };
  const invoice = { params: { id: target.invoiceId }, body: { channel: 'email' } };
  const student = { params: { id: target.studentId } };
  const studentReminders = {
    isCustom: true,
    leadMinutes: 60,
    channels: ['email'],
    recipient: 'carer',
  };
  const custom = { familyIds: [target.familyId], channel: 'email' };
  const missing = { studentId: target.studentId, channel: 'email', replacesMessageId: null };
  return [
    ['message', { params: { id: target.draftId } }],
    ['previewCustomMessage', { body: custom }],
    ['sendCustomMessage', { body: { ...custom, subject: 'Hello', text: 'Hi {name}, {children}' } }],
    ['previewReminder', { body: remind }],
    ['familyReminders', { params: { id: target.familyId } }],
    ['pendingNotices', { query: { sessionId: target.sessionId } }],
    ['sessionMessages', { params: { id: target.sessionId } }],
    ['previewChangeNotice', { body: notice }],
    ['previewNotArrived', { params: { id: target.currentId } }],
    ['sendNotArrived', { params: { id: target.currentId }, body: { messages: [missing] } }],
    ['previewInvoiceMessage', invoice],
    ['previewReceipt', { params: { id: target.paymentId }, body: { channel: 'email' } }],
    ['studentReminders', student],
    ['markMessageOpened', { params: { id: target.draftId } }],
    ['setMessageOutcome', { params: { id: target.draftId }, body: { outcome: 'sent' } }],
    ['sendDraft', { params: { id: target.draftId }, body: { subject: 'New', text: 'Hello' } }],
    ['retryMessage', { params: { id: target.failedId } }],
    ['sendReminder', { body: remind }],
    ['sendChangeNotice', { body: notice }],
    ['sendInvoice', invoice],
    ['sendReceipt', { params: { id: target.paymentId }, body: { channel: 'email' } }],
    ['saveStudentReminders', { ...student, body: studentReminders }],
  ];
}

const settings = {
  leadMinutes: 60,
  channels: ['email'],
  recipient: 'carer',
  overdueEnabled: false,
  overdueDays: [3],
  templates: Object.fromEntries(
    ['lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt'].map((kind) => [
      kind,
      {},
    ]),
  ),
};
const otherWrites: EndpointCall[] = [
  ['saveReminderSettings', { body: settings }],
  ['startReminders', { body: { excludedKeys: [] } }],
  ['stopReminders', {}],
  ['markNotificationsRead', { body: {} }],
  ['markNotificationsDone', { body: { ids: [1] } }],
];

test('every message, reminder and notification endpoint is covered', () => {
  const target = { studentId: 1 } as unknown as TutorFixture;
  const used = [...reads, ...callsWithIds(target), ...otherWrites].map(([name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe("another tutor's messages", () => {
  test('[AUTH-45, V8.2.2, T06] ids that exist only for the other tutor return 404 and change nothing', async () => {
    const theirs = await createTutorFixture('canary', 1_000_000);
    const mine = await createTutorFixture('plain');
    const [before, mineBefore] = [await readRows(theirs.tutorId), await readRows(mine.tutorId)];
    expect(JSON.stringify(before)).toMatch(CANARY);
    for (const call of callsWithIds(theirs)) {
      const response = await send(mine.browser, call);
      expect([call[0], response.status]).toEqual([call[0], 404]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    for (const call of reads) {
      const response = await send(mine.browser, call);
      expect([call[0], response.status]).toEqual([call[0], 200]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    const omitTutorRow = ({ tutors: _revision, ...tables }: Record<string, unknown[]>) => tables;
    expect(omitTutorRow(await readRows(mine.tutorId))).toEqual(omitTutorRow(mineBefore));
    expect(await readRows(theirs.tutorId)).toEqual(before);
  });

  test('[AUTH-45] with identical ids, a tutor reads and changes only their own data', async () => {
    const theirs = await createTutorFixture('canary');
    const mine = await createTutorFixture('plain');
    const before = await readRows(theirs.tutorId);
    for (const call of [...reads, ...callsWithIds(theirs), ...otherWrites, ...reads]) {
      const response = await send(mine.browser, call);
      // The draft is a WhatsApp message, which cannot be emailed.
      const isAccepted = call[0] === 'sendDraft' ? response.status === 409 : response.status < 300;
      expect([call[0], isAccepted]).toEqual([call[0], true]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    expect(JSON.stringify(await readRows(mine.tutorId))).not.toMatch(CANARY);
    expect(await readRows(theirs.tutorId)).toEqual(before);
  });
});
