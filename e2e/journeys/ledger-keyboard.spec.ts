import { test } from '../fixtures.ts';
import { keyboard } from './input-driver.ts';
import { walkThroughFamily } from './ledger.ts';

test.use({ fixedClock: true });

test('ledger: three siblings, using only the keyboard', ({ page, api }) =>
  walkThroughFamily(page, keyboard(page), api));
