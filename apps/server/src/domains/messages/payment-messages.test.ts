import { businessSettings } from '@lessonbook/contract/business-settings';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { invoices } from '@lessonbook/contract/invoices';
import { messages, NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { publicBills } from '@lessonbook/contract/public-bill';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment, readFamily } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

let familyCount = 0;
/** A family that owes £35 for a lesson on 10 November. */
async function createFamilyWithDebt() {
  familyCount += 1;
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const email = `payer${familyCount}@families.example`;
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: email,
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  await createCompletedLesson(fixture, student.id, '2026-11-10');
  const familyId = student.familyId as number;
  const emails = () => app.mailbox.emails().filter((mail) => mail.to.includes(email));
  return { browser, student, fixture, familyId, email, emails };
}
type FamilyWithDebt = Awaited<ReturnType<typeof createFamilyWithDebt>>;

const waitForEmails = (setup: FamilyWithDebt, count: number) =>
  app.mailbox.waitFor(() => setup.emails().length >= count);
const waitUntilSent = (setup: FamilyWithDebt) => waitUntilMessagesProcessed(setup.browser);

describe('a payment reminder sent by the tutor', () => {
  test('lists at most 50 charges and the number of others', async () => {
    const setup = await createFamilyWithDebt();
    // There are 52 charges, including the one for the lesson on 10 November.
    for (let count = 1; count <= 51; count += 1)
      await createCompletedLesson(
        setup.fixture,
        setup.student.id,
        addDaysToDate('2026-11-10', -count),
      );
    const { body } = await setup.browser.call(messages.previewReminder, {
      body: { familyId: setup.familyId, channel: 'email' },
    });
    expect(body.subject).toBe('Payment reminder: £1,820.00');
    expect(body.text.match(/Maths lesson/g)).toHaveLength(50);
    expect(body.text).toContain('\nand 2 more\n');
  });

  test('[PROD-12, DASH-08] can be previewed and edited, and contains the payment link', async () => {
    const setup = await createFamilyWithDebt();
    const to = { familyId: setup.familyId, channel: 'email' as const };
    const preview = await setup.browser.call(messages.previewReminder, { body: to });
    const { payToken } = await readFamily(setup.browser, setup.familyId);
    expect(preview.body).toMatchObject({
      subject: 'Payment reminder: £35.00',
      problem: null,
    });
    expect(preview.body.text).toContain(`/pay/${payToken}`);
    expect(preview.body.text).toContain('Maya: Maths lesson, Tue 10 Nov, £35.00');
    const text = `${preview.body.text}\nP.S. See you on Tuesday.`;
    const sent = await setup.browser.call(messages.sendReminder, { body: { ...to, text } });
    expect(sent.status).toBe(201);
    await waitForEmails(setup, 1);
    expect(setup.emails()[0]?.text).toContain('P.S. See you on Tuesday.');
    expect(setup.emails()[0]?.html).toContain(`/pay/${payToken}`);
    await createPayment(setup.browser, setup.familyId, 3500);
    const paid = await setup.browser.call(messages.previewReminder, { body: to });
    expect(paid.status).toBe(409);
  });

  test('is sent once per idempotency key, and is rejected if the family has no address for the channel', async () => {
    const setup = await createFamilyWithDebt();
    const body = { familyId: setup.familyId, channel: 'email' };
    const send = () =>
      setup.browser.send('POST', '/api/reminders', body, { 'idempotency-key': 'remind-once' });
    await Promise.all([send(), send()]);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(1);
    const byWhatsApp = await setup.browser.call(messages.sendReminder, {
      body: { familyId: setup.familyId, channel: 'whatsapp' },
    });
    expect(byWhatsApp.error.message).toBe('Ruth Hale has no phone number yet. Please add one.');
  });
});

test('F81 families are not asked to pay until the tutor has entered how to pay', async () => {
  const setup = await createFamilyWithDebt();
  const business = (await setup.browser.call(businessSettings.businessSettings)).body;
  const save = (change: object) =>
    setup.browser.call(businessSettings.saveBusinessSettings, { body: { ...business, ...change } });
  await save({ paymentInstructions: null });
  const body = { familyId: setup.familyId, channel: 'email' as const };
  const preview = await setup.browser.call(messages.previewReminder, { body });
  expect(preview.body.problem).toBe(NO_PAYMENT_METHOD_MESSAGE);
  const sent = await setup.browser.call(messages.sendReminder, { body });
  expect([sent.status, sent.error.message]).toEqual([409, NO_PAYMENT_METHOD_MESSAGE]);
  const settings = (await setup.browser.call(reminders.reminderSettings)).body;
  const { enabledAt: _enabledAt, defaultTemplates: _templates, ...saved } = settings;
  await setup.browser.call(reminders.saveReminderSettings, {
    body: { ...saved, overdueEnabled: true },
  });
  const planned = await setup.browser.call(reminders.previewFirstReminders);
  // The reminders 3 and 7 days after the due date.
  expect(planned.body.map(({ problem }) => problem)).toEqual([
    NO_PAYMENT_METHOD_MESSAGE,
    NO_PAYMENT_METHOD_MESSAGE,
  ]);
  await setup.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  await sendDueReminders(app.context);
  const list = await setup.browser.call(notifications.listNotifications, { query: {} });
  expect(list.body.notifications.map(({ kind }) => kind)).toEqual(['payment_details_missing']);
  expect(setup.emails()).toEqual([]);
  expect(list.body.open).toHaveLength(1);
  await save({ accountNumber: '12345678', sortCode: '01-02-03' });
  const later = await setup.browser.call(notifications.listNotifications, { query: {} });
  expect(later.body.open).toEqual([]);
  expect((await setup.browser.call(messages.sendReminder, { body })).status).toBe(201);
});

