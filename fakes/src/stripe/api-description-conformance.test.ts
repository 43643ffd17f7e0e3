import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConformance } from './api-description-conformance.ts';
import {
  lessonCheckout,
  openAccount,
  startHarness,
  type TestHarness,
  TUTOR,
} from './test-harness.ts';

const { available } = createConformance().report();

/** Checks that the conformance checks detect deviations. */
describe.runIf(available)('detects', () => {
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

  async function newViolations() {
    return (await harness.fake.control.conformance()).violations.slice(before);
  }

  test('a field of the wrong type in a response', async () => {
    await harness.fake.control.addFault({
      kind: 'unexpected-fields',
      times: 1,
      merge: { amount_total: 'twelve' },
    });
    await harness.stripe.checkout.sessions.create(lessonCheckout(), { stripeAccount: account });
    expect(await newViolations()).toEqual([
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        side: 'response',
        what: '/amount_total must be number,null',
      },
    ]);
  });

  test('an unknown field in a response', async () => {
    await harness.fake.control.addFault({
      kind: 'unexpected-fields',
      times: 1,
      merge: { colour: 'red' },
    });
    await harness.stripe.v2.core.accounts.retrieve(account);
    expect(await newViolations()).toMatchObject([
      { side: 'response', what: '/ must NOT have additional properties: colour' },
    ]);
  });

  test('a missing parameter in a request', async () => {
    await expect(
      harness.stripe.v2.core.accountLinks.create({ account } as never),
    ).rejects.toMatchObject({ code: 'parameter_missing', param: 'use_case' });
    expect(await newViolations()).toEqual([
      {
        method: 'POST',
        path: '/v2/core/account_links',
        side: 'request',
        what: "/ must have required property 'use_case'",
      },
    ]);
  });

  test('an unknown nested parameter', async () => {
    const params = lessonCheckout();
    Object.assign(params.line_items?.[0]?.price_data ?? {}, { colour: 'red' });
    await harness.stripe.checkout.sessions.create(params, { stripeAccount: account });
    expect(await newViolations()).toMatchObject([
      {
        side: 'request',
        what: '/line_items/0/price_data must NOT have additional properties: colour',
      },
    ]);
  });

  test('a value that is not allowed', async () => {
    await harness.stripe.v2.core.accounts.create({ ...TUTOR, dashboard: 'fancy' as never });
    const sides = (await newViolations()).map(({ side }) => side);
    expect(sides).toEqual(['request', 'response']);
  });

  test('an event whose object does not match its type', () => {
    const conformance = createConformance();
    conformance.checkEvent({
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
    expect(conformance.report()).toMatchObject({
      checked: 1,
      violations: [{ side: 'event', path: 'refund.failed' }],
    });
  });

  test('an unknown operation', async () => {
    await expect(harness.stripe.rawRequest('GET', '/v1/unicorns')).rejects.toMatchObject({
      statusCode: 404,
    });
    expect(await newViolations()).toMatchObject([
      { path: '/v1/unicorns', what: 'no such operation in the API description' },
    ]);
  });
});

test.skipIf(available)('checks nothing without the API description', () => {
  expect(createConformance().report()).toEqual({ available: false, checked: 0, violations: [] });
});

describe('unknown routes', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/v1/unicorns'],
    ['POST', '/v1/charges/ch_1/levitate'],
    ['DELETE', '/v1/charges/ch_1'],
    ['GET', '/v2/core/unicorns'],
    ['POST', '/v3/anything'],
  ])('%s %s returns a Stripe error', async (method, path) => {
    const harness = await startHarness();
    const response = await fetch(`${harness.fake.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${harness.fake.apiKey}` },
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringContaining(path) },
    });
    await harness.close();
  });
});
