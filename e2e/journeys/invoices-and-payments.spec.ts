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
  'completes and invoices lessons for three siblings, paid in two parts': walkThroughFamilyPayments,
  'reopens a completed session that was paid from credit': walkThroughReopenedSession,
  'reverses a wrong payment': walkThroughReversedPayment,
  'records a payment in three taps': walkThroughPaymentFromHome,
};

for (const [name, runJourney] of Object.entries(journeys)) {
  test(`ledger: ${name}`, ({ page, hasTouch, api }) =>
    runJourney(page, hasTouch ? touchscreen(page) : mouse(page), api));
}
