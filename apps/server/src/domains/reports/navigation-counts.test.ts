import { dashboard } from '@lessonbook/contract/dashboard';
import { invoices } from '@lessonbook/contract/invoices';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { createCompletedLesson, createFamilyFixture } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const readCounts = async (browser: Browser) =>
  (await browser.call(dashboard.navigationCounts)).body;

test('F111 the counts include what is overdue, drafted and waiting to be sent, for this tutor only', async () => {
  const { browser: otherTutor } = await createTutor(app);
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const { browser } = fixture;
  const { rows } = await app.admin.query<{ tutor_id: string }>('select tutor_id from families');
  const tutorId = rows[0]?.tutor_id;
  const [lena = 0, noah = 0] = children;
  await createCompletedLesson(fixture, lena, '2026-11-03');
  const period = { from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
  const draft = () => browser.call(invoices.draftInvoice, { body: { familyId, ...period } });
  const drafted = await draft();
  await browser.call(invoices.issueInvoices, { body: { ids: [drafted.body[0]?.id ?? 0] } });
  await createCompletedLesson(fixture, noah, '2026-11-04');
  await draft();
  // The tutor has one student, and the family fixture adds three more.
  const counts = { activeStudents: 4, draftInvoices: 1, overdueInvoices: 0, messagesToSend: 0 };
  expect(await readCounts(browser)).toEqual(counts);

  app.clock.advance({ days: 15 });
  const insertMessage = `insert into messages (tutor_id, id, public_id, dedupe_key, kind, channel, state, automatic, to_name,
      address, subject, text, created_at)
    values ($1, $2, $3, $3, 'payment_reminder', $4, $5, false, 'Ruth Hale', 'x', 'x', 'x', now())`;
  for (const [id, channel, state] of [
    [9001, 'whatsapp', 'draft'],
    [9002, 'whatsapp', 'opened'],
    [9003, 'email', 'failed'],
    [9004, 'email', 'sent'],
  ])
    await app.admin.query(insertMessage, [tutorId, id, `message-${id}`, channel, state]);
  expect(await readCounts(browser)).toEqual({ ...counts, overdueInvoices: 1, messagesToSend: 3 });
  const none = { activeStudents: 0, draftInvoices: 0, overdueInvoices: 0, messagesToSend: 0 };
  expect(await readCounts(otherTutor)).toEqual(none);
  await app.restartClock();
});
