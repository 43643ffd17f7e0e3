import { bulkMessages, type FamilyResult } from '@lessonbook/contract/bulk-messages';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { batches } from '@lessonbook/contract/invoice-and-reminder-batches';
import { messages, NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { metricValue } from '../../test/metric-value.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** The Okafors have two children and an email address, the Goldbergs only a phone and a debt of £35, the Brennans neither. */
async function createThreeFamilies() {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  const email = `okafor-${crypto.randomUUID()}@families.example`;
  const okafor = { carerName: 'Ruth Okafor', carerEmail: email };
  const maya = await createStudent(browser, { name: 'Maya Okafor', ...okafor });
  await createStudent(browser, { name: 'Leo Okafor', carerId: maya.carerId });
  const noa = await createStudent(browser, {
    name: 'Noa Goldberg',
    carerName: 'Helen Goldberg',
    carerPhone: '+447700900456',
  });
  const isla = await createStudent(browser, { name: 'Isla Brennan', carerName: 'Daniel Brennan' });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture = { browser, studentId: maya.id, subjectId: subject.id };
  await createCompletedLesson(fixture, noa.id, '2026-11-10');
  await addLesson(fixture, { studentId: maya.id, date: '2026-11-18' });
  const ids = [maya, noa, isla].map(({ familyId }) => familyId as number);
  const [okaforId, goldbergId, brennanId] = ids as [number, number, number];
  const emails = () => app.mailbox.emails().filter(({ to }) => to.includes(email));
  return { browser, tutorId, fixture, maya, email, ids, okaforId, goldbergId, brennanId, emails };
}

const TEXT = 'Hi {name},\n\nNo lessons for {children} next week.\n\n{tutor}';

const sendCustom = (
  browser: Browser,
  familyIds: readonly number[],
  change: { text?: string; subject?: string; channel?: 'email' | 'whatsapp' } = {},
) =>
  browser.call(bulkMessages.sendCustomMessage, {
    body: {
      familyIds: [...familyIds],
      channel: 'email',
      subject: 'Half-term',
      text: TEXT,
      ...change,
    },
  });

const outcomes = (results: readonly FamilyResult[]) =>
  results.map(({ toName, outcome }) => [toName, outcome]);

describe('a message from the tutor to several families', () => {
  test('F145 each family gets its own text by email or as a WhatsApp draft, or the response says why it gets none', async () => {
    const { browser, ids, emails, goldbergId } = await createThreeFamilies();
    const preview = await browser.call(bulkMessages.previewCustomMessage, {
      body: { familyIds: ids, channel: 'email' },
    });
    expect(preview.body).toMatchObject([
      { channel: 'email', problem: null, values: { name: 'Ruth', children: 'Leo and Maya' } },
      { channel: 'whatsapp', problem: null, values: { children: 'Noa', amount: '£35.00' } },
      { problem: 'Daniel Brennan has no email address yet. Please add one.' },
    ]);
    const sent = await sendCustom(browser, ids);
    expect(sent.status).toBe(201);
    expect(outcomes(sent.body)).toEqual([
      ['Ruth Okafor', 'sent'],
      ['Helen Goldberg', 'to_send'],
      ['Daniel Brennan', 'not_sent'],
    ]);
    expect(sent.body[2]?.problem).toBe('Daniel Brennan has no email address yet. Please add one.');
    await waitUntil(
      async () => emails().length > 0,
      () => 'the email has not arrived',
    );
    const text = emails()[0]?.text ?? '';
    expect(text).toContain('Hi Ruth,');
    expect(text).toContain('No lessons for Leo and Maya next week.');
    expect(text).not.toMatch(/Helen|Goldberg|Noa|Daniel|Brennan|Isla|£35/);
    const [draft] = (await browser.call(messages.outbox)).body;
    expect(draft).toMatchObject({ familyId: goldbergId, kind: 'custom', state: 'draft' });
    expect(draft?.text).toContain('No lessons for Noa next week.');
    expect(draft?.text).not.toMatch(/Ruth|Okafor|Maya|Leo/);
  });

  test('F145 is sent once, even if the request is repeated with the same key, another key or from two windows', async () => {
    const { browser, ids, emails } = await createThreeFamilies();
    const body = { familyIds: ids, channel: 'email', subject: 'Half-term', text: TEXT };
    const send = (key: string) =>
      browser.send('POST', '/api/messages/custom', body, { 'idempotency-key': key });
    const replies = await Promise.all([send('first-window'), send('first-window')]);
    expect(replies[0]?.body).toEqual(replies[1]?.body);
    await Promise.all([send('second-window'), send('third-window')]);
    const again = await sendCustom(browser, ids);
    expect(outcomes(again.body)).toEqual([
      ['Ruth Okafor', 'already_sent'],
      ['Helen Goldberg', 'already_sent'],
      ['Daniel Brennan', 'not_sent'],
    ]);
    await waitUntilMessagesProcessed(browser);
    expect(emails()).toHaveLength(1);
    expect((await browser.call(messages.outbox)).body).toHaveLength(1);
    const other = await sendCustom(browser, ids, { text: `${TEXT}\n\nP.S. Enjoy the break.` });
    expect(other.body[0]?.outcome).toBe('sent');
  });

  test('F145 a text with a placeholder that is unknown or has no value is never sent', async () => {
    const { browser, ids } = await createThreeFamilies();
    const owed = await sendCustom(browser, ids.slice(0, 2), { text: 'You owe {amount}.' });
    expect(owed.body).toMatchObject([
      { outcome: 'not_sent', problem: "They don't owe anything, so {amount} can't be filled in." },
      { outcome: 'to_send' },
    ]);
    const typo = await sendCustom(browser, ids, { text: 'Hi {nmae}' });
    expect(typo.status).toBe(400);
    expect(typo.error.fields?.['text']).toContain("{nmae} isn't a placeholder.");
  });

  test('F145 a bounced address is not used, and the other channel is used instead', async () => {
    const { browser, okaforId, maya, email } = await createThreeFamilies();
    const countRejected = () =>
      Promise.all([
        metricValue('lessonbook_emails_total', { kind: 'custom', outcome: 'rejected' }),
        metricValue('lessonbook_messages_failed_total', { kind: 'custom' }),
      ]);
    const [rejected, failed] = await countRejected();
    app.mailbox.rejectNext(550);
    await sendCustom(browser, [okaforId]);
    await waitUntilMessagesProcessed(browser);
    expect(await countRejected()).toEqual([rejected + 1, failed + 1]);
    const bounced = await sendCustom(browser, [okaforId]);
    expect(bounced.body[0]).toMatchObject({ outcome: 'not_sent' });
    expect(bounced.body[0]?.problem).toContain("can't be delivered. Please check the address.");
    await browser.send('PUT', `/api/students/${maya.id}`, {
      name: 'Maya Okafor',
      carerId: maya.carerId,
      carerName: 'Ruth Okafor',
      carerEmail: email,
      carerPhone: '+447700900789',
    });
    expect((await sendCustom(browser, [okaforId])).body[0]?.outcome).toBe('to_send');
  });

  test('F145 can be addressed to the families with a lesson on a given day', async () => {
    const { browser, okaforId } = await createThreeFamilies();
    const on = async (date: string) =>
      (await browser.call(bulkMessages.familiesWithLesson, { query: { date } })).body.familyIds;
    expect(await on('2026-11-18')).toEqual([okaforId]);
    expect(await on('2026-11-19')).toEqual([]);
  });
});

describe('reminding all overdue families', () => {
  const startReminding = (browser: Browser, familyIds: readonly number[]) =>
    browser.call(batches.startBatch, { body: { kind: 'send_reminders', ids: [...familyIds] } });
  const remindAll = async (browser: Browser, familyIds: readonly number[]) => {
    const { id } = (await startReminding(browser, familyIds)).body;
    const read = async () => (await browser.call(batches.batch, { params: { id } })).body;
    await waitUntil(
      async () => !(await read()).isRunning,
      () => 'the reminders are not sent',
    );
    return (await read()).items;
  };
  const list = async (browser: Browser) => (await browser.call(bulkMessages.overdueReminders)).body;

  test('F145 lists the families with their overdue amounts, reminds each once and names no other family', async () => {
    const { browser, fixture, maya, ids, okaforId, goldbergId, emails } =
      await createThreeFamilies();
    await createCompletedLesson(fixture, maya.id, '2026-11-03', { fee: 40 });
    expect((await list(browser)).families).toMatchObject([
      {
        familyId: okaforId,
        channel: 'email',
        overdue: [{ currency: 'GBP', amount: 4000 }],
        dueSince: '2026-11-03',
        lastRemindedAt: null,
        problem: null,
      },
      { familyId: goldbergId, channel: 'whatsapp', overdue: [{ amount: 3500 }] },
    ]);
    await Promise.all([remindAll(browser, ids), remindAll(browser, ids)]);
    const again = await remindAll(browser, ids);
    expect(again).toMatchObject([
      { familyName: 'Ruth Okafor', state: 'skipped' },
      { familyName: 'Helen Goldberg', state: 'skipped' },
      { familyName: 'Daniel Brennan', state: 'skipped', problem: 'Nothing is overdue any more.' },
    ]);
    await waitUntilMessagesProcessed(browser);
    expect(emails()).toHaveLength(1);
    expect(emails()[0]?.text).toContain('£40.00');
    expect(emails()[0]?.text).not.toMatch(/Helen|Noa|£35/);
    const drafts = (await browser.call(messages.outbox)).body;
    expect(drafts).toHaveLength(1);
    expect(drafts[0]?.text).not.toMatch(/Ruth|Maya|£40/);
    expect((await list(browser)).families[0]?.lastRemindedAt).not.toBeNull();
  });

  test('F145 a family that has paid or stopped reminders is not reminded', async () => {
    const { browser, fixture, maya, tutorId, okaforId, goldbergId } = await createThreeFamilies();
    await createCompletedLesson(fixture, maya.id, '2026-11-03', { fee: 40 });
    await createPayment(browser, goldbergId, 3500);
    await app.admin.query(
      `insert into reminder_opt_outs (tutor_id, address, kind, created_at)
       select $1, c.email, 'payment_reminder', now() from contacts c where c.tutor_id = $1 and c.name = 'Ruth Okafor'`,
      [tutorId],
    );
    const items = await remindAll(browser, [okaforId, goldbergId]);
    expect(items).toMatchObject([
      {
        state: 'not_done',
        problem: expect.stringContaining('has unsubscribed from payment reminders'),
      },
      { state: 'skipped', problem: 'Nothing is overdue any more.' },
    ]);
  });

  test('F145 families are not reminded until the tutor has entered how to pay', async () => {
    const { browser, goldbergId } = await createThreeFamilies();
    const business = (await browser.call(businessSettings.businessSettings)).body;
    await browser.call(businessSettings.saveBusinessSettings, {
      body: { ...business, paymentInstructions: null },
    });
    expect((await list(browser)).problem).toBe(NO_PAYMENT_METHOD_MESSAGE);
    const refused = await startReminding(browser, [goldbergId]);
    expect(refused.error.message).toBe(NO_PAYMENT_METHOD_MESSAGE);
  });
});
