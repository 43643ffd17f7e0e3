import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import { walkThroughRescheduling } from './rescheduling.ts';

test.use({ fixedClock: true });

test('rescheduling: one lesson, the rest of the series, time off and a late cancellation', async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughRescheduling(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
