import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { reports } from '@lessonbook/contract/reports';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newStudent } from '../../test/book.ts';
import { type House, openHouse } from '../../test/house.ts';
import { account, inShort, mustBalance, openFamily, paid, pay, teach } from '../../test/money.ts';
import { addLesson, type Desk } from '../../test/teaching.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => house.close());
// Whatever a test did, the book must balance after it.
afterEach(() => mustBalance(house));

const session = async (desk: Desk, id: number) =>
  (await desk.browser.call(sessions.session, { params: { id } })).body;
const reopen = (desk: Desk, id: number) =>
  desk.browser.call(sessions.reopenSession, { params: { id }, body: {} });
const refund = (desk: Desk, id: number, amount: number) =>
  desk.browser.call(payments.refundPayment, {
    params: { id },
    body: { amount, date: '2026-11-16' },
  });
const reverse = (desk: Desk, id: number) =>
  desk.browser.call(payments.reversePayment, { params: { id } });

describe('recording a payment', () => {
  test('[PROD-07, ENT-18] £100 for three children in one entry: oldest due first, the rest stays due', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const [lena = 0, noah = 0, ida = 0] = children;
    const late = await teach(desk, ida, '2026-11-05');
    const first = await teach(desk, lena, '2026-11-03');
    const second = await teach(desk, noah, '2026-11-04');
    const payment = await paid(desk.browser, familyId, 10_000, { note: ' for all three ' });
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
    expect(payment.covers.map((cover) => [cover.sessionId, cover.amount])).toEqual([
      [first, 3500],
      [second, 3500],
      [late, 3000],
    ]);
    expect(await session(desk, late)).toMatchObject({ outstanding: 500, paymentId: null });
    expect(await session(desk, first)).toMatchObject({ outstanding: 0, paymentId: 1 });
  });

  test('[ENT-20, SESS-15] a session is paid when its charge is, by the payment that completed it', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const id = await teach(desk, children[0] ?? 0, '2026-11-03');
    await paid(desk.browser, familyId, 1000);
    expect((await session(desk, id)).paymentId).toBeNull();
    const second = await paid(desk.browser, familyId, 2500);
    expect((await session(desk, id)).paymentId).toBe(second.id);
    await refund(desk, second.id, 1);
    expect(await session(desk, id)).toMatchObject({ paymentId: null, outstanding: 1 });
  });

  test('too much becomes credit, which the next charge uses by itself', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const payment = await paid(desk.browser, familyId, 5000);
    expect(payment).toMatchObject({ credit: 5000, covers: [], balance: { owed: 0, credit: 5000 } });
    const id = await teach(desk, children[0] ?? 0, '2026-11-03');
    expect(await session(desk, id)).toMatchObject({ outstanding: 0, paymentId: payment.id });
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP in credit 1500']);
    await teach(desk, children[1] ?? 0, '2026-11-04');
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP owes 2000']);
  });

  test('money goes to the lessons it names before the oldest', async () => {
    const { desk, familyId, children } = await openFamily(house);
    await teach(desk, children[0] ?? 0, '2026-11-03');
    const later = await teach(desk, children[1] ?? 0, '2026-11-05');
    const start = await desk.browser.call(payments.startPayment, { query: { sessionId: later } });
    expect(start.body).toMatchObject({ familyId, currency: 'GBP', today: '2026-11-16' });
    expect(start.body.charges).toHaveLength(2);
    expect(start.body.named).toHaveLength(1);
    await paid(desk.browser, familyId, 3500, { chargeIds: start.body.named });
    expect((await session(desk, later)).outstanding).toBe(0);
  });

  test('it starts with the balance, today and the last method, from lesson, student or family', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const { lessonId } = await addLesson(desk, { studentId: children[0] ?? 0, currency: 'EUR' });
    const start = (query: object) => desk.browser.call(payments.startPayment, { query });
    expect((await start({ lessonId })).body).toMatchObject({
      familyId,
      familyName: 'Ruth Hale',
      students: ['Ida Hale', 'Lena Hale', 'Noah Hale'],
      balances: [],
      lastMethod: null,
      currency: 'EUR',
    });
    await teach(desk, children[0] ?? 0, '2026-11-03');
    await paid(desk.browser, familyId, 500, { method: 'cash' });
    expect((await start({ studentId: children[2] })).body).toMatchObject({
      balances: [{ currency: 'GBP', owed: 3000, credit: 0 }],
      lastMethod: 'cash',
      named: [],
      currency: 'GBP',
    });
    expect((await start({ familyId: 999 })).status).toBe(404);
    expect((await start({ lessonId: 999 })).status).toBe(404);
    expect((await start({})).status).toBe(404);
  });

  test('a repeat with the same key is one payment', async () => {
    const { desk, familyId } = await openFamily(house);
    const body = { familyId, amount: 700, currency: 'GBP', method: 'cash', date: '2026-11-16' };
    const send = () =>
      desk.browser.send('POST', '/api/payments', body, { 'idempotency-key': 'payment-once' });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201]);
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP in credit 700']);
  });

  test.each([
    [{ amount: 0 }, 'The amount must be greater than 0'],
    [{ amount: -5 }, 'The amount must be greater than 0'],
    [{ amount: 10.5 }, 'Please enter an amount'],
    [{ amount: 2_000_000_000 }, 'That amount is too large'],
    [{ method: 'card' as never }, 'Please choose how it was paid'],
    [{ currency: 'CHF' as never }, 'Please choose a currency from the list'],
    [{ date: '2026-02-30' }, 'Please pick a date'],
    [{ date: '2026-11-17' }, 'The date must not be in the future'],
  ])('%j is refused: %s', async (change, message) => {
    const { desk, familyId } = await openFamily(house);
    const answer = await pay(desk.browser, familyId, 100, change);
    expect([answer.status, answer.error.message]).toEqual([400, message]);
  });

  test('currencies never mix: euros pay no pounds', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const pounds = await teach(desk, children[0] ?? 0, '2026-11-03');
    const euros = await teach(desk, children[0] ?? 0, '2026-11-04', { currency: 'EUR', fee: 40 });
    await paid(desk.browser, familyId, 9000, { currency: 'EUR' });
    expect((await session(desk, pounds)).outstanding).toBe(3500);
    expect((await session(desk, euros)).outstanding).toBe(0);
    const family = await account(desk.browser, familyId);
    expect(inShort(family)).toEqual(['EUR in credit 5000', 'GBP owes 3500']);
    const { charges } = (await desk.browser.call(payments.startPayment, { query: { familyId } }))
      .body;
    const mixed = await pay(desk.browser, familyId, 100, {
      currency: 'EUR',
      chargeIds: charges.map((charge) => charge.id),
    });
    expect(mixed.error.fields).toEqual({ currency: 'Please choose the currency of the lessons' });
  });

  test("another payer's charge cannot be named", async () => {
    const { desk, familyId } = await openFamily(house);
    const other = await newStudent(desk.browser, { name: 'Theo' });
    await teach(desk, other.id, '2026-11-03');
    const start = await desk.browser.call(payments.startPayment, {
      query: { studentId: other.id },
    });
    const chargeIds = start.body.charges.map((charge) => charge.id);
    expect((await pay(desk.browser, familyId, 100, { chargeIds })).status).toBe(404);
    expect((await pay(desk.browser, familyId, 100, { chargeIds: [4711] })).status).toBe(404);
  });
});

