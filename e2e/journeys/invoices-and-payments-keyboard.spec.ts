import { test } from '../fixtures.ts';
import { keyboard } from './input-driver.ts';
import { walkThroughFamilyPayments } from './invoices-and-payments.ts';

test.use({ fixedClock: true });

test('ledger: invoices and payments for three siblings using only the keyboard', ({ page, api }) =>
  walkThroughFamilyPayments(page, keyboard(page), api));
