import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT_SECRET,
  CONNECT_SECRET,
  expectConformance,
  lessonCheckout,
  openAccount,
  payForLesson,
  type Received,
  startHarness,
  type TestHarness,
} from './test-harness.ts';

let harness: TestHarness;
let account: string;

beforeEach(async () => {
  harness = await startHarness({ seed: 7 });
  account = await openAccount(harness);
  await harness.fake.control.whenIdle();
  harness.receiver.received.length = 0;
});
afterEach(async () => {
  await expectConformance(harness);
  await harness.close();
});

function parse({ path, body, signature }: Received): Stripe.Event {
  expect(path).toBe('/connect');
  return harness.stripe.webhooks.constructEvent(body, signature, CONNECT_SECRET);
}

async function pay(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const session = await harness.stripe.checkout.sessions.create(lessonCheckout(), {
      stripeAccount: account,
    });
    await harness.fake.control.payOnCheckoutPage(session.id, '4242424242424242');
    ids.push(session.id);
  }
  return ids;
}

function sessionIds(): string[] {
  return harness.receiver.received.map((each) => {
    const event = parse(each) as Stripe.CheckoutSessionCompletedEvent;
    return event.data.object.id;
  });
}

describe('snapshot events', () => {
  test('are signed and contain the account, the mode and a snapshot of the object', async () => {
    const { charge, intent, session } = await payForLesson(harness, account);
    await harness.fake.control.whenIdle();
    expect(harness.receiver.received).toHaveLength(1);
    const [first] = harness.receiver.received;
    const event = parse(first as Received);
    expect(event).toMatchObject({
      object: 'event',
      type: 'checkout.session.completed',
      account,
      livemode: false,
      api_version: Stripe.API_VERSION,
      data: {
        object: { id: session.id, payment_status: 'paid', payment_intent: intent.id },
      },
    });

    await harness.stripe.refunds.create(
      { charge, amount: 100 },
      { stripeAccount: account, idempotencyKey: 'back' },
    );
    await harness.fake.control.whenIdle();
    const laterEvents = harness.receiver.received.slice(1).map(parse);
    expect(laterEvents.map(({ type }) => type).toSorted()).toEqual([
      'charge.refunded',
      'refund.created',
    ]);
    for (const each of laterEvents) expect(each.request?.idempotency_key).toBe('back');

    const retrieved = await harness.stripe.events.retrieve(
      event.id,
      {},
      { stripeAccount: account },
    );
    expect(retrieved).toEqual(JSON.parse(first?.body ?? ''));
    const listed = await harness.stripe.events.list(
      { types: ['charge.refunded', 'checkout.session.completed'] },
      { stripeAccount: account },
    );
    expect(listed.data.map(({ type }) => type)).toEqual([
      'charge.refunded',
      'checkout.session.completed',
    ]);
  });

  test('are not affected by later changes to the object', async () => {
    const { charge } = await payForLesson(harness, account);
    const options = { stripeAccount: account };
    for (const amount of [100, 150])
      await harness.stripe.refunds.create({ charge, amount }, options);
    const { data } = await harness.stripe.events.list({ type: 'charge.refunded' }, options);
    const refunded = data.map((event) => (event.data.object as Stripe.Charge).amount_refunded);
    expect(refunded).toEqual([250, 100]);
    expect(data[0]?.data.previous_attributes).toEqual({ amount_refunded: 100, refunded: false });
  });

  test('are rejected as thin events, with a different secret or with a modified body', async () => {
    await pay(1);
    await harness.fake.control.whenIdle();
    const { body, signature } = harness.receiver.received[0] as Received;
    const { stripe } = harness;
    expect(() => stripe.webhooks.constructEvent(body, signature, ACCOUNT_SECRET)).toThrow();
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, CONNECT_SECRET)).toThrow();
    expect(() => stripe.parseEventNotification(body, signature, CONNECT_SECRET)).toThrow();
  });
});

describe('thin events', () => {
  test('name the related object, and the SDK fetches it', async () => {
    await harness.fake.control.disablePayouts(account);
    await harness.fake.control.whenIdle();
    const notifications = harness.receiver.received.map(({ path, body, signature }) => {
      expect(path).toBe('/account');
      expect(JSON.parse(body)).not.toHaveProperty('data');
      return harness.stripe.parseEventNotification(body, signature, ACCOUNT_SECRET);
    });
    expect(notifications.map((notification) => notification.type).toSorted()).toEqual([
      'v2.core.account[configuration.merchant].capability_status_updated',
      'v2.core.account[requirements].updated',
    ]);
    const notification = notifications.find((each) =>
      each.type.includes('capability'),
    ) as unknown as {
      fetchRelatedObject: () => Promise<{ id: string }>;
      fetchEvent: () => Promise<{ data: unknown }>;
    };
    expect((await notification.fetchRelatedObject()).id).toBe(account);
    expect((await notification.fetchEvent()).data).toEqual({
      updated_capability: 'stripe_balance.payouts',
    });
    const listed = await harness.stripe.v2.core.events.list({ object_id: account, limit: 1 });
    expect(listed.data[0]).toMatchObject({ object: 'v2.core.event', context: account });
  });

  test('are sent when an account is closed', async () => {
    await harness.stripe.v2.core.accounts.close(account, { applied_configurations: ['merchant'] });
    await harness.fake.control.whenIdle();
    const bodies = harness.receiver.received.map(
      ({ body }) => JSON.parse(body) as { type: string },
    );
    expect(bodies.map(({ type }) => type)).toEqual(['v2.core.account.closed']);
  });
});

