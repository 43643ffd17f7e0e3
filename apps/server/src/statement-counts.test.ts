import { families } from '@lessonbook/contract/families';
import { type Invoice, invoices } from '@lessonbook/contract/invoices';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendTutorReminders } from './domains/messages/service/reminders/send-due-reminders.ts';
import type { Browser } from './test/browser-client.ts';
import { countLockedStatements } from './test/count-statements-under-tutor-lock.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from './test/create-tutor.ts';
import { assertInvariants, createPayment } from './test/payment-fixture.ts';
import { seedTutorOfSize, type TutorSize } from './test/seed-tutor-of-size.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

const TODAY = '2026-11-16';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function createTutorOfSize(size: TutorSize) {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  await browser.call(subjects.createSubject, { body: { name: 'Maths', defaultFee: 35 } });
  const tutorId = await findTutorId(app, input);
  await seedTutorOfSize(app.admin, tutorId, TODAY, size);
  return { browser, tutorId };
}

const readScheduled = async (browser: Browser, from: string, to: string) =>
  (await browser.call(sessions.listSessions, { query: { from, to } })).body.filter(
    ({ status }) => status === 'scheduled',
  );

test('F19 completing, reopening, drafting and issuing take the same number of SQL statements for any number of sessions', async () => {
  const { browser, tutorId } = await createTutorOfSize({ students: 60, families: 40, years: 1 });
  const countFor = async (from: string, to: string) => {
    const due = await readScheduled(browser, from, to);
    const details = await browser.call(sessions.session, { params: { id: due[0]?.id ?? 0 } });
    // This payment leaves one family with credit, which is allocated to its new charge.
    await createPayment(browser, details.body.familyId ?? 0, 20_000);
    const completing = await countLockedStatements(tutorId, async () => {
      const body = { sessions: due.map(({ id }) => ({ id, charge: true })) };
      const reply = await browser.call(sessions.completeSessions, { body });
      expect(reply.body).toEqual({ completed: due.length });
    });
    const reopening = await countLockedStatements(tutorId, async () => {
      const body = { ids: due.map(({ id }) => id) };
      const reply = await browser.call(sessions.reopenSessions, { body });
      expect(reply.body).toEqual({ reopened: due.length });
    });
    await browser.call(sessions.completeSessions, {
      body: { sessions: due.map(({ id }) => ({ id })) },
    });
    let drafts: number[] = [];
    const drafting = await countLockedStatements(tutorId, async () => {
      const body = { from, to };
      const reply = await browser.call(invoices.draftAllInvoices, { body });
      drafts = reply.body.map(({ id }) => id);
    });
    const issuing = await countLockedStatements(tutorId, async () => {
      const reply = await browser.call(invoices.issueInvoices, { body: { ids: drafts } });
      expect(reply.body.map(({ number }) => number)).not.toContain(null);
    });
    const counts = { completing, reopening, drafting, issuing };
    return { sessions: due.length, drafts: drafts.length, ...counts };
  };
  const few = await countFor('2026-11-23', '2026-11-23');
  const many = await countFor('2026-11-30', '2026-12-04');
  // The family with credit has already paid for its lesson, so it needs no invoice.
  expect(few).toMatchObject({ sessions: 8, drafts: 7 });
  expect(many).toMatchObject({ sessions: 40 });
  expect(many.drafts).toBeGreaterThan(20);
  expect(many).toMatchObject({
    completing: few.completing,
    reopening: few.reopening,
    drafting: few.drafting,
    issuing: few.issuing,
  });
  await assertInvariants(app);
});

test('F19 crediting and voiding take the same number of SQL statements for any number of lines', async () => {
  const { browser, tutorId } = await createTutorOfSize({ students: 120, families: 80, years: 1 });
  const [family] = (await browser.call(families.listFamilies)).body;
  const issueWithItems = async (count: number): Promise<Invoice> => {
    const period = { familyId: family?.id ?? 0, from: TODAY, to: TODAY };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
    const params = { id: draft?.id ?? 0 };
    const lines = Array.from({ length: count }, () => ({ description: 'Book', amount: 500 }));
    await browser.call(invoices.updateInvoiceDraft, { params, body: { lines } });
    await browser.call(invoices.issueInvoices, { body: { ids: [params.id] } });
    await createPayment(browser, period.familyId, count * 250);
    return (await browser.call(invoices.invoice, { params })).body;
  };
  const countFor = async (count: number) => {
    const credited = await issueWithItems(count);
    const crediting = await countLockedStatements(tutorId, async () => {
      const lines = credited.lines.map(({ chargeId, amount }) => ({
        chargeId: chargeId ?? 0,
        amount,
      }));
      const params = { id: credited.id };
      const reply = await browser.call(invoices.creditInvoice, { params, body: { lines } });
      expect(reply.body.total).toBe(count * 500);
    });
    const voided = await issueWithItems(count);
    const voiding = await countLockedStatements(tutorId, async () => {
      const reply = await browser.call(invoices.voidInvoice, {
        params: { id: voided.id },
        body: {},
      });
      expect(reply.body.state).toBe('void');
    });
    return { crediting, voiding };
  };
  expect(await countFor(40)).toEqual(await countFor(4));
  await assertInvariants(app);
});

test('F19 overdue reminders take the same number of SQL statements for any number of families', async () => {
  const countFor = async (size: TutorSize) => {
    const { browser, tutorId } = await createTutorOfSize(size);
    const settings = (await browser.call(reminders.reminderSettings)).body;
    const body = { ...settings, leadMinutes: null, overdueEnabled: true };
    await browser.call(reminders.saveReminderSettings, { body });
    const statements = await countLockedStatements(tutorId, async () => {
      await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
      await sendTutorReminders(app.context, tutorId);
    });
    const { rows } = await app.admin.query<{ count: number }>(
      `select count(*)::int as count from messages where tutor_id = $1 and kind = 'payment_reminder'`,
      [tutorId],
    );
    return { statements, messages: rows[0]?.count ?? 0 };
  };
  const few = await countFor({ students: 120, families: 80, years: 1 });
  const many = await countFor({ students: 600, families: 400, years: 1 });
  expect(few.messages).toBeGreaterThan(2);
  expect(many.messages).toBeGreaterThan(20);
  expect(many.statements).toBe(few.statements);
});
