import { payments } from '@lessonbook/contract/payments';
import type { Period } from '@lessonbook/contract/report-periods';
import { reports } from '@lessonbook/contract/reports';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LessonFixture } from '../../test/lesson-fixture.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const readEarnings = async (fixture: LessonFixture, period: Period = 'all_time') =>
  (await fixture.browser.call(reports.earnings, { query: { period } })).body;
const listPayments = async (fixture: LessonFixture, period: Period = 'all_time') =>
  (await fixture.browser.call(payments.listPayments, { query: { period } })).body;

describe('the period', () => {
  test.each([
    ['last_month', '2026-10-01', '2026-10-31', [100, 200]],
    ['this_month', '2026-11-01', '2026-11-30', [400, 800]],
    ['last_quarter', '2026-07-01', '2026-09-30', [1600, 3200]],
    ['year_to_date', '2026-01-01', '2026-11-16', [100, 200, 400, 800, 1600, 3200, 6400]],
    ['this_tax_year', '2026-04-06', '2027-04-05', [100, 200, 400, 800, 1600, 3200]],
    ['last_tax_year', '2025-04-06', '2026-04-05', [6400, 12_800]],
    ['all_time', null, null, [100, 200, 400, 800, 1600, 3200, 6400, 12_800]],
  ] as const)(
    '[REP-07, REP-08, API-45] %s filters the list and the total, from %s to %s',
    async (period, from, to, expected) => {
      const { fixture, familyId } = await createFamilyFixture(app);
      for (const [date, amount] of [
        ['2026-10-01', 100],
        ['2026-10-31', 200],
        ['2026-11-01', 400],
        ['2026-11-16', 800],
        ['2026-07-01', 1600],
        ['2026-09-30', 3200],
        ['2026-04-05', 6400],
        ['2025-12-31', 12_800],
      ] as const)
        await createPayment(fixture.browser, familyId, amount, { date });
      const report = await readEarnings(fixture, period);
      const sum = expected.reduce((total, amount) => total + amount, 0);
      expect(report).toMatchObject({ from, to, totals: [{ currency: 'GBP', net: sum }] });
      const amounts = (await listPayments(fixture, period)).map((payment) => payment.amount);
      expect(amounts.toSorted((a, b) => a - b)).toEqual([...expected]);
    },
  );

  test("uses the tutor's time zone", async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    // Move the clock to 23:30 in London on the last day of the month.
    app.clock.advance({ days: 14, hours: 11, minutes: 30 });
    await createPayment(fixture.browser, familyId, 100, { date: '2026-11-30' });
    expect((await readEarnings(fixture, 'this_month')).totals).toMatchObject([{ net: 100 }]);
    app.clock.advance({ hours: 1 });
    expect((await readEarnings(fixture, 'last_month')).totals).toMatchObject([{ net: 100 }]);
  });

  test('is compared with the previous one, except for all time', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    await createPayment(fixture.browser, familyId, 3000, { date: '2026-10-10' });
    await createPayment(fixture.browser, familyId, 1000, { date: '2026-09-10' });
    expect((await readEarnings(fixture, 'last_month')).totals).toMatchObject([
      { net: 3000, previousNet: 1000 },
    ]);
    expect((await readEarnings(fixture)).totals).toMatchObject([{ previousNet: null }]);
  });
});

describe('the amounts', () => {
  test('[REP-09, REP-10] reversed payments are excluded, and a refund is subtracted on the refund’s date', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const valid = await createPayment(fixture.browser, familyId, 5000, { date: '2026-10-10' });
    const reversed = await createPayment(fixture.browser, familyId, 999, { date: '2026-10-11' });
    await fixture.browser.call(payments.reversePayment, { params: { id: reversed.id } });
    await fixture.browser.call(payments.refundPayment, {
      params: { id: valid.id },
      body: { amount: 2000, date: '2026-11-02' },
    });
    expect((await readEarnings(fixture, 'last_month')).totals).toMatchObject([
      { received: 5000, refunded: 0, net: 5000, payments: 1 },
    ]);
    expect((await readEarnings(fixture, 'this_month')).totals).toMatchObject([
      { received: 0, refunded: 2000, net: -2000, payments: 0 },
    ]);
    const rows = await listPayments(fixture);
    expect(rows.map((row) => [row.kind, row.amount, row.status])).toEqual([
      ['refund', -2000, 'completed'],
      ['payment', 5000, 'completed'],
    ]);
  });

  test('the breakdowns by student, subject and month are exact and include unallocated money', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-10-03', { fee: 35.5 });
    await createCompletedLesson(fixture, children[1] ?? 0, '2026-10-04', { fee: 20 });
    await createPayment(fixture.browser, familyId, 6000, { date: '2026-10-05' });
    await createPayment(fixture.browser, familyId, 250, { date: '2026-11-05', currency: 'EUR' });
    const report = await readEarnings(fixture);
    expect(report.students.map(({ name, currency, net }) => [name, currency, net])).toEqual([
      ['Not used yet', 'EUR', 250],
      ['Lena Hale', 'GBP', 3550],
      ['Noah Hale', 'GBP', 2000],
      ['Not used yet', 'GBP', 450],
    ]);
    expect(report.subjects.map(({ name, currency, net }) => [name, currency, net])).toEqual([
      ['Not used yet', 'EUR', 250],
      ['Maths', 'GBP', 5550],
      ['Not used yet', 'GBP', 450],
    ]);
    expect(report.months).toEqual([
      { month: '2026-10', currency: 'GBP', net: 6000 },
      { month: '2026-11', currency: 'EUR', net: 250 },
    ]);
    expect(report.totals.map((total) => total.currency)).toEqual(['GBP', 'EUR']);
  });

  test('[REP-05] payments for an archived student still show the student’s name', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-10-03');
    await createPayment(fixture.browser, familyId, 3500, { date: '2026-10-05' });
    await fixture.browser.call(students.deleteStudent, { params: { id: children[0] ?? 0 } });
    expect(await listPayments(fixture)).toMatchObject([
      { students: ['Lena Hale'], studentId: children[0], paymentDate: '2026-10-05' },
    ]);
    expect((await readEarnings(fixture)).students).toMatchObject([
      { name: 'Lena Hale', net: 3500 },
    ]);
  });
});

test('the list of payments is paginated', async () => {
  const { fixture, familyId } = await createFamilyFixture(app);
  for (const amount of [1, 2, 3]) await createPayment(fixture.browser, familyId, amount);
  const page = await fixture.browser.call(payments.listPayments, {
    query: { limit: 2, offset: 1 },
  });
  expect(page.body.map((row) => row.amount)).toEqual([2, 1]);
});
