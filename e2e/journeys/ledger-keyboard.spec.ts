import { test } from '../fixtures.ts';
import { keyboard } from './hands.ts';
import { walkThroughFamily } from './ledger.ts';

test.use({ evening: true });

test('ledger: three siblings, with the keyboard alone', ({ page, book }) =>
  walkThroughFamily(page, keyboard(page), book));
