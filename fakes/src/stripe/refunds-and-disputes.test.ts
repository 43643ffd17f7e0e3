import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectConformance,
  lessonCheckout,
  openAccount,
  payForLesson,
  startHarness,
  type TestHarness,
} from './test-harness.ts';

let harness: TestHarness;
let account: string;
let options: { stripeAccount: string };

beforeAll(async () => {
  harness = await startHarness();
  account = await openAccount(harness);
  options = { stripeAccount: account };
});
afterAll(() => harness.close());

async function eventTypesFor(id: string): Promise<string[]> {
  const all = await harness.fake.control.events();
  return all
    .filter((event) => 'account' in event && JSON.stringify(event.data.object).includes(id))
    .map((event) => event.type);
}

test('refunds a payment in parts, up to the amount paid', async () => {
  const { refunds, charges } = harness.stripe;
  const { intent, charge } = await payForLesson(harness, account, 3_000);
  const payment_intent = intent.id;
  const first = await refunds.create(
    { payment_intent, amount: 1_000, metadata: { note: 'ill' } },
    options,
  );
  expect(first).toMatchObject({
    amount: 1_000,
    status: 'succeeded',
    charge,
    metadata: { note: 'ill' },
  });
  expect(await charges.retrieve(charge, {}, options)).toMatchObject({
    amount_refunded: 1_000,
    refunded: false,
  });
  await expect(refunds.create({ payment_intent, amount: 2_500 }, options)).rejects.toThrow(
    'Refund amount (£25.00) is greater than unrefunded amount on charge (£20.00)',
  );
  const rest = await refunds.create({ charge }, options);
  expect(rest.amount).toBe(2_000);
  await expect(refunds.create({ payment_intent }, options)).rejects.toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
  });
  const refundedCharge = await charges.retrieve(charge, { expand: ['refunds'] }, options);
  expect(refundedCharge).toMatchObject({ amount_refunded: 3_000, refunded: true });
  expect(refundedCharge.refunds?.data.map((refund) => refund.id)).toEqual([rest.id, first.id]);
  const listed = await refunds.list({ payment_intent }, options);
  expect(listed.data.map((refund) => refund.id)).toEqual([rest.id, first.id]);
  expect(await refunds.retrieve(first.id, {}, options)).toMatchObject({ amount: 1_000 });
  expect((await eventTypesFor(charge)).filter((type) => type === 'charge.refunded')).toHaveLength(
    2,
  );
});

test('rejects a refund without a successful charge', async () => {
  const { refunds, checkout } = harness.stripe;
  await expect(refunds.create({}, options)).rejects.toMatchObject({ code: 'parameter_missing' });
  await expect(refunds.create({ payment_intent: 'pi_nothing' }, options)).rejects.toMatchObject({
    code: 'resource_missing',
  });
  const session = await checkout.sessions.create(lessonCheckout(), options);
  await harness.fake.control.payOnCheckoutPage(session.id, '4000000000000002');
  const open = await checkout.sessions.retrieve(session.id, {}, options);
  await expect(
    refunds.create({ payment_intent: open.payment_intent as string }, options),
  ).rejects.toThrow(/does not have a successful charge/);
});

