import { expect, test } from 'vitest';
import {
  CONNECT_SECRET,
  expectConforming,
  lesson,
  openAccount,
  openBench,
  sdkFor,
} from './bench.ts';

const PAYMENTS = 150;

test('many payments at once, with faults and copies, leave books that add up', async () => {
  const bench = await openBench({
    delivery: { copies: 3, shuffle: true, delay: [0, 20], backoff: [5, 5, 5, 5, 5, 5] },
  });
  const { control } = bench.fake;
  const accounts = [await openAccount(bench), await openAccount(bench)];
  await control.quiet();
  bench.receiver.received.length = 0;
  await control.fault({ kind: 'done-then-reset', times: 20, method: 'POST', path: '^/v1/' });
  bench.receiver.answers.push(...Array.from({ length: 40 }, () => 500));

  const stripe = sdkFor(bench.fake);
  const owed = new Map(accounts.map((account) => [account, 0]));
  let next = 0;
  const payer = async () => {
    for (let at = next++; at < PAYMENTS; at = next++) {
      const account = accounts[at % 2] ?? '';
      const pence = 1_000 + at;
      const session = await stripe.checkout.sessions.create(lesson(pence), {
        stripeAccount: account,
        idempotencyKey: `pay-${at}`,
        maxNetworkRetries: 30,
      });
      await control.payAsBrowser(session.id, '4242424242424242');
      owed.set(account, (owed.get(account) ?? 0) + pence);
    }
  };
  await Promise.all(Array.from({ length: 8 }, payer));
  await control.quiet();

  let payments = 0;
  for (const account of accounts) {
    const [books] = await control.books(account);
    payments += books?.payments.length ?? 0;
    expect(books?.kept['gbp']).toBe(owed.get(account));
  }
  expect(payments).toBe(PAYMENTS);

  const told = new Map<string, number>();
  for (const { body, signature } of bench.receiver.received) {
    const event = stripe.webhooks.constructEvent(body, signature, CONNECT_SECRET);
    told.set(event.id, (told.get(event.id) ?? 0) + 1);
  }
  expect(told.size).toBe(PAYMENTS);
  expect(Math.min(...told.values())).toBeGreaterThanOrEqual(3);
  const taken = (await control.deliveries()).filter(({ status, type }) => {
    return status === 200 && type === 'checkout.session.completed';
  });
  expect(taken).toHaveLength(PAYMENTS * 3);
  await expectConforming(bench);
  await bench.close();
});
