import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { reports } from '@lessonbook/contract/reports';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import {
  assertInvariants,
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
  formatBalances,
  postPayment,
  readFamily,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => assertInvariants(app));

const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const reopen = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.reopenSession, { params: { id }, body: {} });
const refund = (fixture: LessonFixture, id: number, amount: number) =>
  fixture.browser.call(payments.refundPayment, {
    params: { id },
    body: { amount, date: '2026-11-16' },
  });
const reverse = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(payments.reversePayment, { params: { id } });

describe('recording a payment', () => {
  test('[PROD-07, ENT-18] a single £100 payment for three children pays the oldest charges first and leaves the rest open', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const [lena = 0, noah = 0, ida = 0] = children;
    const late = await createCompletedLesson(fixture, ida, '2026-11-05');
    const first = await createCompletedLesson(fixture, lena, '2026-11-03');
    const second = await createCompletedLesson(fixture, noah, '2026-11-04');
    const payment = await createPayment(fixture.browser, familyId, 10_000, {
      note: ' for all three ',
    });
    expect(payment).toMatchObject({
      id: 1,
      studentId: null,
      amount: 10_000,
      currency: 'GBP',
      status: 'completed',
      paymentDate: '2026-11-16',
      method: 'bank_transfer',
      note: 'for all three',
      familyName: 'Ruth Hale',
      students: ['Ida Hale', 'Lena Hale', 'Noah Hale'],
      credit: 0,
      balance: { currency: 'GBP', owed: 500, credit: 0 },
    });
    expect(
      payment.allocations.map((allocation) => [allocation.sessionId, allocation.amount]),
    ).toEqual([
      [first, 3500],
      [second, 3500],
      [late, 3000],
    ]);
    expect(await readSession(fixture, late)).toMatchObject({ outstanding: 500, paymentId: null });
    expect(await readSession(fixture, first)).toMatchObject({ outstanding: 0, paymentId: 1 });
  });

  test('[ENT-20, SESS-15] a session refers to the payment that settled its charge', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const id = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    await createPayment(fixture.browser, familyId, 1000);
    expect((await readSession(fixture, id)).paymentId).toBeNull();
    const second = await createPayment(fixture.browser, familyId, 2500);
    expect((await readSession(fixture, id)).paymentId).toBe(second.id);
    await refund(fixture, second.id, 1);
    expect(await readSession(fixture, id)).toMatchObject({ paymentId: null, outstanding: 1 });
  });

  test('an overpayment becomes credit, which pays the next charge automatically', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const payment = await createPayment(fixture.browser, familyId, 5000);
    expect(payment).toMatchObject({
      credit: 5000,
      allocations: [],
      balance: { owed: 0, credit: 5000 },
    });
    const id = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    expect(await readSession(fixture, id)).toMatchObject({ outstanding: 0, paymentId: payment.id });
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 1500',
    ]);
    await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-04');
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 2000']);
  });

  test('pays the selected charges before the oldest', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    const later = await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-05');
    const form = await fixture.browser.call(payments.paymentFormData, {
      query: { sessionId: later },
    });
    expect(form.body).toMatchObject({ familyId, currency: 'GBP', today: '2026-11-16' });
    expect(form.body.charges).toHaveLength(2);
    expect(form.body.preselectedChargeIds).toHaveLength(1);
    await createPayment(fixture.browser, familyId, 3500, {
      chargeIds: form.body.preselectedChargeIds,
    });
    expect((await readSession(fixture, later)).outstanding).toBe(0);
  });

  test('the form has the balance and the last method when opened from a lesson or student', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const { lessonId } = await addLesson(fixture, { studentId: children[0] ?? 0, currency: 'EUR' });
    const readForm = (query: object) => fixture.browser.call(payments.paymentFormData, { query });
    expect((await readForm({ lessonId })).body).toMatchObject({
      familyId,
      familyName: 'Ruth Hale',
      students: ['Ida Hale', 'Lena Hale', 'Noah Hale'],
      balances: [],
      lastMethod: null,
      currency: 'EUR',
    });
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    await createPayment(fixture.browser, familyId, 500, { method: 'cash' });
    expect((await readForm({ studentId: children[2] })).body).toMatchObject({
      balances: [{ currency: 'GBP', owed: 3000, credit: 0 }],
      lastMethod: 'cash',
      preselectedChargeIds: [],
      currency: 'GBP',
    });
    expect((await readForm({ familyId: 999 })).status).toBe(404);
    expect((await readForm({ lessonId: 999 })).status).toBe(404);
    expect((await readForm({})).status).toBe(404);
  });

  test('repeated requests with the same idempotency key create one payment', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const body = { familyId, amount: 700, currency: 'GBP', method: 'cash', date: '2026-11-16' };
    const send = () =>
      fixture.browser.send('POST', '/api/payments', body, { 'idempotency-key': 'payment-once' });
    const responses = await Promise.all([send(), send(), send()]);
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201]);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 700',
    ]);
  });

  test.each([
    [{ amount: 0 }, 'The amount must be greater than 0'],
    [{ amount: -5 }, 'The amount must be greater than 0'],
    [{ amount: 10.5 }, 'Please enter an amount'],
    [{ amount: 2_000_000_000 }, 'That amount is too large'],
    [{ method: 'card' as never }, 'Please choose how it was paid'],
    [{ currency: 'CHF' as never }, 'Please choose a currency from the list'],
    [{ date: '2026-02-30' }, 'Please choose a date'],
    [{ date: '2026-11-17' }, 'The date must not be in the future'],
  ])('returns 400 for %j: %s', async (change, message) => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const response = await postPayment(fixture.browser, familyId, 100, change);
    expect([response.status, response.error.message]).toEqual([400, message]);
  });

  test('a payment in euros does not pay charges in pounds', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const pounds = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    const euros = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-04', {
      currency: 'EUR',
      fee: 40,
    });
    await createPayment(fixture.browser, familyId, 9000, { currency: 'EUR' });
    expect((await readSession(fixture, pounds)).outstanding).toBe(3500);
    expect((await readSession(fixture, euros)).outstanding).toBe(0);
    const family = await readFamily(fixture.browser, familyId);
    expect(formatBalances(family)).toEqual(['EUR in credit 5000', 'GBP owes 3500']);
    const { charges } = (
      await fixture.browser.call(payments.paymentFormData, { query: { familyId } })
    ).body;
    const mixed = await postPayment(fixture.browser, familyId, 100, {
      currency: 'EUR',
      chargeIds: charges.map((charge) => charge.id),
    });
    expect(mixed.error.fields).toEqual({ currency: 'Please choose the currency of the lessons' });
  });

  test("returns 404 for another payer's charge", async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const other = await createStudent(fixture.browser, { name: 'Theo' });
    await createCompletedLesson(fixture, other.id, '2026-11-03');
    const form = await fixture.browser.call(payments.paymentFormData, {
      query: { studentId: other.id },
    });
    const chargeIds = form.body.charges.map((charge) => charge.id);
    expect((await postPayment(fixture.browser, familyId, 100, { chargeIds })).status).toBe(404);
    expect((await postPayment(fixture.browser, familyId, 100, { chargeIds: [4711] })).status).toBe(
      404,
    );
  });
});