test('a failed refund restores the charge', async () => {
  const { control } = harness.fake;
  const { charge } = await payForLesson(harness, account, 2_000);
  const id = await control.refundFromDashboard(charge, 500);
  await control.failRefund(id);
  const { refunds, charges } = harness.stripe;
  expect(await refunds.retrieve(id, {}, options)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  expect(await charges.retrieve(charge, {}, options)).toMatchObject({ amount_refunded: 0 });
  expect(await eventTypesFor(id)).toEqual(['refund.created', 'refund.updated', 'refund.failed']);
  await expect(control.failRefund(id)).rejects.toThrow('already failed');
});

test('a refund of a debit is pending until it settles', async () => {
  const { control } = harness.fake;
  const session = await harness.stripe.checkout.sessions.create(lessonCheckout(), options);
  await control.payOnCheckoutPage(session.id, 'bank-debit-succeeds');
  expect(await control.settleDebits()).toBe(1);
  const paid = await harness.stripe.checkout.sessions.retrieve(session.id, {}, options);
  const refund = await harness.stripe.refunds.create(
    { payment_intent: paid.payment_intent as string },
    options,
  );
  expect(refund.status).toBe('pending');
  await control.settleRefund(refund.id);
  expect(await harness.stripe.refunds.retrieve(refund.id, {}, options)).toMatchObject({
    status: 'succeeded',
  });
});

test('a dispute withdraws the money, which is returned if the dispute is won', async () => {
  const { control } = harness.fake;
  for (const result of ['won', 'lost'] as const) {
    const { charge, intent } = await payForLesson(harness, account, 4_000);
    const id = await control.openDispute(charge);
    const dispute = await harness.stripe.disputes.retrieve(id, {}, options);
    expect(dispute).toMatchObject({ amount: 4_000, status: 'needs_response', charge });
    await expect(harness.stripe.refunds.create({ charge }, options)).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    await control.sendEvidence(id);
    await control.closeDispute(id, result);
    const [listed] = (await harness.stripe.disputes.list({ payment_intent: intent.id }, options))
      .data;
    expect(listed).toMatchObject({ id, status: result });
    expect(await eventTypesFor(id)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      ...(result === 'won' ? ['charge.dispute.funds_reinstated'] : []),
      'charge.dispute.closed',
    ]);
  }
});

test('the balance is the sum of the transactions', async () => {
  const newAccount = await openAccount(harness);
  const scope = { stripeAccount: newAccount };
  const { charge } = await payForLesson(harness, newAccount, 10_000);
  await harness.stripe.refunds.create({ charge, amount: 2_500 }, scope);

  const fee = 170;
  const before = await harness.stripe.balance.retrieve({}, scope);
  expect(before.pending[0]).toMatchObject({ amount: 10_000 - fee, currency: 'gbp' });
  expect(before.available[0]).toMatchObject({ amount: -2_500, currency: 'gbp' });

  const transactions = await harness.stripe.balanceTransactions.list({}, scope);
  expect(transactions.data.map(({ type, amount, net }) => [type, amount, net])).toEqual([
    ['refund', -2_500, -2_500],
    ['charge', 10_000, 10_000 - fee],
  ]);
  const chargeTransactions = await harness.stripe.balanceTransactions.list(
    { source: charge },
    scope,
  );
  expect(chargeTransactions.data).toHaveLength(1);

  await harness.fake.control.advanceClock(4 * 86_400_000);
  const after = await harness.stripe.balance.retrieve({}, scope);
  expect(after.available[0]?.amount).toBe(10_000 - fee - 2_500);
  expect(after.pending[0]?.amount).toBe(0);
});

test('the report contains every payment, refund and dispute', async () => {
  const newAccount = await openAccount(harness);
  const { control } = harness.fake;
  const paid = await payForLesson(harness, newAccount, 3_333);
  const refunded = await payForLesson(harness, newAccount, 2_000);
  const refundId = await control.refundFromDashboard(refunded.charge, 750);
  const disputed = await payForLesson(harness, newAccount, 1_000);
  const disputeId = await control.openDispute(disputed.charge);
  const open = await harness.stripe.checkout.sessions.create(lessonCheckout(), {
    stripeAccount: newAccount,
  });

  const [report] = await control.report(newAccount);
  expect(report).toMatchObject({
    account: newAccount,
    netByCurrency: { gbp: 3_333 + 2_000 - 750 },
  });
  expect(report?.payments[0]).toEqual({
    sessionId: paid.session.id,
    paymentIntentId: paid.intent.id,
    chargeId: paid.charge,
    clientReferenceId: 'pay_77',
    metadata: { payment: '77' },
    paymentMetadata: { payment: '77' },
    amount: 3_333,
    amountRefunded: 0,
    currency: 'gbp',
    state: 'paid',
  });
  expect(report?.payments.at(-1)).toMatchObject({ sessionId: open.id, state: 'open' });
  expect(report?.refunds).toMatchObject([{ id: refundId, amount: 750, chargeId: refunded.charge }]);
  expect(report?.disputes).toMatchObject([{ id: disputeId, amount: 1_000 }]);
});

test('all requests, responses and events conform to the API description', () =>
  expectConformance(harness));
