import { arrears, type WriteOffInput } from '@lessonbook/contract/arrears';
import { audit } from '@lessonbook/contract/audit';
import { invoices } from '@lessonbook/contract/invoices';
import { reports } from '@lessonbook/contract/reports';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import type { LessonFixture } from '../../test/lesson-fixture.ts';
import {
  assertInvariants,
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
  formatBalances,
  readFamily,
  readOpenBill,
} from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const readArrears = async (browser: Browser, id: number) =>
  (await browser.call(arrears.arrears, { params: { id } })).body;

/** Two overdue lessons of £38 and £35; £20 has been paid towards the first. */
async function createDebt() {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const { browser } = fixture;
  const [lena, noah] = children as [number, number];
  const first = await createCompletedLesson(fixture, lena, '2026-09-02', { fee: 38 });
  await createCompletedLesson(fixture, noah, '2026-10-03', { fee: 35 });
  await createPayment(browser, familyId, 2000, { date: '2026-10-10' });
  const { charges } = await readArrears(browser, familyId);
  const chargeIds = charges.map(({ id }) => id);
  const post = (path: string, body: object, key?: string) =>
    browser.send('POST', `/api/families/${familyId}/${path}`, body, {
      ...(key && { 'idempotency-key': key }),
    });
  const write = (overrides: Partial<WriteOffInput> = {}, key?: string) => {
    const body = { chargeIds, currency: 'GBP', amount: 5300, reason: 'Moved away', ...overrides };
    return post('write-offs', body, key);
  };
  const reverse = (ids: number[] = chargeIds, key?: string) =>
    post('write-offs/reverse', { chargeIds: ids }, key);
  const balances = async () => formatBalances(await readFamily(browser, familyId));
  return { fixture, browser, familyId, first, charges, chargeIds, write, reverse, balances };
}

/** Another family of the same tutor, which owes £53. */
async function createOtherFamily(fixture: LessonFixture, name: string, carerName: string) {
  const student = await createStudent(fixture.browser, { name, carerName });
  const familyId = student.familyId as number;
  await createCompletedLesson(fixture, student.id, '2026-09-02', { fee: 53 });
  const { charges } = await readArrears(fixture.browser, familyId);
  return { familyId, chargeId: charges[0]?.id as number };
}

