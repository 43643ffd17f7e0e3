import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderEmail } from '../../platform/mail/email-template.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import {
  buildSecurityEmail,
  SECURITY_EMAIL_TEXTS,
} from '../accounts/service/email/security-email-texts.ts';
import {
  ACCOUNT_EMAILS,
  googleLinkedEmail,
} from '../accounts/service/email/send-account-emails.ts';
import {
  bankDebitFailed,
  type CardReversalChange,
  cardPaymentReceived,
  cardReversalChanged,
} from '../cards/events.ts';
import { sendAccountDeletedEmail } from '../privacy/service/account-deletion-emails.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

/** Set by `npm run email-sheet`, which takes screenshots of the emails. */
const OUTPUT_FOLDER = process.env['EMAIL_HTML_FOLDER'];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

/** Sends every kind of email to families: to a carer with two children, to a student who pays, and to a carer abroad. */
async function sendAll() {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app, { name: 'Ada Marsh' });
  const tutorId = await findTutorId(app, input);
  await app.admin.query('update business_settings set trading_name = $1 where tutor_id = $2', [
    'Marsh Tuition',
    tutorId,
  ]);
  const maths = await createSubject(browser, { name: 'Maths GCSE', defaultFee: 38 });
  const addStudent = async (name: string, contact: object) => {
    const student = await createStudent(browser, { name, ...contact });
    const fixture = { browser, studentId: student.id, subjectId: maths.id };
    await createCompletedLesson(fixture, student.id, '2026-11-10');
    return { fixture, familyId: student.familyId as number, carerId: student.carerId };
  };
  const ruth = { carerName: 'Ruth Okafor', carerEmail: 'ruth@families.example' };
  const maya = await addStudent('Maya Okafor', ruth);
  const leo = await addStudent('Leo Okafor', { carerId: maya.carerId });
  const tom = await addStudent('Tom Brennan', { email: 'tom@families.example' });
  const abroad = await addStudent('Noor Aziz', {
    carerName: 'Sami Aziz',
    carerEmail: 'sami@families.example',
  });
  await browser.call(families.updateFamily, {
    params: { id: abroad.familyId },
    body: { reference: 'AZIZ', timeZone: 'Asia/Dubai' },
  });
  const place = '14 Elm Road';
  const slot = (startTime: string, endTime: string) => ({ startTime, endTime, place, fee: 38 });
  const lessons = [
    await addLesson(maya.fixture, slot('16:30', '17:30')),
    await addLesson(leo.fixture, slot('17:30', '18:30')),
    await addLesson(tom.fixture, slot('12:00', '13:00')),
    await addLesson(abroad.fixture, slot('10:00', '11:00')),
  ];
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  // Two runs, because 6pm in London is within the quiet hours in Dubai.
  for (const time of ['2026-11-16T12:30:00Z', '2026-11-16T18:00:00Z']) {
    app.clock.set(time);
    await sendTutorReminders(app.context, tutorId);
    await waitUntilMessagesProcessed(browser);
  }
  for (const { familyId } of [maya, tom]) {
    await browser.call(messages.sendReminder, { body: { familyId, channel: 'email' } });
    const period = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
    const id = draft?.id as number;
    await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const body = { channel: 'email' as const };
    await browser.call(messages.sendInvoice, { params: { id }, body });
    const payment = await createPayment(browser, familyId, 3800);
    await browser.call(messages.sendReceipt, { params: { id: payment.id }, body });
  }
  await sendPaymentOutcomes(tutorId, maya.familyId);
  await waitUntilMessagesProcessed(browser);
  const [first = 0, second = 0, toms = 0, noors = 0] = lessons.map(({ sessionId }) => sessionId);
  const notify = async (...sessionIds: number[]) => {
    await browser.call(messages.sendChangeNotice, { body: { sessionIds, channel: 'email' } });
    await waitUntilMessagesProcessed(browser);
  };
  const cancel = (id: number, chargeFee = false) =>
    browser.call(sessions.cancelSession, {
      params: { id },
      body: { cancelledBy: chargeFee ? 'carer' : 'tutor', chargeFee },
    });
  await cancel(first);
  await notify(first);
  await browser.call(sessions.reopenSession, { params: { id: first }, body: {} });
  await notify(first);
  await cancel(second, true);
  await notify(second);
  for (const [id, date] of [
    [toms, '2026-11-19'],
    [noors, '2026-11-20'],
  ] as const) {
    const moved = await browser.call(sessions.rescheduleSession, {
      params: { id },
      body: { date, startTime: '18:30', endTime: '19:30' },
    });
    await notify(moved.body.id);
  }
  await waitUntilMessagesProcessed(browser);
  return app.mailbox.emails().filter(({ subject }) => !subject.startsWith('Confirm your email'));
}

