import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryStatus, nextDeliveryStatus } from './delivery-status.ts';

const permutations = (items: readonly DeliveryStatus[]): DeliveryStatus[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

test('sent, delivered and read always end in read, in any order and with duplicates', () => {
  for (const order of permutations(['sent', 'delivered', 'read'])) {
    let state: string = 'waiting';
    for (const status of [...order, ...order]) state = nextDeliveryStatus(state, status) ?? state;
    expect(state).toBe('read');
  }
});

test('a message can fail only before it is delivered, and the state never moves backwards', () => {
  const after = (state: string) =>
    DELIVERY_STATUSES.map((status) => nextDeliveryStatus(state, status));
  expect(after('waiting')).toEqual(['sent', 'delivered', 'read', 'failed']);
  expect(after('sent')).toEqual([null, 'delivered', 'read', 'failed']);
  expect(after('delivered')).toEqual([null, null, 'read', null]);
  expect(after('read')).toEqual([null, null, null, null]);
  for (const state of ['draft', 'opened', 'failed', 'skipped', 'dismissed'])
    expect(after(state)).toEqual([null, null, null, null]);
});
