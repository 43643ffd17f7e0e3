import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitForm } from '../shared/submit-form.ts';
import {
  expectConformance,
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

const INCLUDED_PARTS = { include: ['configuration.merchant', 'requirements'] as const };

async function readStatus(id: string) {
  const account = await harness.stripe.v2.core.accounts.retrieve(id, {
    include: [...INCLUDED_PARTS.include],
  });
  const capabilities = account.configuration?.merchant?.capabilities;
  return {
    cards: capabilities?.card_payments?.status,
    payouts: capabilities?.stripe_balance?.payouts?.status,
    outstanding: account.requirements?.entries?.length,
  };
}

async function createLink(account: string): Promise<string> {
  const link = await harness.stripe.v2.core.accountLinks.create({
    account,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: {
        refresh_url: 'http://lessons.example/refresh',
        return_url: 'http://lessons.example/return',
      },
    },
  });
  return link.url;
}

async function openPage(
  url: string,
): Promise<{ status: number; html: string; location: string | null }> {
  const response = await fetch(url, { redirect: 'manual' });
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get('location'),
  };
}

test('a new account is returned with optional parts only when they are named in include', async () => {
  const created = await harness.stripe.v2.core.accounts.create(TUTOR);
  expect(created.id).toMatch(/^acct_1\w{15}$/);
  expect(created).toMatchObject({ dashboard: 'full', applied_configurations: ['merchant'] });
  expect(created.configuration).toBeUndefined();
  expect(created.requirements).toBeUndefined();

  expect(await readStatus(created.id)).toEqual({
    cards: 'restricted',
    payouts: 'restricted',
    outstanding: 2,
  });
  const defaults = await harness.stripe.v2.core.accounts.retrieve(created.id, {
    include: ['defaults', 'identity'],
  });
  expect(defaults.defaults?.responsibilities.losses_collector).toBe('stripe');
  expect(defaults.identity?.country).toBe('gb');
});

test('rejects an express dashboard when Stripe is liable for losses', async () => {
  await expect(
    harness.stripe.v2.core.accounts.create({ ...TUTOR, dashboard: 'express' }),
  ).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
});

test('completing onboarding activates the account and emits thin events', async () => {
  const { id } = await harness.stripe.v2.core.accounts.create(TUTOR);
  const url = await createLink(id);
  const page = await openPage(url);
  expect(page.status).toBe(200);

  const response = await submitForm(url, page.html, 'Complete onboarding');
  expect(response.headers.get('location')).toBe('http://lessons.example/return');
  expect(await readStatus(id)).toEqual({ cards: 'active', payouts: 'active', outstanding: 0 });

  const events = await harness.fake.control.events();
  const accountEvents = events.filter((event) => 'context' in event && event.context === id);
  expect(accountEvents.map((event) => event.type)).toEqual([
    'v2.core.account.created',
    'v2.core.account[requirements].updated',
    'v2.core.account[configuration.merchant].capability_status_updated',
    'v2.core.account[configuration.merchant].capability_status_updated',
  ]);
});

test('leaving onboarding redirects to the return URL without changes', async () => {
  const { id } = await harness.stripe.v2.core.accounts.create(TUTOR);
  const url = await createLink(id);
  const response = await submitForm(url, (await openPage(url)).html, 'Leave incomplete');
  expect(response.headers.get('location')).toBe('http://lessons.example/return');
  expect((await readStatus(id)).cards).toBe('restricted');
});

test('an opened, used or expired link redirects to the refresh URL', async () => {
  const { id } = await harness.stripe.v2.core.accounts.create(TUTOR);
  const refresh = 'http://lessons.example/refresh';

  const used = await createLink(id);
  const page = await openPage(used);
  expect((await openPage(used)).location).toBe(refresh);
  const expired = await submitForm(used, page.html, 'Let the link expire');
  expect(expired.headers.get('location')).toBe(refresh);
  const reused = await submitForm(used, page.html, 'Complete onboarding');
  expect(reused.headers.get('location')).toBe(refresh);

  const old = await createLink(id);
  await harness.fake.control.advanceClock(6 * 60_000);
  expect((await openPage(old)).location).toBe(refresh);
  expect((await readStatus(id)).cards).toBe('restricted');
});

test('payouts can be disabled and restored', async () => {
  const id = await openAccount(harness);
  await harness.fake.control.disablePayouts(id);
  expect(await readStatus(id)).toMatchObject({ cards: 'active', payouts: 'restricted' });
  await harness.fake.control.restorePayouts(id);
  expect(await readStatus(id)).toMatchObject({ payouts: 'active', outstanding: 0 });
});

test('updates, lists and closes accounts', async () => {
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
  await expectConformance(other);
  await other.close();
});

test('v1 returns the same account', async () => {
  const id = await openAccount(harness);
  expect(await harness.stripe.accounts.retrieve(id)).toMatchObject({
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
  });
});

test('a disconnected account returns 403, and the platform gets an event', async () => {
  const id = await openAccount(harness);
  await harness.fake.control.deauthorize(id);
  const error = { statusCode: 403, type: 'StripePermissionError', code: 'account_invalid' };
  await expect(harness.stripe.charges.list({}, { stripeAccount: id })).rejects.toMatchObject(error);
  await expect(harness.stripe.v2.core.accounts.retrieve(id)).rejects.toMatchObject(error);
  const [event] = await harness.fake.control.events('account.application.deauthorized');
  expect(event).toMatchObject({ account: id, livemode: false });
});

test('rejects a wrong API key', async () => {
  await expect(
    sdkFor(harness.fake, 'sk_test_somebody_else').balance.retrieve(),
  ).rejects.toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' });
});

test('all requests, responses and events conform to the API description', () =>
  expectConformance(harness));
