import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import { walkThroughRescheduling } from './rescheduling.ts';

test.use({ fixedClock: true });

test('rescheduling: moves one lesson and the rest of the series, adds time off and cancels at short notice', async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughRescheduling(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