describe('refunds and reversals', () => {
  test('a refund uses credit first, then releases the latest allocation', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const first = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    const second = await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-04');
    const payment = await createPayment(fixture.browser, familyId, 8000);
    const response = await refund(fixture, payment.id, 2000);
    expect(response.body).toMatchObject({ refunded: 2000, credit: 0 });
    expect(response.body.refunds).toEqual([
      { id: 2, kind: 'refund', amount: -2000, date: '2026-11-16' },
    ]);
    expect((await readSession(fixture, first)).outstanding).toBe(0);
    expect((await readSession(fixture, second)).outstanding).toBe(1000);
    expect((await refund(fixture, payment.id, 6001)).error.fields).toEqual({
      amount: "That's more than is left of this payment",
    });
    expect((await refund(fixture, payment.id, 6000)).status).toBe(201);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7000']);
  });

  test('a payment is reversed with a separate entry, and only once', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const id = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    const payment = await createPayment(fixture.browser, familyId, 3500);
    expect((await reverse(fixture, payment.id)).body.status).toBe('reversed');
    expect(await readSession(fixture, id)).toMatchObject({ outstanding: 3500, paymentId: null });
    expect((await reverse(fixture, payment.id)).error.message).toBe(
      'This payment has already been reversed.',
    );
    const { entries } = await readFamily(fixture.browser, familyId);
    expect(entries.map((entry) => [entry.kind, entry.amount, entry.balance])).toEqual([
      ['reversal', 3500, 3500],
      ['payment', -3500, 0],
      ['lesson', 3500, 3500],
    ]);
    expect(entries.map((entry) => entry.author)).toEqual(['tutor', 'tutor', 'tutor']);
    const list = await fixture.browser.call(payments.listPayments, { query: {} });
    expect(list.body).toEqual([]);
  });

  test('a refund can be reversed, and only then its payment', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const id = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    const payment = await createPayment(fixture.browser, familyId, 3500);
    await refund(fixture, payment.id, 1500);
    expect((await reverse(fixture, payment.id)).error.message).toBe(
      'Part of this payment was refunded. Reverse the refund first.',
    );
    expect((await reverse(fixture, 2)).body).toMatchObject({ id: payment.id, refunded: 0 });
    expect((await readSession(fixture, id)).outstanding).toBe(0);
    expect((await reverse(fixture, payment.id)).status).toBe(200);
  });
});

