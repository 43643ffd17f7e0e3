import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryStatus, nextDeliveryStatus } from './delivery-status.ts';

const orders = (items: readonly DeliveryStatus[]): DeliveryStatus[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

test('sent, delivered and read end in read, in every order and with copies', () => {
  for (const order of orders(['sent', 'delivered', 'read'])) {
    let state: string = 'waiting';
    for (const news of [...order, ...order]) state = nextDeliveryStatus(state, news) ?? state;
    expect(state).toBe('read');
  }
});

test('it fails only before it was delivered, and nothing else moves back', () => {
  const after = (state: string) => DELIVERY_STATUSES.map((news) => nextDeliveryStatus(state, news));
  expect(after('waiting')).toEqual(['sent', 'delivered', 'read', 'failed']);
  expect(after('sent')).toEqual([null, 'delivered', 'read', 'failed']);
  expect(after('delivered')).toEqual([null, null, 'read', null]);
  expect(after('read')).toEqual([null, null, null, null]);
  for (const state of ['draft', 'opened', 'failed', 'skipped', 'dismissed'])
    expect(after(state)).toEqual([null, null, null, null]);
});
