import { test } from '../fixtures.ts';
import { walkThroughFirstDay } from './first-day.ts';
import { mouse, touchscreen } from './input-driver.ts';

test.use({ fixedClock: true });

test('first day: a term of weekly lessons for three students in at most 60 clicks and fields', async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughFirstDay(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
