import { connect } from 'node:net';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
afterEach(() => harness.fake.control.clearFaults());

function create(key: string, pence = 3_000, overrides: Stripe.RequestOptions = {}) {
  const options = { stripeAccount: account, idempotencyKey: key, ...overrides };
  return harness.stripe.checkout.sessions.create(lessonCheckout(pence), options);
}

async function countSessions(): Promise<number> {
  const [report] = await harness.fake.control.report(account);
  return report?.payments.length ?? 0;
}

describe('a repeated idempotency key', () => {
  test('replays the first response, even when the object has changed', async () => {
    const first = await create('again');
    await harness.fake.control.payOnCheckoutPage(first.id, '4242424242424242');
    const before = await countSessions();
    const copy = await create('again');
    expect(copy).toMatchObject({ id: first.id, status: 'open' });
    expect(copy.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(copy.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect(await countSessions()).toBe(before);
  });

  test('is rejected with different parameters', async () => {
    await create('other');
    await expect(create('other', 4_000)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    });
  });

  test('returns 409 during the first request, then replays its response', async () => {
    const { control } = harness.fake;
    // Long enough for the second request to arrive during the first, even on a slow machine.
    await control.addFault({ kind: 'slow', ms: 1_000, times: 1 });
    const first = create('at once');
    await expect.poll(() => control.faults()).toEqual([]);
    await expect(create('at once')).rejects.toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    const session = await first;
    expect((await create('at once')).id).toBe(session.id);
  });

  test('is scoped to one account', async () => {
    const other = await openAccount(harness);
    const first = await create('shared');
    const second = await create('shared', 3_000, { stripeAccount: other });
    expect(second.id).not.toBe(first.id);
  });

  test('expires after a day', async () => {
    const first = await create('old');
    await harness.fake.control.advanceClock(25 * 3_600_000);
    expect((await create('old')).id).not.toBe(first.id);
  });

  test('replays errors from processing, but not errors about invalid parameters', async () => {
    const { refunds } = harness.stripe;
    const { charge } = await payForLesson(harness, account);
    const options = { stripeAccount: account, idempotencyKey: 'too much' };
    await expect(refunds.create({ charge, amount: 9_999 }, options)).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(refunds.create({ charge, amount: 9_999 }, options)).rejects.toMatchObject({
      statusCode: 400,
      headers: { 'idempotent-replayed': 'true' },
    });
    // The same key works with corrected parameters, because nothing was stored.
    const correctedOptions = { stripeAccount: account, idempotencyKey: 'corrected' };
    await expect(refunds.create({ charge, amount: -1 }, correctedOptions)).rejects.toMatchObject({
      param: 'amount',
    });
    expect((await refunds.create({ charge, amount: 1 }, correctedOptions)).amount).toBe(1);
  });

  test('replays the first response in v2 too', async () => {
    const { accounts } = harness.stripe.v2.core;
    const first = await accounts.create(TUTOR, { idempotencyKey: 'tutor-1' });
    const second = await accounts.create(TUTOR, { idempotencyKey: 'tutor-1' });
    expect(second.id).toBe(first.id);
  });
});

describe('faults', () => {
  test('affect the given number of matching requests', async () => {
    const { control } = harness.fake;
    await control.addFault({ kind: 'status', status: 429, times: 1, path: '^/v1/checkout' });
    await control.addFault({ kind: 'status', status: 503, times: 2, method: 'POST' });
    await harness.stripe.balance.retrieve({}, { stripeAccount: account });
    await expect(create('f1')).rejects.toMatchObject({
      statusCode: 429,
      type: 'StripeRateLimitError',
    });
    await expect(create('f1')).rejects.toMatchObject({ statusCode: 503, type: 'StripeAPIError' });
    await expect(create('f1')).rejects.toMatchObject({ statusCode: 503 });
    expect((await create('f1')).status).toBe('open');
    expect(await control.faults()).toEqual([]);
  });

  test('can be stored under the idempotency key, as Stripe stores its own errors', async () => {
    await harness.fake.control.addFault({ kind: 'status', status: 500, times: 1, stored: true });
    await expect(create('stored')).rejects.toMatchObject({ statusCode: 500 });
    await expect(create('stored')).rejects.toMatchObject({ statusCode: 500 });
  });

  test('can hang without a response', async () => {
    await harness.fake.control.addFault({ kind: 'hang', times: 1 });
    const before = await countSessions();
    await expect(create('hang', 3_000, { timeout: 60 })).rejects.toMatchObject({
      type: 'StripeConnectionError',
    });
    expect(await countSessions()).toBe(before);
  });

  test('can reset the connection before or after processing the request', async () => {
    const { control } = harness.fake;
    const before = await countSessions();
    // The SDK retries once when the connection is dropped.
    await control.addFault({ kind: 'reset', times: 2 });
    await expect(create('reset')).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await countSessions()).toBe(before);

    await control.addFault({ kind: 'done-then-reset', times: 2 });
    await expect(create('done')).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await countSessions()).toBe(before + 1);
    const replayed = await create('done');
    expect(replayed.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await countSessions()).toBe(before + 1);
  });

  test('the fake can be stopped while a request hangs', async () => {
    const other = await startHarness();
    await other.fake.control.addFault({ kind: 'hang' });
    const { port } = new URL(other.fake.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /v1/balance HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = new Promise((resolve) => {
      socket.once('close', resolve);
      socket.on('error', () => {});
    });
    await other.close();
    await expect(ended).resolves.toBeDefined();
  });
});

test('every response has its request id and API version', async () => {
  const session = await create('headers');
  expect(session.lastResponse).toMatchObject({
    statusCode: 200,
    stripeAccount: account,
    apiVersion: '2026-10-28.endive',
    requestId: expect.stringMatching(/^req_\w{14}$/),
    idempotencyKey: 'headers',
  });
});

test('all requests, responses and events conform to the API description', () =>
  expectConformance(harness));
