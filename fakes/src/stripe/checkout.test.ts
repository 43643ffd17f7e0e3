import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submitForm } from '../shared/submit-form.ts';
import {
  expectConforming,
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

async function newSession(more = {}) {
  const { stripe } = harness;
  return stripe.checkout.sessions.create(
    { ...lessonCheckout(), ...more },
    { stripeAccount: account },
  );
}

async function reread(id: string) {
  const expand = ['payment_intent.latest_charge', 'line_items'];
  return harness.stripe.checkout.sessions.retrieve(id, { expand }, { stripeAccount: account });
}

async function openPage(url: string): Promise<{ status: number; html: string }> {
  const answer = await fetch(url, { redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}

/** Opens the page, fills in a card and pays. */
async function payOnPage(url: string, cardNumber: string): Promise<Response> {
  const { html } = await openPage(url);
  return submitForm(url, html, 'Pay £', { email: 'bo@family.example', cardNumber, name: 'Bo' });
}

describe('on the page', () => {
  test('a good card pays, and everything adds up', async () => {
    const made = await newSession();
    expect(made).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 3_000 });
    expect(made.id).toMatch(/^cs_test_a1\w{56}$/);

    const answer = await payOnPage(made.url ?? '', '4242 4242 4242 4242');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`http://lessons.example/paid?session=${made.id}`);

    const paid = await reread(made.id);
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

  test('a declined card stays on the page, and another one pays the same intent', async () => {
    const made = await newSession();
    const answer = await payOnPage(made.url ?? '', '4000000000000002');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<p role="alert">Your card was declined.</p>');

    const declined = await reread(made.id);
    expect(declined).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined' },
        latest_charge: { status: 'failed', paid: false },
      },
    });
    await payOnPage(made.url ?? '', '4242424242424242');
    const paid = await reread(made.id);
    const idOf = (session: typeof paid) => (session.payment_intent as { id: string }).id;
    expect(paid.payment_status).toBe('paid');
    expect(idOf(paid)).toBe(idOf(declined));
  });

  test('a card that wants authentication pays once the bank agrees', async () => {
    const made = await newSession();
    const url = made.url ?? '';
    const atBank = await payOnPage(url, '4000002500003155');
    const bankPage = await atBank.text();
    expect(bankPage).toContain('Confirm your payment');
    expect((await reread(made.id)).payment_intent).toMatchObject({ status: 'requires_action' });

    const failed = await submitForm(url, bankPage, 'Fail authentication');
    expect(await failed.text()).toContain('We are unable to authenticate your payment method.');
    expect((await reread(made.id)).status).toBe('open');

    const again = await payOnPage(url, '4000002500003155');
    const done = await submitForm(url, await again.text(), 'Complete authentication');
    expect(done.headers.get('location')).toContain(made.id);
    expect(await reread(made.id)).toMatchObject({
      payment_status: 'paid',
      customer_details: { email: 'bo@family.example' },
    });
  });

  test('a bank debit completes the session unpaid, and the bank answers later', async () => {
    const { control } = harness.fake;
    for (const [button, status, type] of [
      ['succeeds', 'paid', 'checkout.session.async_payment_succeeded'],
      ['fails', 'unpaid', 'checkout.session.async_payment_failed'],
    ] as const) {
      const made = await newSession();
      const url = made.url ?? '';
      await submitForm(url, (await openPage(url)).html, `Pay by bank debit: ${button} later`);
      expect(await reread(made.id)).toMatchObject({
        status: 'complete',
        payment_status: 'unpaid',
        payment_intent: { status: 'processing', latest_charge: { status: 'pending' } },
      });
      await control.settleDebit(made.id);
      expect((await reread(made.id)).payment_status).toBe(status);
      const told = await control.events(type);
      expect(told.at(-1)).toMatchObject({ account, data: { object: { id: made.id } } });
    }
  });

  test('the way back leads to the cancel address', async () => {
    const made = await newSession();
    const { html } = await openPage(made.url ?? '');
    expect(html).toContain('<a href="http://lessons.example/cancelled">Back</a>');
  });

  test('nobody pays twice, nor after the end', async () => {
    const paid = await newSession();
    const { html } = await openPage(paid.url ?? '');
    const fields = { email: 'bo@family.example', cardNumber: '4242424242424242' };
    await submitForm(paid.url ?? '', html, 'Pay £', fields);
    const twice = await submitForm(paid.url ?? '', html, 'Pay £', fields);
    expect(twice.status).toBe(410);
    expect(await twice.text()).toContain('already been made');
    const charges = await harness.stripe.charges.list(
      { payment_intent: ((await reread(paid.id)).payment_intent as { id: string }).id },
      { stripeAccount: account },
    );
    expect(charges.data).toHaveLength(1);

    const late = await newSession();
    await harness.fake.control.advanceClock(25 * 3_600_000);
    expect((await openPage(late.url ?? '')).status).toBe(410);
    expect(await harness.fake.control.payAsBrowser(late.id, '4242424242424242')).toMatchObject({
      outcome: 'refused',
    });
  });
});

test('payments are spoken of as Stripe does', () => expectConforming(harness));