/** Publishes card payment events that send emails to the payer and the tutor. */
const sendPaymentOutcomes = (tutorId: string, familyId: number) =>
  app.context.db.tutorTransaction(tutorId, async (tx) => {
    const { events } = app.context;
    const payment = { tutorId, familyId, paymentId: 1, amount: 3800, currency: 'GBP' };
    await events.publish(tx, cardPaymentReceived, payment);
    await events.publish(tx, bankDebitFailed, { ...payment, checkoutId: 1 });
    for (const change of REVERSAL_CHANGES) {
      const needsTutorDecision = change === 'dispute lost';
      await events.publish(tx, cardReversalChanged, {
        ...payment,
        change,
        needsTutorDecision,
        dedupeKey: change,
      });
    }
  });
const REVERSAL_CHANGES = [
  'refunded',
  'disputed',
  'dispute won',
  'dispute lost',
  'refund failed',
] satisfies CardReversalChange[];

test('F73 F84 F88 every email to a family is complete in HTML and plain text', async () => {
  const emails = await sendAll();
  const toFamilies = emails.filter(({ to }) => to[0]?.endsWith('@families.example'));
  const subjects = toFamilies.map(({ subject }) => subject);
  for (const pattern of [
    /^Lesson reminder: Tomorrow, Maya 4:30pm, Leo 5:30pm$/,
    /^Lesson reminder: Tomorrow, Maths GCSE 12 noon$/,
    /^Lesson reminder: Tomorrow, Noor 10am London time \(2pm your time\)$/,
    /^Payment reminder: £70\.00$/,
    /^Invoice \S+: £70\.00, due /,
    /^Lesson cancelled: Maya, Tue 17 Nov$/,
    /^Lesson reinstated: Maya, Tue 17 Nov$/,
    /^Lesson moved: Maths GCSE to Thu 19 Nov, 6:30pm$/,
    /^Lesson moved: Noor to Fri 20 Nov, 6:30pm London time \(10:30pm your time\)$/,
    /^Receipt \d+: £38\.00 received$/,
    /^Your payment of £38\.00 didn't go through$/,
    /^Refund of £38\.00$/,
    /^Disputed payment of £38\.00$/,
  ]) {
    expect(subjects).toContainEqual(expect.stringMatching(pattern));
  }
  for (const { html, text, subject } of toFamilies) {
    expect(text, subject).toMatch(/^Hi (Ruth|Tom|Sami),\n\n/);
    expect(text, subject).toMatch(/\/unsubscribe\/\S+\s*$/);
    expect(html, subject).toContain('Sent with Lessonbook.');
    expect(`${html}${text}`, subject).not.toMatch(/\{\w+\}|undefined|null|NaN/);
  }
  const reminder = toFamilies.find(({ subject }) => subject.startsWith('Payment reminder: £70'));
  expect(reminder?.html).toContain('View and pay £70.00');
  if (OUTPUT_FOLDER) writeEmails(OUTPUT_FOLDER, emails, 'messages');
});

test('every email about the account begins with a greeting and a complete sentence in HTML and plain text', async () => {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const origin = 'https://lessonbook.example';
  const contents = [
    ...Object.values(ACCOUNT_EMAILS).map((build) => build(origin, 'token')),
    googleLinkedEmail(origin),
    ...Object.entries(SECURITY_EMAIL_TEXTS).map(([kind, toText]) => {
      const detail = kind === 'recovery-code-used' ? '3 are' : 'Firefox on Windows';
      return buildSecurityEmail(toText('16 November 2026 at 9am', detail), origin);
    }),
  ];
  await browser.call(privacy.scheduleDeletion);
  await sendAccountDeletedEmail(app.context, await findTutorId(app, input));
  const aboutDeletion = () =>
    app.mailbox
      .emails()
      .filter(({ to, subject }) => to.includes(input.email) && subject.includes('deleted'));
  await app.mailbox.waitFor(() => aboutDeletion().length === 2);
  const emails = [...contents.map(renderEmail), ...aboutDeletion()];
  for (const { html, text, subject } of emails) {
    expect(text, subject).toMatch(/^Hi(?: \w+)?,\n\n[A-Z]/);
    expect(html, subject).toContain('<p class="ink"');
    expect(`${subject}${text}`, subject).not.toMatch(/\bbook\b|e-mail|undefined|null/);
  }
  if (OUTPUT_FOLDER) writeEmails(OUTPUT_FOLDER, emails, 'account');
});

type Email = Pick<ReturnType<TestApp['mailbox']['emails']>[number], 'subject' | 'html' | 'text'>;

function writeEmails(folder: string, emails: readonly Email[], prefix: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [index, { subject, html, text }] of emails.entries()) {
    const name = `${prefix} ${String(index + 1).padStart(2, '0')} ${subject.replaceAll(/[^\w £.-]/g, '')}`;
    writeFileSync(join(folder, `${name}.html`), html);
    writeFileSync(join(folder, `${name}.txt`), text);
  }
}
