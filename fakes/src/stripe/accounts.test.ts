import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitForm } from '../shared/submit-form.ts';
import {
  expectConforming,
  openAccount,
  sdkFor,
  startHarness,
  type TestHarness,
  TUTOR,
} from './test-harness.ts';

let harness: TestHarness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const PARTS = { include: ['configuration.merchant', 'requirements'] as const };

async function statusOf(id: string) {
  const account = await harness.stripe.v2.core.accounts.retrieve(id, {
    include: [...PARTS.include],
  });
  const capabilities = account.configuration?.merchant?.capabilities;
  return {
    cards: capabilities?.card_payments?.status,
    payouts: capabilities?.stripe_balance?.payouts?.status,
    outstanding: account.requirements?.entries?.length,
  };
}

async function link(account: string): Promise<string> {
  const made = await harness.stripe.v2.core.accountLinks.create({
    account,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: {
        refresh_url: 'http://lessons.example/refresh',
        return_url: 'http://lessons.example/return',
      },
    },
  });
  return made.url;
}

async function open(url: string): Promise<{ status: number; html: string; to: string | null }> {
  const answer = await fetch(url, { redirect: 'manual' });
  return {
    status: answer.status,
    html: await answer.text(),
    to: answer.headers.get('location'),
  };
}

test('a new account shows only its bare facts, and the parts that are asked for', async () => {
  const made = await harness.stripe.v2.core.accounts.create(TUTOR);
  expect(made.id).toMatch(/^acct_1\w{15}$/);
  expect(made).toMatchObject({ dashboard: 'full', applied_configurations: ['merchant'] });
  expect(made.configuration).toBeUndefined();
  expect(made.requirements).toBeUndefined();

  expect(await statusOf(made.id)).toEqual({
    cards: 'restricted',
    payouts: 'restricted',
    outstanding: 2,
  });
  const defaults = await harness.stripe.v2.core.accounts.retrieve(made.id, {
    include: ['defaults', 'identity'],
  });
  expect(defaults.defaults?.responsibilities.losses_collector).toBe('stripe');
  expect(defaults.identity?.country).toBe('gb');
});

test('an express dashboard with losses at Stripe is refused', async () => {
  await expect(
    harness.stripe.v2.core.accounts.create({ ...TUTOR, dashboard: 'express' }),
  ).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
});

test('completing the form opens the account and says so in thin events', async () => {
  const { id } = await harness.stripe.v2.core.accounts.create(TUTOR);
  const url = await link(id);
  const page = await open(url);
  expect(page.status).toBe(200);

  const answer = await submitForm(url, page.html, 'Complete onboarding');
  expect(answer.headers.get('location')).toBe('http://lessons.example/return');
  expect(await statusOf(id)).toEqual({ cards: 'active', payouts: 'active', outstanding: 0 });

  const told = await harness.fake.control.events();
  const types = told.filter((event) => 'context' in event && event.context === id);
  expect(types.map((event) => event.type)).toEqual([
    'v2.core.account.created',
    'v2.core.account[requirements].updated',
    'v2.core.account[configuration.merchant].capability_status_updated',
    'v2.core.account[configuration.merchant].capability_status_updated',
  ]);
});

test('leaving the form returns as well, with nothing done', async () => {
  const { id } = await harness.stripe.v2.core.accounts.create(TUTOR);
  const url = await link(id);
  const answer = await submitForm(url, (await open(url)).html, 'Leave incomplete');
  expect(answer.headers.get('location')).toBe('http://lessons.example/return');
  expect((await statusOf(id)).cards).toBe('restricted');
});

test('a link that is used, spent or old leads to where a new one is made', async () => {
  const { id } = await harness.stripe.v2.core.accounts.create(TUTOR);
  const refresh = 'http://lessons.example/refresh';

  const used = await link(id);
  const page = await open(used);
  expect((await open(used)).to).toBe(refresh);
  const pressed = await submitForm(used, page.html, 'Let the link expire');
  expect(pressed.headers.get('location')).toBe(refresh);
  const again = await submitForm(used, page.html, 'Complete onboarding');
  expect(again.headers.get('location')).toBe(refresh);

  const old = await link(id);
  await harness.fake.control.advanceClock(6 * 60_000);
  expect((await open(old)).to).toBe(refresh);
  expect((await statusOf(id)).cards).toBe('restricted');
});

test('payouts stop and start again', async () => {
  const id = await openAccount(harness);
  await harness.fake.control.disablePayouts(id);
  expect(await statusOf(id)).toMatchObject({ cards: 'active', payouts: 'restricted' });
  await harness.fake.control.restorePayouts(id);
  expect(await statusOf(id)).toMatchObject({ payouts: 'active', outstanding: 0 });
});

test('an account is changed, listed page by page and closed', async () => {
  const other = await startHarness();
  for (let count = 0; count < 5; count += 1) await other.stripe.v2.core.accounts.create(TUTOR);
  const all = await other.stripe.v2.core.accounts
    .list({ limit: 2 })
    .autoPagingToArray({ limit: 9 });
  expect(new Set(all.map((account) => account.id)).size).toBe(5);

  const id = all[0]?.id ?? '';
  const changed = await other.stripe.v2.core.accounts.update(id, {
    display_name: 'Ada L.',
    metadata: { tutor: '1' },
  });
  expect(changed).toMatchObject({ display_name: 'Ada L.', metadata: { tutor: '1' } });

  await other.stripe.v2.core.accounts.close(id, { applied_configurations: ['merchant'] });
  expect(await other.stripe.v2.core.accounts.retrieve(id)).toMatchObject({ closed: true });
  await expect(other.stripe.balance.retrieve({}, { stripeAccount: id })).rejects.toMatchObject({
    statusCode: 403,
  });
  await expectConforming(other);
  await other.close();
});

test('v1 shows the same account', async () => {
  const id = await openAccount(harness);
  expect(await harness.stripe.accounts.retrieve(id)).toMatchObject({
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
  });
});

test('a disconnected account is out of reach, and the platform is told', async () => {
  const id = await openAccount(harness);
  await harness.fake.control.deauthorize(id);
  const refusal = { statusCode: 403, type: 'StripePermissionError', code: 'account_invalid' };
  await expect(harness.stripe.charges.list({}, { stripeAccount: id })).rejects.toMatchObject(
    refusal,
  );
  await expect(harness.stripe.v2.core.accounts.retrieve(id)).rejects.toMatchObject(refusal);
  const [event] = await harness.fake.control.events('account.application.deauthorized');
  expect(event).toMatchObject({ account: id, livemode: false });
});

test('a wrong key is refused', async () => {
  await expect(
    sdkFor(harness.fake, 'sk_test_somebody_else').balance.retrieve(),
  ).rejects.toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' });
});

test('accounts are spoken of as Stripe does', () => expectConforming(harness));