describe('giving back and taking back', () => {
  test('a refund takes unused money first, then what was paid last', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const first = await teach(desk, children[0] ?? 0, '2026-11-03');
    const second = await teach(desk, children[1] ?? 0, '2026-11-04');
    const payment = await paid(desk.browser, familyId, 8000);
    const answer = await refund(desk, payment.id, 2000);
    expect(answer.body).toMatchObject({ refunded: 2000, credit: 0 });
    expect(answer.body.refunds).toEqual([{ id: 2, amount: -2000, date: '2026-11-16' }]);
    expect((await session(desk, first)).outstanding).toBe(0);
    expect((await session(desk, second)).outstanding).toBe(1000);
    expect((await refund(desk, payment.id, 6001)).error.fields).toEqual({
      amount: 'That is more than is left of this payment',
    });
    expect((await refund(desk, payment.id, 6000)).status).toBe(201);
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP owes 7000']);
  });

  test('a mistake is taken back by an entry of its own, once', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const id = await teach(desk, children[0] ?? 0, '2026-11-03');
    const payment = await paid(desk.browser, familyId, 3500);
    expect((await reverse(desk, payment.id)).body.status).toBe('reversed');
    expect(await session(desk, id)).toMatchObject({ outstanding: 3500, paymentId: null });
    expect((await reverse(desk, payment.id)).error.message).toBe(
      'This payment was already taken back.',
    );
    const { entries } = await account(desk.browser, familyId);
    expect(entries.map((entry) => [entry.kind, entry.amount, entry.balance])).toEqual([
      ['reversal', 3500, 3500],
      ['payment', -3500, 0],
      ['lesson', 3500, 3500],
    ]);
    expect(entries.map((entry) => entry.author)).toEqual(['tutor', 'tutor', 'tutor']);
    const list = await desk.browser.call(payments.listPayments, { query: {} });
    expect(list.body).toEqual([]);
  });

  test('a refund can be taken back too, and holds up taking back its payment', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const id = await teach(desk, children[0] ?? 0, '2026-11-03');
    const payment = await paid(desk.browser, familyId, 3500);
    await refund(desk, payment.id, 1500);
    expect((await reverse(desk, payment.id)).error.message).toBe(
      'Part of this payment was refunded. Take the refund back first.',
    );
    expect((await reverse(desk, 2)).body).toMatchObject({ id: payment.id, refunded: 0 });
    expect((await session(desk, id)).outstanding).toBe(0);
    expect((await reverse(desk, payment.id)).status).toBe(200);
  });
});

