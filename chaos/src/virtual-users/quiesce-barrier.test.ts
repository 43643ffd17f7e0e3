import { expect, test } from 'vitest';
import { QuiesceBarrier } from './quiesce-barrier.ts';

test('a check waits for running work, and new work waits for the check', async () => {
  const barrier = new QuiesceBarrier();
  const order: string[] = [];
  const release = Promise.withResolvers<void>();
  const working = barrier.run(async () => {
    await release.promise;
    order.push('worked');
  });
  const checking = barrier.whileQuiesced(async () => {
    order.push('checked');
  });
  const later = barrier.run(async () => {
    order.push('worked again');
  });
  release.resolve();
  await Promise.all([working, checking, later]);
  expect(order).toEqual(['worked', 'checked', 'worked again']);
});

test('failing work does not block the barrier', async () => {
  const barrier = new QuiesceBarrier();
  await expect(barrier.run(() => Promise.reject(new Error('failed')))).rejects.toThrow();
  expect(await barrier.whileQuiesced(async () => 'still')).toBe('still');
});