test('F81 an invoice is not sent until the tutor has entered how to pay, unless it is already paid', async () => {
  const setup = await createFamilyWithDebt();
  const business = (await setup.browser.call(businessSettings.businessSettings)).body;
  await setup.browser.call(businessSettings.saveBusinessSettings, {
    body: { ...business, paymentInstructions: null },
  });
  const period = { familyId: setup.familyId, from: '2026-11-01', to: '2026-11-30' };
  const [draft] = (await setup.browser.call(invoices.draftInvoice, { body: period })).body;
  const params = { id: draft?.id ?? 0 };
  await setup.browser.call(invoices.issueInvoices, { body: { ids: [params.id] } });
  const body = { channel: 'email' as const };
  const preview = await setup.browser.call(messages.previewInvoiceMessage, { params, body });
  expect(preview.body.problem).toBe(NO_PAYMENT_METHOD_MESSAGE);
  const refused = await setup.browser.call(messages.sendInvoice, { params, body });
  expect([refused.status, refused.error.message]).toEqual([409, NO_PAYMENT_METHOD_MESSAGE]);
  expect(setup.emails()).toEqual([]);
  await createPayment(setup.browser, setup.familyId, 3500);
  expect((await setup.browser.call(messages.sendInvoice, { params, body })).status).toBe(201);
});

describe('overdue reminders', () => {
  async function enableOverdueReminders(setup: FamilyWithDebt) {
    const { body } = await setup.browser.call(reminders.reminderSettings);
    const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
    await setup.browser.call(reminders.saveReminderSettings, {
      body: { ...settings, overdueEnabled: true },
    });
    await setup.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  }
  const runDaysLater = async (days: number) => {
    app.clock.advance({ days });
    await sendDueReminders(app.context);
  };

  test('F81 the tutor is notified again in the next month if families still cannot pay', async () => {
    const setup = await createFamilyWithDebt();
    const business = (await setup.browser.call(businessSettings.businessSettings)).body;
    await setup.browser.call(businessSettings.saveBusinessSettings, {
      body: { ...business, paymentInstructions: null },
    });
    await enableOverdueReminders(setup);
    const listMissingDetails = async () => {
      const { body } = await setup.browser.call(notifications.listNotifications, { query: {} });
      return body.open.filter(({ kind }) => kind === 'payment_details_missing');
    };
    await runDaysLater(1);
    const [first] = await listMissingDetails();
    const body = { ids: [first?.id ?? 0] };
    await setup.browser.call(notifications.markNotificationsDone, { body });
    await runDaysLater(1);
    expect(await listMissingDetails()).toEqual([]);
    await runDaysLater(14);
    expect(await listMissingDetails()).toHaveLength(1);
  });

  test('are sent 3, 7 and 14 days after the due date, once each, and stop once the family has paid', async () => {
    const setup = await createFamilyWithDebt();
    await enableOverdueReminders(setup);
    // It is 16 November, so the charge is six days overdue.
    await sendDueReminders(app.context);
    await sendDueReminders(app.context);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(1);
    await runDaysLater(1);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(2);
    await runDaysLater(3);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(2);
    await runDaysLater(4);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(3);
    await createPayment(setup.browser, setup.familyId, 3500);
    await runDaysLater(10);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(3);
  });

  test('pause for five days when the family reports a transfer, and the tutor is notified', async () => {
    const setup = await createFamilyWithDebt();
    await enableOverdueReminders(setup);
    const { payToken } = await readFamily(setup.browser, setup.familyId);
    await app.browser().call(publicBills.claimTransfer, { params: { token: payToken } });
    await sendDueReminders(app.context);
    await waitUntilSent(setup);
    expect(setup.emails()).toEqual([]);
    const list = await setup.browser.call(notifications.listNotifications, { query: {} });
    expect(list.body).toMatchObject({
      unread: 1,
      notifications: [
        {
          kind: 'transfer_claimed',
          text: "Ruth Hale says they've paid £35.00 by bank transfer.",
          path: `/families/${setup.familyId}`,
          requiresAction: true,
        },
      ],
    });
    await runDaysLater(6);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(1);
  });

  test('are timed from the due date of the invoice', async () => {
    const setup = await createFamilyWithDebt();
    await enableOverdueReminders(setup);
    const body = { familyId: setup.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await setup.browser.call(invoices.draftInvoice, { body })).body;
    await setup.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    await runDaysLater(9);
    await waitUntilSent(setup);
    expect(setup.emails()).toEqual([]);
    await runDaysLater(1);
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(1);
  });
});

