import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectConformance,
  lessonCheckout,
  openAccount,
  payForLesson,
  startHarness,
  type TestHarness,
  TUTOR,
} from './test-harness.ts';

let harness: TestHarness;
let account: string;

beforeAll(async () => {
  harness = await startHarness();
  account = await openAccount(harness);
});
afterAll(() => harness.close());

async function newSession(overrides = {}) {
  const { stripe } = harness;
  return stripe.checkout.sessions.create(
    { ...lessonCheckout(), ...overrides },
    { stripeAccount: account },
  );
}

test('a session expires only once, at its expiry time or on request', async () => {
  const { control } = harness.fake;
  const expiresAt = Math.floor((await control.now()) / 1000) + 1_800;
  const short = await newSession({ expires_at: expiresAt });
  await control.advanceClock(31 * 60_000);
  expect(
    (await harness.stripe.checkout.sessions.retrieve(short.id, {}, { stripeAccount: account }))
      .status,
  ).toBe('expired');

  const open = await newSession();
  const options = { stripeAccount: account };
  expect((await harness.stripe.checkout.sessions.expire(open.id, {}, options)).status).toBe(
    'expired',
  );
  await expect(harness.stripe.checkout.sessions.expire(open.id, {}, options)).rejects.toThrow(
    /status of expired/,
  );
  const events = await control.events('checkout.session.expired');
  const ids = events.map((event) => (event as { data: { object: { id: string } } }).data.object.id);
  expect(ids.filter((id) => id === short.id || id === open.id)).toEqual([short.id, open.id]);
});

test('rejects invalid parameters and accounts that have not completed onboarding', async () => {
  const twoPence = [
    {
      price_data: { currency: 'gbp', unit_amount: 2, product_data: { name: 'Sweets' } },
      quantity: 1,
    },
  ];
  for (const [overrides, error] of [
    [{ line_items: twoPence }, { code: 'amount_too_small' }],
    [{ success_url: 'nowhere' }, { code: 'url_invalid', param: 'success_url' }],
    [{ customer_email: 'invalid' }, { code: 'email_invalid' }],
    [{ expires_at: 1 }, { param: 'expires_at' }],
    [{ line_items: [] }, { code: 'parameter_missing', param: 'line_items' }],
  ] as const) {
    await expect(newSession(overrides), JSON.stringify(overrides)).rejects.toMatchObject({
      statusCode: 400,
      ...error,
    });
  }
  const newAccount = await harness.stripe.v2.core.accounts.create(TUTOR);
  await expect(
    harness.stripe.checkout.sessions.create(lessonCheckout(), { stripeAccount: newAccount.id }),
  ).rejects.toThrow(/cannot currently make charges/);
});

test('the total is the sum of line items and quantities', async () => {
  const session = await newSession({
    line_items: [
      {
        price_data: { currency: 'gbp', unit_amount: 1_999, product_data: { name: 'A' } },
        quantity: 3,
      },
      {
        price_data: { currency: 'gbp', unit_amount: 1, product_data: { name: 'B' } },
        quantity: 2,
      },
    ],
  });
  expect(session.amount_total).toBe(5_999);
  const items = await harness.stripe.checkout.sessions.listLineItems(
    session.id,
    { limit: 10 },
    { stripeAccount: account },
  );
  expect(items.data.map((item) => [item.description, item.amount_total])).toEqual([
    ['A', 5_997],
    ['B', 2],
  ]);
});

test('lists are paged and filtered', async () => {
  const newAccount = await openAccount(harness);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    ids.push((await payForLesson(harness, newAccount, 1_000 + count)).intent.id);
  }
  const options = { stripeAccount: newAccount };
  const first = await harness.stripe.paymentIntents.list({ limit: 2 }, options);
  expect(first.has_more).toBe(true);
  expect(first.data.map((intent) => intent.id)).toEqual([ids[4], ids[3]]);
  const rest = await harness.stripe.paymentIntents.list(
    { limit: 3, starting_after: ids[3] ?? '' },
    options,
  );
  expect(rest).toMatchObject({ has_more: false });
  expect(rest.data.map((intent) => intent.id)).toEqual([ids[2], ids[1], ids[0]]);

  const all = await harness.stripe.charges
    .list({ limit: 2 }, options)
    .autoPagingToArray({ limit: 50 });
  expect(all.map((charge) => charge.amount)).toEqual([1_004, 1_003, 1_002, 1_001, 1_000]);
  const future = Math.floor((await harness.fake.control.now()) / 1000) + 100;
  const later = await harness.stripe.charges.list({ created: { gte: future } }, options);
  expect(later.data).toEqual([]);
  await expect(harness.stripe.charges.list({ limit: 101 }, options)).rejects.toMatchObject({
    param: 'limit',
  });
});

test('objects in one account are invisible to other accounts and the platform', async () => {
  const other = await openAccount(harness);
  const { session, intent, charge } = await payForLesson(harness, account);
  const error = { statusCode: 404, code: 'resource_missing' };
  for (const options of [{ stripeAccount: other }, {}]) {
    const { stripe } = harness;
    await expect(stripe.checkout.sessions.retrieve(session.id, {}, options)).rejects.toMatchObject(
      error,
    );
    await expect(stripe.paymentIntents.retrieve(intent.id, {}, options)).rejects.toMatchObject(
      error,
    );
    await expect(stripe.charges.retrieve(charge, {}, options)).rejects.toMatchObject(error);
    await expect(stripe.refunds.create({ charge }, options)).rejects.toMatchObject(error);
    expect((await stripe.charges.list({}, options)).data).toEqual([]);
    expect((await stripe.events.list({}, options)).data).toEqual([]);
  }
  await expect(
    harness.stripe.charges.list({}, { stripeAccount: 'acct_1Nobody000000000' }),
  ).rejects.toMatchObject({ statusCode: 403, code: 'account_invalid' });
});

test('all requests, responses and events conform to the API description', () =>
  expectConformance(harness));
