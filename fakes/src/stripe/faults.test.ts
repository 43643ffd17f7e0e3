import { connect } from 'node:net';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  expectConforming,
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

function create(key: string, pence = 3_000, more: Stripe.RequestOptions = {}) {
  const options = { stripeAccount: account, idempotencyKey: key, ...more };
  return harness.stripe.checkout.sessions.create(lessonCheckout(pence), options);
}

async function sessionsMade(): Promise<number> {
  const [books] = await harness.fake.control.report(account);
  return books?.payments.length ?? 0;
}

describe('the same key', () => {
  test('gets the first answer again, word for word, also when the object has changed', async () => {
    const first = await create('again');
    await harness.fake.control.payAsBrowser(first.id, '4242424242424242');
    const before = await sessionsMade();
    const copy = await create('again');
    expect(copy).toMatchObject({ id: first.id, status: 'open' });
    expect(copy.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(copy.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect(await sessionsMade()).toBe(before);
  });

  test('with other parameters is refused', async () => {
    await create('other');
    await expect(create('other', 4_000)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    });
  });

  test('at the same moment is refused, and works once the first is through', async () => {
    const { control } = harness.fake;
    // Long enough for the second request to arrive while the first is under way, on a slow machine too.
    await control.addFault({ kind: 'slow', ms: 1_000, times: 1 });
    const first = create('at once');
    await expect.poll(() => control.faults()).toEqual([]);
    await expect(create('at once')).rejects.toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    const made = await first;
    expect((await create('at once')).id).toBe(made.id);
  });

  test('belongs to one account', async () => {
    const other = await openAccount(harness);
    const one = await create('shared');
    const two = await create('shared', 3_000, { stripeAccount: other });
    expect(two.id).not.toBe(one.id);
  });

  test('is forgotten after a day', async () => {
    const one = await create('old');
    await harness.fake.control.advanceClock(25 * 3_600_000);
    expect((await create('old')).id).not.toBe(one.id);
  });

  test('keeps a refusal that came out of the work, but none of the parameters', async () => {
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
    // The same key again with what was wrong put right: nothing was kept.
    const invalid = { stripeAccount: account, idempotencyKey: 'mended' };
    await expect(refunds.create({ charge, amount: -1 }, invalid)).rejects.toMatchObject({
      param: 'amount',
    });
    expect((await refunds.create({ charge, amount: 1 }, invalid)).amount).toBe(1);
  });

  test('works for v2 too', async () => {
    const { accounts } = harness.stripe.v2.core;
    const one = await accounts.create(TUTOR, { idempotencyKey: 'tutor-1' });
    const two = await accounts.create(TUTOR, { idempotencyKey: 'tutor-1' });
    expect(two.id).toBe(one.id);
  });
});

describe('faults on demand', () => {
  test('errors befall as many requests as asked, and only those that fit', async () => {
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

  test('an error can be kept under its key, as Stripe keeps its own', async () => {
    await harness.fake.control.addFault({ kind: 'status', status: 500, times: 1, kept: true });
    await expect(create('kept')).rejects.toMatchObject({ statusCode: 500 });
    await expect(create('kept')).rejects.toMatchObject({ statusCode: 500 });
  });

  test('no answer at all', async () => {
    await harness.fake.control.addFault({ kind: 'hang', times: 1 });
    const before = await sessionsMade();
    await expect(create('hang', 3_000, { timeout: 60 })).rejects.toMatchObject({
      type: 'StripeConnectionError',
    });
    expect(await sessionsMade()).toBe(before);
  });

  test('a dropped connection, with nothing done or with all done', async () => {
    const { control } = harness.fake;
    const before = await sessionsMade();
    // The SDK tries once more by itself when a connection is dropped.
    await control.addFault({ kind: 'reset', times: 2 });
    await expect(create('reset')).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await sessionsMade()).toBe(before);

    await control.addFault({ kind: 'done-then-reset', times: 2 });
    await expect(create('done')).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await sessionsMade()).toBe(before + 1);
    const found = await create('done');
    expect(found.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await sessionsMade()).toBe(before + 1);
  });

  test('it stops although a request hangs', async () => {
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

test('every answer names its request and version', async () => {
  const session = await create('headers');
  expect(session.lastResponse).toMatchObject({
    statusCode: 200,
    stripeAccount: account,
    apiVersion: '2026-10-28.endive',
    requestId: expect.stringMatching(/^req_\w{14}$/),
    idempotencyKey: 'headers',
  });
});

test('what goes wrong is spoken of as Stripe does', () => expectConforming(harness));