describe('a write-off', () => {
  test('removes the unpaid amount from the balance and is a separate entry, not income', async () => {
    const { browser, familyId, charges, write, balances, first } = await createDebt();
    expect(charges).toMatchObject([
      { studentName: 'Lena Hale', outstanding: 1800, isOverdue: true },
      { studentName: 'Noah Hale', outstanding: 3500, isOverdue: true },
    ]);
    expect((await write()).status).toBe(200);
    expect(await balances()).toEqual([]);
    const family = await readFamily(browser, familyId);
    expect(family.entries.slice(0, 2)).toMatchObject([
      { kind: 'write_off', description: 'Written off, Maths', note: 'Moved away', balance: 0 },
      {
        kind: 'write_off',
        amount: expect.toSatisfy((amount) => amount < 0),
        balance: expect.anything(),
      },
    ]);
    expect(family.entryCount).toBe(5);
    const after = await readArrears(browser, familyId);
    expect(after.charges).toEqual([]);
    expect(after.writtenOff.map(({ writtenOff, reason }) => [writtenOff, reason])).toEqual([
      [3500, 'Moved away'],
      [1800, 'Moved away'],
    ]);
    const query = { period: 'all_time' } as const;
    const { body: report } = await browser.call(reports.earnings, { query });
    expect(report.totals).toMatchObject([{ currency: 'GBP', net: 2000 }]);
    expect(report.writtenOff).toEqual([{ currency: 'GBP', amount: 5300 }]);
    const session = await browser.call(sessions.session, { params: { id: first } });
    expect(session.body).toMatchObject({ charged: 2000, outstanding: 0 });
    const { body: log } = await browser.call(audit.listAuditEntries, { query: {} });
    expect(log.entries[0]?.text).toBe('£53.00 was written off.');
    await assertInvariants(app);
  });

  test("can be reversed, and the account's credit is used first", async () => {
    const { browser, familyId, chargeIds, write, reverse, balances } = await createDebt();
    await write();
    await createPayment(browser, familyId, 1000);
    expect(await balances()).toEqual(['GBP in credit 1000']);
    expect((await reverse(chargeIds.slice(0, 1))).status).toBe(200);
    expect(await balances()).toEqual(['GBP owes 800']);
    expect((await reverse(chargeIds.slice(0, 1))).status).toBe(409);
    expect((await reverse(chargeIds.slice(1))).status).toBe(200);
    expect(await balances()).toEqual(['GBP owes 4300']);
    const { writtenOff } = await readArrears(browser, familyId);
    expect(writtenOff).toEqual([]);
    const query = { period: 'all_time' } as const;
    const { body: report } = await browser.call(reports.earnings, { query });
    expect(report.writtenOff).toEqual([]);
    await assertInvariants(app);
  });

  test('is rejected unless it is for exactly the amount that the tutor was shown', async () => {
    const { browser, familyId, chargeIds, write } = await createDebt();
    expect((await write({ amount: 5299 })).status).toBe(409);
    expect((await write({ currency: 'EUR' })).status).toBe(409);
    expect((await write({ chargeIds: [] })).status).toBe(400);
    await createPayment(browser, familyId, 100);
    expect((await write()).status).toBe(409);
    expect((await write({ chargeIds: chargeIds.slice(1), amount: 3500 })).status).toBe(200);
    expect((await write({ chargeIds: chargeIds.slice(1), amount: 3500 })).status).toBe(409);
  });

  test('happens once per idempotency key, and once for ten concurrent requests', async () => {
    const { write, reverse, balances } = await createDebt();
    const key = crypto.randomUUID();
    const replies = await Promise.all(Array.from({ length: 5 }, () => write({}, key)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const undo = crypto.randomUUID();
    const reversals = await Promise.all(Array.from({ length: 5 }, () => reverse(undefined, undo)));
    expect(reversals.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const racing = await Promise.all(Array.from({ length: 10 }, () => write()));
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balances()).toEqual([]);
    await assertInvariants(app);
  });

  test('is rejected for the charges of another family or tutor', async () => {
    const own = await createDebt();
    const other = await createDebt();
    const sam = await createOtherFamily(own.fixture, 'Sam Reid', 'Tom Reid');
    // Ids are per tutor, so the other tutor gets more families, with ids that this tutor has not used.
    await createOtherFamily(other.fixture, 'Ida Berg', 'Eva Berg');
    const zoe = await createOtherFamily(other.fixture, 'Zoe Lund', 'Ann Lund');
    expect(zoe.familyId).toBeGreaterThan(Math.max(own.familyId, sam.familyId));
    expect(zoe.chargeId).toBeGreaterThan(Math.max(...own.chargeIds, sam.chargeId));
    const unknownId = 9999;
    for (const [id, chargeIds] of [
      [own.familyId, [sam.chargeId]],
      [sam.familyId, own.chargeIds],
      [own.familyId, [zoe.chargeId]],
      [zoe.familyId, own.chargeIds],
      [zoe.familyId, [zoe.chargeId]],
      [own.familyId, [unknownId]],
      [unknownId, own.chargeIds],
    ] as const) {
      const body = { chargeIds: [...chargeIds], currency: 'GBP' as const, amount: 5300 };
      const response = await own.browser.call(arrears.writeOff, { params: { id }, body });
      expect([id, chargeIds, response.status]).toEqual([id, chargeIds, 404]);
    }
    for (const id of [zoe.familyId, unknownId])
      expect((await own.browser.call(arrears.arrears, { params: { id } })).status).toBe(404);
    for (const [browser, id] of [
      [own.browser, own.familyId],
      [own.browser, sam.familyId],
      [other.browser, other.familyId],
      [other.browser, zoe.familyId],
    ] as const)
      expect(formatBalances(await readFamily(browser, id))).toEqual(['GBP owes 5300']);
  });
});

test('a write-off entry cannot itself be written off or reversed as a charge', async () => {
  const { browser, familyId, chargeIds, write, reverse, balances } = await createDebt();
  const [first = 0, second = 0] = chargeIds;
  await write({ chargeIds: [first], amount: 1800 });
  const { entries } = await readFamily(browser, familyId);
  const { key = '' } = entries.find(({ kind }) => kind === 'write_off') ?? {};
  const entry = Number(/\d+/.exec(key)?.[0]);
  expect((await write({ chargeIds: [second, entry], amount: 3500 })).status).toBe(404);
  expect((await reverse([entry])).status).toBe(404);
  expect(await balances()).toEqual(['GBP owes 3500']);
  await assertInvariants(app);
});

test('an invoice is shown as written off, and its public page shows no amount due', async () => {
  const { browser, familyId, write, reverse } = await createDebt();
  const period = { familyId, from: '2026-09-01', to: '2026-10-31' };
  const draft = await browser.call(invoices.draftInvoice, { body: period });
  const id = draft.body[0]?.id as number;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  const read = async () => (await browser.call(invoices.invoice, { params: { id } })).body;
  const total = 7300;
  expect(await read()).toMatchObject({ state: 'part_paid', total, due: 5300, paid: 2000 });
  await write();
  expect(await read()).toMatchObject({
    state: 'written_off',
    due: 0,
    paid: 2000,
    credited: 5300,
    writtenOff: 5300,
    creditNotes: [],
  });
  const token = (await read()).token as string;
  expect(await readOpenBill(browser, token)).toMatchObject({ state: 'paid', amounts: [] });
  for (const [state, count] of [
    ['paid', 0],
    ['written_off', 1],
  ] as const) {
    const { body } = await browser.call(invoices.listInvoices, { query: { state } });
    expect(body, state).toHaveLength(count);
  }
  // A credit note replaces the write-off; what was paid becomes credit.
  const lines = (await read()).lines.map(({ chargeId, amount }) => ({
    chargeId: chargeId as number,
    amount,
  }));
  await browser.call(invoices.creditInvoice, { params: { id }, body: { lines } });
  expect(await read()).toMatchObject({ state: 'paid', credited: total, writtenOff: 0 });
  expect(formatBalances(await readFamily(browser, familyId))).toEqual(['GBP in credit 2000']);
  expect((await reverse()).status).toBe(409);
  await assertInvariants(app);
});

test('reopening a lesson also reverses its write-off', async () => {
  const { browser, familyId, write, first, chargeIds, balances } = await createDebt();
  await write({ chargeIds: chargeIds.slice(0, 1), amount: 1800 });
  const body = { acceptOverlaps: true };
  await browser.call(sessions.reopenSession, { params: { id: first }, body });
  expect(await balances()).toEqual(['GBP owes 1500']);
  expect((await readArrears(browser, familyId)).writtenOff).toEqual([]);
  await assertInvariants(app);
});

test('the statement shows what was written off, but neither reversed write-offs nor the reason', async () => {
  const { browser, familyId, chargeIds, write, reverse } = await createDebt();
  const read = async () => {
    const path = `/api/families/${familyId}/statement.pdf?from=2026-10-01&to=2026-11-30`;
    return (await fetchPdfPages(app.url, browser, path)).join(' ').replaceAll(/\s+/g, ' ');
  };
  await write();
  const text = await read();
  expect(text).toMatch(/Owed on 1 Oct 2026 £38\.00/);
  expect(text).toContain('Written off, Maths');
  expect(text).toMatch(/Owed on 30 Nov 2026 £0\.00/);
  expect(text).not.toContain('Moved away');
  await reverse(chargeIds);
  expect(await read()).not.toContain('Written off');
  expect(await read()).toMatch(/Owed on 30 Nov 2026 £53\.00/);
  const other = await createDebt();
  const { familyId: otherFamilyId } = await createOtherFamily(
    other.fixture,
    'Ida Berg',
    'Eva Berg',
  );
  expect(otherFamilyId).toBeGreaterThan(familyId);
  const path = `/api/families/${otherFamilyId}/statement.pdf?from=2026-10-01&to=2026-11-30`;
  expect((await browser.send('GET', path)).status).toBe(404);
});
