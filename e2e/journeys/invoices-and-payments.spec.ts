import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import {
  walkThroughBulkInvoicing,
  walkThroughFamilyPayments,
  walkThroughReopenedSession,
  walkThroughReversedPayment,
} from './invoices-and-payments.ts';

test.use({ fixedClock: true });

const journeys = {
  'three siblings: complete, invoice and pay in two parts': walkThroughFamilyPayments,
  'bulk invoicing at the end of the month': walkThroughBulkInvoicing,
  'reopen a completed session that was paid from credit': walkThroughReopenedSession,
  'reverse a wrong payment': walkThroughReversedPayment,
};

for (const [name, runJourney] of Object.entries(journeys)) {
  test(`ledger: ${name}`, ({ page, hasTouch, api }) =>
    runJourney(page, hasTouch ? touchscreen(page) : mouse(page), api));
}
