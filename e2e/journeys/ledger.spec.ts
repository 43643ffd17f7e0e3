import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import {
  walkThroughBulkInvoicing,
  walkThroughFamily,
  walkThroughReopenedSession,
  walkThroughReversedPayment,
} from './ledger.ts';

test.use({ fixedClock: true });

const walks = {
  'three siblings taught, invoiced and paid in two parts': walkThroughFamily,
  "the month's end, everybody invoiced at once": walkThroughBulkInvoicing,
  'a wrongly ticked lesson, though credit had paid it': walkThroughReopenedSession,
  'a wrong payment taken back': walkThroughReversedPayment,
};

for (const [name, walk] of Object.entries(walks)) {
  test(`ledger: ${name}`, ({ page, hasTouch, api }) =>
    walk(page, hasTouch ? touchscreen(page) : mouse(page), api));
}
