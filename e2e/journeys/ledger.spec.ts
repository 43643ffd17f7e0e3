import { test } from '../fixtures.ts';
import { finger, mouse } from './hands.ts';
import {
  walkThroughFamily,
  walkThroughMonthsEnd,
  walkThroughWrongPayment,
  walkThroughWrongTick,
} from './ledger.ts';

test.use({ evening: true });

const walks = {
  'three siblings taught, invoiced and paid in two parts': walkThroughFamily,
  "the month's end, everybody invoiced at once": walkThroughMonthsEnd,
  'a wrongly ticked lesson, though credit had paid it': walkThroughWrongTick,
  'a wrong payment taken back': walkThroughWrongPayment,
};

for (const [name, walk] of Object.entries(walks)) {
  test(`ledger: ${name}`, ({ page, hasTouch, book }) =>
    walk(page, hasTouch ? finger(page) : mouse(page), book));
}
