import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import {
  walkThroughFamilyPayments,
  walkThroughPaymentFromHome,
  walkThroughReopenedSession,
  walkThroughReversedPayment,
} from './invoices-and-payments.ts';

test.use({ fixedClock: true });

const journeys = {
  'three siblings: complete, invoice and pay in two parts': walkThroughFamilyPayments,
  'reopen a completed session that was paid from credit': walkThroughReopenedSession,
  'reverse a wrong payment': walkThroughReversedPayment,
  'record a payment in three taps': walkThroughPaymentFromHome,
};

for (const [name, runJourney] of Object.entries(journeys)) {
  test(`ledger: ${name}`, ({ page, hasTouch, api }) =>
    runJourney(page, hasTouch ? touchscreen(page) : mouse(page), api));
}
