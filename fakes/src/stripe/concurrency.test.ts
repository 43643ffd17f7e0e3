import { expect, test } from 'vitest';
import {
  CONNECT_SECRET,
  expectConformance,
  lessonCheckout,
  openAccount,
  sdkFor,
  startHarness,
} from './test-harness.ts';

const PAYMENTS = 150;

test('concurrent payments are recorded exactly once despite faults and duplicates', async () => {
  const harness = await startHarness({
    delivery: { copies: 3, shuffle: true, delay: [0, 20], backoff: [5, 5, 5, 5, 5, 5] },
  });
  const { control } = harness.fake;
  const accounts = [await openAccount(harness), await openAccount(harness)];
  await control.whenIdle();
  harness.receiver.received.length = 0;
  await control.addFault({ kind: 'done-then-reset', times: 20, method: 'POST', path: '^/v1/' });
  harness.receiver.nextStatuses.push(...Array.from({ length: 40 }, () => 500));

  const stripe = sdkFor(harness.fake);
  const expected = new Map(accounts.map((account) => [account, 0]));
  let next = 0;
  const payer = async () => {
    for (let index = next++; index < PAYMENTS; index = next++) {
      const account = accounts[index % 2] ?? '';
      const pence = 1_000 + index;
      const session = await stripe.checkout.sessions.create(lessonCheckout(pence), {
        stripeAccount: account,
        idempotencyKey: `pay-${index}`,
        maxNetworkRetries: 30,
      });
      await control.payOnCheckoutPage(session.id, '4242424242424242');
      expected.set(account, (expected.get(account) ?? 0) + pence);
    }
  };
  await Promise.all(Array.from({ length: 8 }, payer));
  await control.whenIdle();

  let payments = 0;
  for (const account of accounts) {
    const [report] = await control.report(account);
    payments += report?.payments.length ?? 0;
    expect(report?.netByCurrency['gbp']).toBe(expected.get(account));
  }
  expect(payments).toBe(PAYMENTS);

  const deliveredCounts = new Map<string, number>();
  for (const { body, signature } of harness.receiver.received) {
    const event = stripe.webhooks.constructEvent(body, signature, CONNECT_SECRET);
    deliveredCounts.set(event.id, (deliveredCounts.get(event.id) ?? 0) + 1);
  }
  expect(deliveredCounts.size).toBe(PAYMENTS);
  expect(Math.min(...deliveredCounts.values())).toBeGreaterThanOrEqual(3);
  const accepted = (await control.deliveries()).filter(({ status, type }) => {
    return status === 200 && type === 'checkout.session.completed';
  });
  expect(accepted).toHaveLength(PAYMENTS * 3);
  await expectConformance(harness);
  await harness.close();
});
