import { expect, test } from 'vitest';
import { QuiesceBarrier } from './quiesce-barrier.ts';

test('whoever looks waits for those inside, and those who come wait for the look', async () => {
  const gate = new QuiesceBarrier();
  const said: string[] = [];
  const inside = Promise.withResolvers<void>();
  const working = gate.run(async () => {
    await inside.promise;
    said.push('worked');
  });
  const looking = gate.whileQuiesced(async () => {
    said.push('looked');
  });
  const later = gate.run(async () => {
    said.push('worked again');
  });
  inside.resolve();
  await Promise.all([working, looking, later]);
  expect(said).toEqual(['worked', 'looked', 'worked again']);
});

test('an act that fails does not keep the gate shut', async () => {
  const gate = new QuiesceBarrier();
  await expect(gate.run(() => Promise.reject(new Error('no answer')))).rejects.toThrow();
  expect(await gate.whileQuiesced(async () => 'still')).toBe('still');
});