describe('delivery', () => {
  test('is retried until accepted and abandoned after the last retry', async () => {
    harness.receiver.nextStatuses.push(500, 302);
    await pay(1);
    await harness.fake.control.whenIdle();
    const log = await harness.fake.control.deliveries();
    expect(log.slice(-3).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 302],
      [3, 200],
    ]);
    expect(new Set(harness.receiver.received.map(({ body }) => body)).size).toBe(1);

    harness.receiver.nextStatuses.push(500, 500, 500, 500);
    await pay(1);
    await harness.fake.control.whenIdle();
    expect(harness.receiver.received).toHaveLength(6);
    harness.receiver.nextStatuses.length = 0;
  });

  test('is retried when the endpoint is unreachable', async () => {
    await harness.fake.control.setWebhooks({
      connect: { url: 'http://127.0.0.1:1/unreachable', secret: CONNECT_SECRET },
    });
    await pay(1);
    await harness.fake.control.whenIdle();
    const log = await harness.fake.control.deliveries();
    expect(log.slice(-3).map(({ status }) => status)).toEqual([null, null, null]);
  });

  test('sends the configured number of copies of an event', async () => {
    await harness.fake.control.setDelivery({ copies: 3, delay: [0, 5] });
    const [id] = await pay(1);
    await harness.fake.control.whenIdle();
    expect(sessionIds()).toEqual([id, id, id]);
    expect(new Set(harness.receiver.received.map((each) => parse(each).id)).size).toBe(1);
  });

  test('is shuffled into the same order for the same seed', async () => {
    const orders: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const other = await startHarness({
        seed: 11,
        delivery: { shuffle: true, maxConcurrent: 1, delay: [0, 0] },
      });
      const otherAccount = await openAccount(other);
      await other.fake.control.whenIdle();
      other.receiver.received.length = 0;
      await other.fake.control.hold();
      const sessions: string[] = [];
      for (let index = 0; index < 8; index += 1)
        sessions.push((await payForLesson(other, otherAccount)).session.id);
      await other.fake.control.whenIdle();
      expect(other.receiver.received).toEqual([]);
      await other.fake.control.release();
      await other.fake.control.whenIdle();
      const seen = other.receiver.received.map(({ body }) => {
        const event = JSON.parse(body) as { data: { object: { id: string } } };
        return sessions.indexOf(event.data.object.id);
      });
      expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(seen).not.toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      orders.push(seen.join());
      await other.close();
    }
    expect(orders[0]).toBe(orders[1]);
  });

  test('can be repeated with redeliver', async () => {
    await pay(1);
    await harness.fake.control.whenIdle();
    const id = parse(harness.receiver.received[0] as Received).id;
    await harness.fake.control.redeliver(id);
    await harness.fake.control.whenIdle();
    expect(harness.receiver.received.map((each) => parse(each).id)).toEqual([id, id]);
    await expect(harness.fake.control.redeliver('evt_none')).rejects.toThrow(
      'There is no evt_none',
    );
  });
});

describe('forged events', () => {
  test.each(['wrong-signature', 'stale', 'tampered', 'no-signature'] as const)(
    '%s is rejected by the SDK',
    async (kind) => {
      for (const to of ['connect', 'account'] as const) {
        harness.receiver.nextStatuses.push(400);
        const response = await harness.fake.control.sendForged(kind, { to });
        expect(response).toMatchObject({ status: 400, text: 'ok' });
        const { body, signature, path } = harness.receiver.received.at(-1) as Received;
        expect(path).toBe(`/${to}`);
        const { stripe } = harness;
        expect(() =>
          to === 'connect'
            ? stripe.webhooks.constructEvent(body, signature, CONNECT_SECRET)
            : stripe.parseEventNotification(body, signature, ACCOUNT_SECRET),
        ).toThrow(Stripe.errors.StripeSignatureVerificationError);
      }
    },
  );

  test('other-account and wrong-mode have valid signatures', async () => {
    await harness.fake.control.sendForged('other-account');
    const otherAccountEvent = parse(harness.receiver.received.at(-1) as Received);
    expect(otherAccountEvent.account).toMatch(/^acct_1/);
    expect(otherAccountEvent.account).not.toBe(account);
    await harness.fake.control.sendForged('wrong-mode', { type: 'charge.refunded' });
    const live = parse(harness.receiver.received.at(-1) as Received);
    expect(live).toMatchObject({ livemode: true, account, type: 'charge.refunded' });
  });
});

test('the same seed produces the same ids', async () => {
  const ids: string[] = [];
  for (const seed of [3, 3, 4]) {
    const other = await startHarness({ seed });
    ids.push(await openAccount(other));
    await other.close();
  }
  expect(ids[0]).toBe(ids[1]);
  expect(ids[0]).not.toBe(ids[2]);
});