describe('documents', () => {
  test('[PROD-09] an invoice is emailed with its public link and a PDF', async () => {
    const setup = await createFamilyWithDebt();
    const body = { familyId: setup.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await setup.browser.call(invoices.draftInvoice, { body })).body;
    const params = { id: draft?.id ?? 0 };
    const early = await setup.browser.call(messages.sendInvoice, {
      params,
      body: { channel: 'email' },
    });
    expect(early.status).toBe(409);
    await setup.browser.call(invoices.issueInvoices, { body: { ids: [params.id] } });
    await setup.browser.call(messages.sendInvoice, { params, body: { channel: 'email' } });
    await waitForEmails(setup, 1);
    const [mail] = setup.emails();
    expect(mail?.subject).toBe('Invoice 0001: £35.00, due Mon 23 Nov');
    expect(mail?.text).toContain('/pay/i_');
    expect(mail?.attachments[0]).toMatchObject({ filename: 'Invoice-0001.pdf' });
    expect(mail?.attachments[0]?.content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(mail?.headers['list-unsubscribe']).toBeUndefined();
  });

  test('F87 an invoice sent again states its total and what is left to pay, signed with the trading name', async () => {
    const setup = await createFamilyWithDebt();
    const business = (await setup.browser.call(businessSettings.businessSettings)).body;
    await setup.browser.call(businessSettings.saveBusinessSettings, {
      body: { ...business, tradingName: 'Fenwick Tuition' },
    });
    const body = { familyId: setup.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await setup.browser.call(invoices.draftInvoice, { body })).body;
    const id = draft?.id ?? 0;
    await setup.browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const preview = async () =>
      (
        await setup.browser.call(messages.previewInvoiceMessage, {
          params: { id },
          body: { channel: 'email' },
        })
      ).body;
    await createPayment(setup.browser, setup.familyId, 1500);
    expect(await preview()).toMatchObject({
      subject: 'Invoice 0001: £20.00, due Mon 23 Nov',
      text: expect.stringContaining('£35.00, of which £20.00 is left to pay'),
    });
    await createPayment(setup.browser, setup.familyId, 2000);
    const paid = await preview();
    expect(paid.subject).toBe('Invoice 0001: £35.00');
    expect(paid.text).toContain('There is nothing left to pay.');
    expect(paid.text).not.toContain('£0.00');
    expect(paid.text).toContain('Ada Fenwick, Fenwick Tuition');
  });

  test('F87 a credit note for part of an invoice does not say that nothing is left to pay', async () => {
    const setup = await createFamilyWithDebt();
    await createCompletedLesson(setup.fixture, setup.student.id, '2026-11-11');
    const body = { familyId: setup.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await setup.browser.call(invoices.draftInvoice, { body })).body;
    const params = { id: draft?.id ?? 0 };
    await setup.browser.call(invoices.issueInvoices, { body: { ids: [params.id] } });
    const { body: invoice } = await setup.browser.call(invoices.invoice, { params });
    const lines = [{ chargeId: invoice.lines[0]?.chargeId ?? 0, amount: 3500 }];
    const credited = await setup.browser.call(invoices.creditInvoice, { params, body: { lines } });
    const note = await setup.browser.call(messages.previewInvoiceMessage, {
      params: { id: credited.body.id },
      body: { channel: 'email' },
    });
    expect(note.body.subject).toBe('Credit note CN-0001: £35.00');
    expect(note.body.text).toContain(
      'Here is credit note CN-0001 for £35.00. It corrects invoice 0001.',
    );
    expect(note.body.text).not.toContain('to pay');
  });

  test('F72 a receipt lists the charges it covers and any remaining credit', async () => {
    const setup = await createFamilyWithDebt();
    const payment = await createPayment(setup.browser, setup.familyId, 5000);
    await setup.browser.call(messages.sendReceipt, {
      params: { id: payment.id },
      body: { channel: 'email' },
    });
    await waitForEmails(setup, 1);
    expect(setup.emails()[0]?.text).toContain('Maya: Maths lesson, Tue 10 Nov, £35.00');
    expect(setup.emails()[0]?.text).toContain('Your account is £15.00 in credit.');
  });

  test('a receipt names the method only if it says how the family paid', async () => {
    const { browser, familyId } = await createFamilyWithDebt();
    const receiptText = async (method: 'cash' | 'other') => {
      const { id } = await createPayment(browser, familyId, 1000, { method });
      const body = { channel: 'email' } as const;
      return (await browser.call(messages.previewReceipt, { params: { id }, body })).body.text;
    };
    expect(await receiptText('cash')).toContain('your payment of £10.00 (cash, Mon 16 Nov) for:');
    expect(await receiptText('other')).toContain('your payment of £10.00 (Mon 16 Nov) for:');
  });

  test('F88 a receipt to a student who pays for themselves does not name them', async () => {
    const { browser, fixture } = await createFamilyWithDebt();
    const email = 'tom.brennan@students.example';
    const tom = await createStudent(browser, { name: 'Tom Brennan', email });
    await createCompletedLesson(fixture, tom.id, '2026-11-11');
    const payment = await createPayment(browser, tom.familyId as number, 3500);
    const receipt = await browser.call(messages.previewReceipt, {
      params: { id: payment.id },
      body: { channel: 'email' },
    });
    expect(receipt.body.toName).toBe('Tom Brennan');
    expect(receipt.body.text).toMatch(/^Hi Tom,\n/);
    expect(receipt.body.text).toContain('for:\n\nMaths lesson, Wed 11 Nov, £35.00\n');
  });

  test('F88 an invoice to a student who pays for themselves does not name them in its lines', async () => {
    const { browser, fixture } = await createFamilyWithDebt();
    const email = 'invoiced.tom@students.example';
    const tom = await createStudent(browser, { name: 'Tom Brennan', email });
    await createCompletedLesson(fixture, tom.id, '2026-11-11');
    await addLesson({ ...fixture, studentId: tom.id }, { date: '2026-11-20' });
    const period = { familyId: tom.familyId as number, from: '2026-11-01', to: '2026-11-30' };
    const body = { ...period, includeUpcoming: true };
    const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
    const params = { id: draft?.id ?? 0 };
    const { lines } = (await browser.call(invoices.invoice, { params })).body;
    expect(lines).toMatchObject([
      { studentName: null, description: 'Maths lesson', date: '2026-11-11' },
      { studentName: null, description: 'Maths lesson', date: '2026-11-20' },
    ]);
  });
});

describe('delivery failures', () => {
  test('[ROUTE-25] a permanent rejection notifies the tutor, and the message can be retried', async () => {
    const setup = await createFamilyWithDebt();
    app.mailbox.rejectNext(550);
    const body = { familyId: setup.familyId, channel: 'email' as const };
    await setup.browser.call(messages.sendReminder, { body });
    const [failed] = await waitUntilSent(setup);
    expect(failed).toMatchObject({
      state: 'failed',
      problem: "Emails to this address can't be delivered. Please check it, then try again.",
    });
    const list = await setup.browser.call(notifications.listNotifications, { query: {} });
    expect(list.body.notifications).toMatchObject([
      { kind: 'message_failed', path: `/messages?message=${failed?.id}` },
    ]);
    const read = await setup.browser.call(notifications.markNotificationsRead, { body: {} });
    expect(read.body).toEqual({ unread: 0 });
    await setup.browser.call(messages.retryMessage, { params: { id: failed?.id ?? 0 } });
    await waitForEmails(setup, 1);
  });

  test('a temporary rejection is retried', async () => {
    const setup = await createFamilyWithDebt();
    app.mailbox.rejectNext(451);
    await setup.browser.call(messages.sendReminder, {
      body: { familyId: setup.familyId, channel: 'email' },
    });
    await waitForEmails(setup, 1);
    expect(await waitUntilSent(setup)).toMatchObject([{ state: 'sent', problem: null }]);
  });
});

test('[V1.1.2, V1.2.1, V1.3.5, V1.3.11] markup and headers in names and message text are escaped', async () => {
  const setup = await createFamilyWithDebt();
  await setup.browser.call(students.updateStudent, {
    params: { id: setup.student.id },
    body: { name: 'Maya', carerName: '<img src=x onerror=1> {tutor}', carerEmail: setup.email },
  });
  const to = { familyId: setup.familyId, channel: 'email' as const };
  await setup.browser.call(messages.sendReminder, { body: { ...to, subject: 'a\r\nBcc: x@y.z' } });
  await waitForEmails(setup, 1);
  const [mail] = setup.emails();
  expect(mail?.html).toContain('&lt;img');
  expect(mail?.html).not.toContain('<img');
  expect(mail?.headers['bcc']).toBeUndefined();
  expect(mail?.envelope.to).toEqual([setup.email]);
});
