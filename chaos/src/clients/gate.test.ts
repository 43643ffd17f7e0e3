import { expect, test } from 'vitest';
import { Gate } from './gate.ts';

test('whoever looks waits for those inside, and those who come wait for the look', async () => {
  const gate = new Gate();
  const said: string[] = [];
  const inside = Promise.withResolvers<void>();
  const working = gate.pass(async () => {
    await inside.promise;
    said.push('worked');
  });
  const looking = gate.whileStill(async () => {
    said.push('looked');
  });
  const later = gate.pass(async () => {
    said.push('worked again');
  });
  inside.resolve();
  await Promise.all([working, looking, later]);
  expect(said).toEqual(['worked', 'looked', 'worked again']);
});

test('an act that fails does not keep the gate shut', async () => {
  const gate = new Gate();
  await expect(gate.pass(() => Promise.reject(new Error('no answer')))).rejects.toThrow();
  expect(await gate.whileStill(async () => 'still')).toBe('still');
});
