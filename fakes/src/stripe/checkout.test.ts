import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submitForm } from '../shared/submit-form.ts';
import {
  expectConformance,
  lessonCheckout,
  openAccount,
  startHarness,
  type TestHarness,
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

async function retrieve(id: string) {
  const expand = ['payment_intent.latest_charge', 'line_items'];
  return harness.stripe.checkout.sessions.retrieve(id, { expand }, { stripeAccount: account });
}

async function openPage(url: string): Promise<{ status: number; html: string }> {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, html: await response.text() };
}

/** Opens the page, fills in a card and pays. */
async function payOnPage(url: string, cardNumber: string): Promise<Response> {
  const { html } = await openPage(url);
  return submitForm(url, html, 'Pay £', { email: 'bo@family.example', cardNumber, name: 'Bo' });
}

describe('checkout page', () => {
  test('a valid card pays the session', async () => {
    const session = await newSession();
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 3_000,
    });
    expect(session.id).toMatch(/^cs_test_a1\w{56}$/);

    const response = await payOnPage(session.url ?? '', '4242 4242 4242 4242');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(
      `http://lessons.example/paid?session=${session.id}`,
    );

    const paid = await retrieve(session.id);
    expect(paid).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      client_reference_id: 'pay_77',
      metadata: { payment: '77' },
      customer_details: { email: 'bo@family.example' },
      line_items: { data: [{ amount_total: 3_000, description: 'Maths, 20 November' }] },
      payment_intent: {
        status: 'succeeded',
        amount_received: 3_000,
        currency: 'gbp',
        metadata: { payment: '77' },
        latest_charge: { paid: true, amount_captured: 3_000, metadata: { payment: '77' } },
      },
    });
  });

  test('after a declined card, another card pays the same payment intent', async () => {
    const session = await newSession();
    const response = await payOnPage(session.url ?? '', '4000000000000002');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<p role="alert">Your card was declined.</p>');

    const declined = await retrieve(session.id);
    expect(declined).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined' },
        latest_charge: { status: 'failed', paid: false },
      },
    });
    await payOnPage(session.url ?? '', '4242424242424242');
    const paid = await retrieve(session.id);
    const idOf = (paidSession: typeof paid) => (paidSession.payment_intent as { id: string }).id;
    expect(paid.payment_status).toBe('paid');
    expect(idOf(paid)).toBe(idOf(declined));
  });

  test('a card with 3-D Secure pays after authentication', async () => {
    const session = await newSession();
    const url = session.url ?? '';
    const authentication = await payOnPage(url, '4000002500003155');
    const bankPage = await authentication.text();
    expect(bankPage).toContain('Confirm your payment');
    expect((await retrieve(session.id)).payment_intent).toMatchObject({
      status: 'requires_action',
    });

    const failed = await submitForm(url, bankPage, 'Fail authentication');
    expect(await failed.text()).toContain('We are unable to authenticate your payment method.');
    expect((await retrieve(session.id)).status).toBe('open');

    const secondAttempt = await payOnPage(url, '4000002500003155');
    const done = await submitForm(url, await secondAttempt.text(), 'Complete authentication');
    expect(done.headers.get('location')).toContain(session.id);
    expect(await retrieve(session.id)).toMatchObject({
      payment_status: 'paid',
      customer_details: { email: 'bo@family.example' },
    });
  });

  test('a bank debit completes the session unpaid and settles later', async () => {
    const { control } = harness.fake;
    for (const [button, status, type] of [
      ['succeeds', 'paid', 'checkout.session.async_payment_succeeded'],
      ['fails', 'unpaid', 'checkout.session.async_payment_failed'],
    ] as const) {
      const session = await newSession();
      const url = session.url ?? '';
      await submitForm(url, (await openPage(url)).html, `Pay by bank debit: ${button} later`);
      expect(await retrieve(session.id)).toMatchObject({
        status: 'complete',
        payment_status: 'unpaid',
        payment_intent: { status: 'processing', latest_charge: { status: 'pending' } },
      });
      await control.settleDebit(session.id);
      expect((await retrieve(session.id)).payment_status).toBe(status);
      const events = await control.events(type);
      expect(events.at(-1)).toMatchObject({ account, data: { object: { id: session.id } } });
    }
  });

  test('the back link leads to the cancel URL', async () => {
    const session = await newSession();
    const { html } = await openPage(session.url ?? '');
    expect(html).toContain('<a href="http://lessons.example/cancelled">Back</a>');
  });

  test('rejects payment of a paid or expired session', async () => {
    const paid = await newSession();
    const { html } = await openPage(paid.url ?? '');
    const fields = { email: 'bo@family.example', cardNumber: '4242424242424242' };
    await submitForm(paid.url ?? '', html, 'Pay £', fields);
    const secondSubmission = await submitForm(paid.url ?? '', html, 'Pay £', fields);
    expect(secondSubmission.status).toBe(410);
    expect(await secondSubmission.text()).toContain('already been made');
    const charges = await harness.stripe.charges.list(
      { payment_intent: ((await retrieve(paid.id)).payment_intent as { id: string }).id },
      { stripeAccount: account },
    );
    expect(charges.data).toHaveLength(1);

    const expired = await newSession();
    await harness.fake.control.advanceClock(25 * 3_600_000);
    expect((await openPage(expired.url ?? '')).status).toBe(410);
    expect(
      await harness.fake.control.payOnCheckoutPage(expired.id, '4242424242424242'),
    ).toMatchObject({
      outcome: 'refused',
    });
  });
});

test('all requests, responses and events conform to the API description', () =>
  expectConformance(harness));
