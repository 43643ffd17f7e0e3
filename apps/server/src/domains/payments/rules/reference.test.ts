import { expect, test } from 'vitest';
import { buildPaymentReference } from './reference.ts';

test.each([
  ['Ruth Hale', 3, 'HALE3'],
  ['Zoë Brontë', 12, 'BRONTE12'],
  ['Maximilian Featherstonehaugh', 1, 'FEATHERS1'],
  ['李雷', 4, 'LESSONS4'],
  ["O'Neill", 5, 'ONEILL5'],
])('the payment reference for %s with account %i is %s', (name, id, reference) => {
  expect(buildPaymentReference(name, id)).toBe(reference);
});