describe('reopening what was paid', () => {
  test('[SESS-27] returns the money to credit, which the next completion uses', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const id = await teach(desk, children[0] ?? 0, '2026-11-03');
    const payment = await paid(desk.browser, familyId, 3500);
    expect((await reopen(desk, id)).body).toMatchObject({ status: 'scheduled', charged: null });
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP in credit 3500']);
    await desk.browser.call(sessions.completeSession, { params: { id }, body: {} });
    expect(await session(desk, id)).toMatchObject({ outstanding: 0, paymentId: payment.id });
  });
});

describe('accounts', () => {
  test('[PROD-08] balances: who owes, the one who has waited longest first, per currency', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const theo = await newStudent(desk.browser, { name: 'Theo Lind' });
    await teach(desk, children[0] ?? 0, '2026-11-05');
    await teach(desk, theo.id, '2026-11-03', { fee: 20 });
    await teach(desk, theo.id, '2026-11-06', { fee: 30, currency: 'INR' });
    const balances = await desk.browser.call(families.balances);
    expect(balances.body.map((family) => [family.name, family.oldestDue, inShort(family)])).toEqual(
      [
        ['Theo Lind', '2026-11-03', ['GBP owes 2000', 'INR owes 3000']],
        ['Ruth Hale', '2026-11-05', ['GBP owes 3500']],
      ],
    );
    const student = (id: number) =>
      desk.browser.call(families.studentBalance, { params: { id } }).then(({ body }) => body);
    expect(await student(children[0] ?? 0)).toEqual({
      familyId,
      balances: [{ currency: 'GBP', owed: 3500, credit: 0 }],
    });
    expect(await student(children[1] ?? 0)).toEqual({ familyId, balances: [] });
    const list = await desk.browser.call(families.listFamilies);
    expect(list.body.map((family) => family.name)).toEqual([
      'Maya Okafor',
      'Ruth Hale',
      'Theo Lind',
    ]);
  });

  test('the family sees children, contacts, reference and every entry with the balance after it', async () => {
    const { desk, familyId, children } = await openFamily(house);
    await teach(desk, children[0] ?? 0, '2026-11-03');
    await paid(desk.browser, familyId, 5000, { date: '2026-11-04' });
    await teach(desk, children[1] ?? 0, '2026-11-05');
    const family = await account(desk.browser, familyId);
    expect(family).toMatchObject({
      name: 'Ruth Hale',
      reference: `HALE${familyId}`,
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

  test('entries come in pages, the balance runs over all of them', async () => {
    const { desk, familyId } = await openFamily(house);
    for (const amount of [100, 200, 300]) await paid(desk.browser, familyId, amount);
    const page = await desk.browser.call(families.family, {
      params: { id: familyId },
      query: { limit: 1, offset: 1 },
    });
    expect(page.body.entries.map((entry) => entry.balance)).toEqual([-300]);
    expect(page.body.entryCount).toBe(3);
  });

  test('an opening balance counts in the balance alone: owed or credit, and can be taken back', async () => {
    const { desk, familyId } = await openFamily(house);
    const open = (amount: number) =>
      desk.browser.call(families.setOpeningBalance, {
        params: { id: familyId },
        body: { amount, currency: 'GBP', date: '2026-09-01' },
      });
    expect((await open(4500)).body.balances).toEqual([{ currency: 'GBP', owed: 4500, credit: 0 }]);
    const { entries } = await account(desk.browser, familyId);
    const chargeId = entries[0]?.chargeId ?? 0;
    const back = () =>
      desk.browser.call(families.reverseCharge, { params: { id: familyId, chargeId } });
    expect((await back()).body.balances).toEqual([]);
    expect((await back()).status).toBe(409);
    expect((await open(-2000)).body.balances).toEqual([{ currency: 'GBP', owed: 0, credit: 2000 }]);
    expect((await open(0)).status).toBe(400);
    const report = await desk.browser.call(reports.earnings, { query: { period: 'all_time' } });
    expect(report.body.totals).toEqual([]);
  });

  test('address and reference can be changed, and nothing else', async () => {
    const { desk, familyId } = await openFamily(house);
    const answer = await desk.browser.call(families.updateFamily, {
      params: { id: familyId },
      body: { address: '1 Mill Road\nLeeds', reference: 'HALE KIDS' },
    });
    expect(answer.body).toEqual({ address: '1 Mill Road\nLeeds', reference: 'HALE KIDS' });
    const wrong = await desk.browser.call(families.updateFamily, {
      params: { id: familyId },
      body: { address: '', reference: '=HALE' },
    });
    expect(wrong.status).toBe(400);
  });

  test('a student who gets a carer keeps the old account while money is open, then it is gone from the list', async () => {
    const { desk } = await openFamily(house);
    await teach(desk, desk.studentId, '2026-11-03');
    const before = await desk.browser.call(families.listFamilies);
    const own = before.body.find((family) => family.name === 'Maya Okafor')?.id ?? 0;
    await desk.browser.call(students.updateStudent, {
      params: { id: desk.studentId },
      body: { name: 'Maya Okafor', carerName: 'Ngozi Okafor' },
    });
    const names = async () =>
      (await desk.browser.call(families.listFamilies)).body.map((family) => family.name);
    expect(await names()).toEqual(['Maya Okafor', 'Ngozi Okafor', 'Ruth Hale']);
    await paid(desk.browser, own, 3500);
    expect(await names()).toEqual(['Ngozi Okafor', 'Ruth Hale']);
  });
});