describe('reopening a paid session', () => {
  test('[SESS-27] turns the payment into credit, which pays for the next completed session', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const id = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    const payment = await createPayment(fixture.browser, familyId, 3500);
    expect((await reopen(fixture, id)).body).toMatchObject({ status: 'scheduled', charged: null });
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 3500',
    ]);
    await fixture.browser.call(sessions.completeSession, { params: { id }, body: {} });
    expect(await readSession(fixture, id)).toMatchObject({ outstanding: 0, paymentId: payment.id });
  });
});

describe('accounts', () => {
  test('[PROD-08] the balances contain the amount that each family owes in each currency', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const theo = await createStudent(fixture.browser, { name: 'Theo Lind' });
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-05');
    await createCompletedLesson(fixture, theo.id, '2026-11-03', { fee: 20 });
    await createCompletedLesson(fixture, theo.id, '2026-11-06', { fee: 30, currency: 'INR' });
    const balances = await fixture.browser.call(families.balances);
    expect(
      balances.body.map((family) => [family.name, family.oldestDueDate, formatBalances(family)]),
    ).toEqual([
      ['Ruth Hale', '2026-11-05', ['GBP owes 3500']],
      ['Theo Lind', '2026-11-03', ['GBP owes 2000', 'INR owes 3000']],
    ]);
    const readBalance = (id: number) =>
      fixture.browser.call(families.studentBalance, { params: { id } }).then(({ body }) => body);
    const owed = [{ currency: 'GBP', owed: 3500, credit: 0 }];
    expect(await readBalance(children[0] ?? 0)).toEqual({
      familyId,
      balances: owed,
      familyBalances: owed,
    });
    expect(await readBalance(children[1] ?? 0)).toEqual({
      familyId,
      balances: [],
      familyBalances: owed,
    });
    const list = await fixture.browser.call(families.listFamilies);
    expect(list.body.map((family) => family.name)).toEqual([
      'Maya Okafor',
      'Ruth Hale',
      'Theo Lind',
    ]);
  });

  test('a family has children, contact details, a reference and entries with a running balance', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    await createPayment(fixture.browser, familyId, 5000, { date: '2026-11-04' });
    await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-05');
    const family = await readFamily(fixture.browser, familyId);
    expect(family).toMatchObject({
      name: 'Ruth Hale',
      reference: `LESSONS${familyId}`,
      entryCount: 3,
    });
    expect(family.payToken).toMatch(/^b_[\w-]{30,}$/);
    expect(family.children.map((child) => [child.name, child.balances])).toEqual([
      ['Ida Hale', []],
      ['Lena Hale', []],
      ['Noah Hale', [{ currency: 'GBP', owed: 2000, credit: 0 }]],
    ]);
    expect(
      family.entries.map(({ date, description, studentName, amount, balance }) => [
        date,
        description,
        studentName,
        amount,
        balance,
      ]),
    ).toEqual([
      ['2026-11-05', 'Maths lesson', 'Noah Hale', 3500, 2000],
      ['2026-11-04', 'Payment', null, -5000, -1500],
      ['2026-11-03', 'Maths lesson', 'Lena Hale', 3500, 3500],
    ]);
  });

  test('entries are paginated, and the running balance includes entries on other pages', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    for (const amount of [100, 200, 300]) await createPayment(fixture.browser, familyId, amount);
    const page = await fixture.browser.call(families.family, {
      params: { id: familyId },
      query: { limit: 1, offset: 1 },
    });
    expect(page.body.entries.map((entry) => entry.balance)).toEqual([-300]);
    expect(page.body.entryCount).toBe(3);
  });

  test('an opening debt or credit affects the balance but not earnings, and a debt can be reversed', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const setBalance = (amount: number) =>
      fixture.browser.call(families.setOpeningBalance, {
        params: { id: familyId },
        body: { amount, currency: 'GBP', date: '2026-09-01' },
      });
    expect((await setBalance(4500)).body.balances).toEqual([
      { currency: 'GBP', owed: 4500, credit: 0 },
    ]);
    const { entries } = await readFamily(fixture.browser, familyId);
    const chargeId = entries[0]?.chargeId ?? 0;
    const reverseDebt = () =>
      fixture.browser.call(families.reverseCharge, { params: { id: familyId, chargeId } });
    expect((await reverseDebt()).body.balances).toEqual([]);
    expect((await reverseDebt()).status).toBe(409);
    expect((await setBalance(-2000)).body.balances).toEqual([
      { currency: 'GBP', owed: 0, credit: 2000 },
    ]);
    expect((await setBalance(0)).status).toBe(400);
    const report = await fixture.browser.call(reports.earnings, { query: { period: 'all_time' } });
    expect(report.body.totals).toEqual([]);
  });

  test('the address and reference can be changed, and an invalid reference returns 400', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const response = await fixture.browser.call(families.updateFamily, {
      params: { id: familyId },
      body: { address: '1 Mill Road\nLeeds', reference: 'HALE KIDS' },
    });
    expect(response.body).toEqual({
      address: '1 Mill Road\nLeeds',
      reference: 'HALE KIDS',
      timeZone: null,
    });
    const invalid = await fixture.browser.call(families.updateFamily, {
      params: { id: familyId },
      body: { address: '', reference: '=HALE' },
    });
    expect(invalid.status).toBe(400);
  });

  test("after a carer is added, the student's own account is listed until its balance is zero", async () => {
    const { fixture } = await createFamilyFixture(app);
    await createCompletedLesson(fixture, fixture.studentId, '2026-11-03');
    const before = await fixture.browser.call(families.listFamilies);
    const ownAccountId = before.body.find((family) => family.name === 'Maya Okafor')?.id ?? 0;
    await fixture.browser.call(students.updateStudent, {
      params: { id: fixture.studentId },
      body: { name: 'Maya Okafor', carerName: 'Ngozi Okafor' },
    });
    const names = async () =>
      (await fixture.browser.call(families.listFamilies)).body.map((family) => family.name);
    expect(await names()).toEqual(['Maya Okafor', 'Ruth Hale', 'Ngozi Okafor']);
    await createPayment(fixture.browser, ownAccountId, 3500);
    expect(await names()).toEqual(['Ruth Hale', 'Ngozi Okafor']);
  });
});
