import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import { walkThroughRescheduling } from './rescheduling.ts';

test.use({ fixedClock: true });

test('moving: one lesson, the rest of the series, a holiday, and a late cancellation', async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughRescheduling(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
