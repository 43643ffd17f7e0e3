import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { type PortalMoney, portalMoney } from '@lessonbook/contract/portal-charges-and-invoices';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { createPortalFixture, signInToPortal } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

async function createRuth() {
  const family = await createPortalFixture(app);
  const { browser, login } = await signInToPortal(app, family.ruthEmail);
  return {
    ...family,
    familyId: family.maya.familyId as number,
    ruth: browser,
    publicId: login.tutors[0]?.publicId as string,
  };
}

const readMoney = async (browser: Browser, publicId: string): Promise<PortalMoney> => {
  const { status, body } = await browser.call(portalMoney.portalMoney, { params: { publicId } });
  expect(status).toBe(200);
  return body;
};

const issue = async (browser: Browser, familyId: number) => {
  const draft = await browser.call(invoices.draftInvoice, {
    body: { familyId, from: '2026-11-01', to: '2026-11-15' },
  });
  const ids = draft.body.map(({ id }) => id);
  await browser.call(invoices.issueInvoices, { body: { ids } });
  return ids[0] as number;
};

test('an account shows the charges that are due and for whom, the invoice and the amount paid this year', async () => {
  const { fixture, browser, familyId, maya, leo, ruth, publicId } = await createRuth();
  expect((await readMoney(ruth, publicId)).accounts).toMatchObject([
    { id: familyId, payerName: null, balances: [], charges: [], invoices: [], paidThisYear: [] },
  ]);
  await createCompletedLesson(fixture, maya.id, '2026-11-02', { fee: 38 });
  await createCompletedLesson(fixture, leo.id, '2026-11-03', { fee: 35 });
  await createPayment(browser, familyId, 2000, { date: '2025-12-31', note: 'A private note' });
  await createPayment(browser, familyId, 1000, { date: '2026-11-10' });
  const id = await issue(browser, familyId);
  const money = await readMoney(ruth, publicId);
  expect(money.accounts).toMatchObject([
    {
      balances: [{ currency: 'GBP', owed: 4300, credit: 0 }],
      charges: [
        { studentName: 'Maya', date: '2026-11-02', outstanding: 800 },
        { studentName: 'Leo', date: '2026-11-03', outstanding: 3500 },
      ],
      paidThisYear: [{ currency: 'GBP', amount: 1000 }],
      invoices: [{ id, state: 'part_paid', total: 7300, due: 4300, paidOn: '2026-11-10' }],
      hasMoreInvoices: false,
    },
  ]);
  const [account] = money.accounts;
  expect(account?.payUrl).toMatch(/\/pay\/b_/);
  expect(account?.charges.every(({ dueOn }) => dueOn === account.invoices[0]?.dueOn)).toBe(true);
  expect(JSON.stringify(money)).not.toMatch(/Hale|private/);
});

test('draft and void invoices are not shown', async () => {
  const { fixture, browser, familyId, maya, ruth, publicId } = await createRuth();
  await createCompletedLesson(fixture, maya.id, '2026-11-02', { fee: 38 });
  const path = (id: number) =>
    `/api/portal/tutors/${publicId}/accounts/${familyId}/invoices/${id}/pdf`;
  const draft = await browser.call(invoices.draftInvoice, {
    body: { familyId, from: '2026-11-01', to: '2026-11-15' },
  });
  const id = draft.body[0]?.id as number;
  expect((await readMoney(ruth, publicId)).accounts[0]?.invoices).toEqual([]);
  expect((await ruth.send('GET', path(id))).status).toBe(404);
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  expect((await readMoney(ruth, publicId)).accounts[0]?.invoices).toHaveLength(1);
  expect((await ruth.send('GET', path(id))).status).toBe(200);
  await browser.call(invoices.voidInvoice, { params: { id }, body: {} });
  expect((await readMoney(ruth, publicId)).accounts[0]?.invoices).toEqual([]);
  expect((await ruth.send('GET', path(id))).status).toBe(404);
});

test('earlier invoices are paginated', async () => {
  const { fixture, browser, familyId, maya, ruth, publicId } = await createRuth();
  for (let day = 1; day <= 14; day += 1) {
    const date = `2026-11-${String(day).padStart(2, '0')}`;
    await createCompletedLesson(fixture, maya.id, date, { fee: 20 + day });
    await issue(browser, familyId);
  }
  const [account] = (await readMoney(ruth, publicId)).accounts;
  expect(account?.invoices).toHaveLength(12);
  expect(account?.hasMoreInvoices).toBe(true);
  const more = await ruth.call(portalMoney.portalInvoices, {
    params: { publicId, accountId: familyId },
    query: { offset: 12, limit: 12 },
  });
  expect(more.body.hasMore).toBe(false);
  const totals = [...(account?.invoices ?? []), ...more.body.invoices].map(({ total }) => total);
  expect(totals.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 14 }, (_, index) => (21 + index) * 100),
  );
});

test('a statement lists the charges and payments of a period, with the balance before and after', async () => {
  const { fixture, browser, familyId, maya, leo, ruth, publicId } = await createRuth();
  await createCompletedLesson(fixture, maya.id, '2026-10-20', { fee: 38 });
  await createCompletedLesson(fixture, leo.id, '2026-11-03', { fee: 35 });
  await createPayment(browser, familyId, 5000, { date: '2026-11-10', note: 'A private note' });
  const mistake = await createPayment(browser, familyId, 777, { date: '2026-11-11' });
  await browser.call(payments.reversePayment, { params: { id: mistake.id } });
  const path = `/api/portal/tutors/${publicId}/accounts/${familyId}/statement`;
  const read = async (period: string) =>
    (await fetchPdfPages(app.url, ruth, `${path}?${period}`)).join(' ').replaceAll(/\s+/g, ' ');
  const text = await read('from=2026-11-01&to=2026-11-30');
  expect(text).toContain('Statement for 1 Nov 2026 to 30 Nov 2026');
  expect(text).toMatch(/Owed on 1 Nov 2026 £38\.00/);
  expect(text).toMatch(/3 Nov 2026 £35\.00 Leo, .* lesson/);
  expect(text).toMatch(/10 Nov 2026 £50\.00 Payment/);
  expect(text).toMatch(/Owed on 30 Nov 2026 £23\.00/);
  expect(text).not.toMatch(/7\.77|Maya|private|Leo Hale/);
  expect(await read('from=2026-10-01&to=2026-10-31')).toMatch(
    /Owed on 1 Oct 2026 £0\.00 .*Maya.*Owed on 31 Oct 2026 £38\.00/,
  );
  expect(await read('from=2025-01-01&to=2025-01-31')).toContain('No lessons or payments');
  expect((await ruth.send('GET', `${path}?from=2026-11-02&to=2026-11-01`)).status).toBe(400);
});
