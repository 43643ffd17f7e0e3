import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openConformance } from './conformance.ts';
import {
  lessonCheckout,
  openAccount,
  startHarness,
  type TestHarness,
  TUTOR,
} from './test-harness.ts';

const { available } = openConformance().report();

/** Whether the watch over the stand-in can find anything at all. */
describe.runIf(available)('a planted deviation is caught', () => {
  let harness: TestHarness;
  let account: string;
  let before: number;

  beforeAll(async () => {
    harness = await startHarness();
    account = await openAccount(harness);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    before = (await harness.fake.control.conformance()).violations.length;
  });

  async function found() {
    return (await harness.fake.control.conformance()).violations.slice(before);
  }

  test('a field of the wrong type in an answer', async () => {
    await harness.fake.control.addFault({
      kind: 'odd',
      times: 1,
      merge: { amount_total: 'twelve' },
    });
    await harness.stripe.checkout.sessions.create(lessonCheckout(), { stripeAccount: account });
    expect(await found()).toEqual([
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        side: 'answer',
        what: '/amount_total must be number,null',
      },
    ]);
  });

  test('a field that Stripe does not have', async () => {
    await harness.fake.control.addFault({ kind: 'odd', times: 1, merge: { colour: 'red' } });
    await harness.stripe.v2.core.accounts.retrieve(account);
    expect(await found()).toMatchObject([
      { side: 'answer', what: '/ must NOT have additional properties: colour' },
    ]);
  });

  test('a missing parameter in a request', async () => {
    await expect(
      harness.stripe.v2.core.accountLinks.create({ account } as never),
    ).rejects.toMatchObject({ code: 'parameter_missing', param: 'use_case' });
    expect(await found()).toEqual([
      {
        method: 'POST',
        path: '/v2/core/account_links',
        side: 'request',
        what: "/ must have required property 'use_case'",
      },
    ]);
  });

  test('a parameter that Stripe does not know, deep inside', async () => {
    const asked = lessonCheckout();
    Object.assign(asked.line_items?.[0]?.price_data ?? {}, { colour: 'red' });
    await harness.stripe.checkout.sessions.create(asked, { stripeAccount: account });
    expect(await found()).toMatchObject([
      {
        side: 'request',
        what: '/line_items/0/price_data must NOT have additional properties: colour',
      },
    ]);
  });

  test('a word that is none of the allowed ones', async () => {
    await harness.stripe.v2.core.accounts.create({ ...TUTOR, dashboard: 'fancy' as never });
    const sides = (await found()).map(({ side }) => side);
    expect(sides).toEqual(['request', 'answer']);
  });

  test('an event whose object is not what its type says', () => {
    const watch = openConformance();
    watch.event({
      id: 'evt_1',
      object: 'event',
      api_version: '2026-10-28.endive',
      created: 1,
      data: { object: { id: 'ch_1', object: 'charge' } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: 'refund.failed',
    });
    expect(watch.report()).toMatchObject({
      checked: 1,
      violations: [{ side: 'event', path: 'refund.failed' }],
    });
  });

  test('an operation that is not in the description', async () => {
    await expect(harness.stripe.rawRequest('GET', '/v1/unicorns')).rejects.toMatchObject({
      statusCode: 404,
    });
    expect(await found()).toMatchObject([
      { path: '/v1/unicorns', what: 'the description has no such operation' },
    ]);
  });
});

test.skipIf(available)('there is no description at hand, so nothing is held against it', () => {
  expect(openConformance().report()).toEqual({ available: false, checked: 0, violations: [] });
});

describe('unknown routes', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/v1/unicorns'],
    ['POST', '/v1/charges/ch_1/levitate'],
    ['DELETE', '/v1/charges/ch_1'],
    ['GET', '/v2/core/unicorns'],
    ['POST', '/v3/anything'],
  ])('%s %s is answered with an error the SDK understands', async (method, path) => {
    const harness = await startHarness();
    const answer = await fetch(`${harness.fake.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${harness.fake.apiKey}` },
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringContaining(path) },
    });
    await harness.close();
  });
});
