import { accounts } from '@lessonbook/contract/accounts';
import { audit } from '@lessonbook/contract/audit';
import { calendar } from '@lessonbook/contract/calendar';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  findTutorId,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const readAuditEntries = async (
  browser: Browser,
  query: { limit?: number; offset?: number } = {},
) => (await browser.call(audit.listAuditEntries, { query })).body.entries;
const readTexts = async (browser: Browser) =>
  (await readAuditEntries(browser)).map(({ text }) => text);

test('a login is recorded with its device and masked IP address', async () => {
  const { input } = await createTutor(app);
  const browser = app.browser({
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  await browser.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
  const [newest, first] = await readAuditEntries(browser);
  expect(newest).toMatchObject({
    action: 'login',
    text: 'You logged in.',
    from: 'Firefox on Windows, 127.0.0.x',
    at: app.clock.now().toISOString(),
  });
  expect(first?.from).toBe('Unknown browser, 127.0.0.x');
});

test('a password reset, a new email address and a replaced calendar feed are recorded', async () => {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  await browser.call(calendar.showFeed);
  await browser.call(calendar.replaceFeed);
  const email = `new.${input.email}`;
  await browser.call(accounts.updateMe, { body: { name: input.name, email } });
  const token = await readTokenFromEmail(app, email, 'verify-email');
  await browser.call(accounts.confirmEmail, { body: { token } });
  await browser.call(accounts.forgotPassword, { body: { account: input.username } });
  const reset = await readTokenFromEmail(app, email, 'reset-password');
  const password = 'another password';
  await browser.call(accounts.resetPassword, { body: { token: reset, password } });
  await browser.call(accounts.login, { body: { username: input.username, password } });
  expect(await readTexts(browser)).toEqual([
    'You logged in.',
    'A new password was chosen with an emailed link. All browsers were logged out.',
    'The email address was changed.',
    'The calendar address was replaced.',
    'The calendar address was shown.',
    'You logged in.',
  ]);
});

test('F144 reversed payments, refunds and voided invoices are recorded with their amount or number', async () => {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const { browser } = fixture;
  await createCompletedLesson(fixture, children[0] as number, '2026-11-10');
  const reversed = await createPayment(browser, familyId, 2000);
  await browser.call(payments.reversePayment, { params: { id: reversed.id } });
  const refunded = await createPayment(browser, familyId, 5000);
  await browser.call(payments.refundPayment, {
    params: { id: refunded.id },
    body: { amount: 1500, date: '2026-11-16' },
  });
  await createCompletedLesson(fixture, children[0] as number, '2026-11-11');
  const drafts = await browser.call(invoices.draftInvoice, {
    body: { familyId, from: '2026-11-01', to: '2026-11-30' },
  });
  const id = drafts.body[0]?.id ?? 0;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  await browser.call(invoices.voidInvoice, { params: { id }, body: {} });
  expect((await readTexts(browser)).slice(0, 3)).toEqual([
    'Invoice 0001 was voided.',
    '£15.00 was refunded.',
    'A payment of £20.00 was reversed.',
  ]);
});

test('the log is paginated, visible only to its tutor, and cannot be changed or deleted by the application', async () => {
  const { browser, input } = await createTutor(app);
  for (let n = 0; n < 4; n++) await browser.call(calendar.replaceFeed);
  const all = await readAuditEntries(browser);
  expect(all).toHaveLength(5);
  expect(await readAuditEntries(browser, { limit: 2, offset: 2 })).toEqual(all.slice(2, 4));
  const other = await createTutor(app);
  expect(await readTexts(other.browser)).toEqual(['You logged in.']);
  const tutorId = await findTutorId(app, input);
  const { db } = app.context;
  // The database only allows entries older than two years to be deleted.
  const deleted = await db.tutorTransaction(tutorId, (tx) => tx.deleteFrom('audit_log').execute());
  expect(deleted[0]?.numDeletedRows).toBe(0n);
  await expect(
    db.tutorTransaction(tutorId, (tx) =>
      tx.updateTable('audit_log').set({ action: 'login' }).execute(),
    ),
  ).rejects.toThrow(/permission denied/);
});
