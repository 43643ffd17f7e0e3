import { test } from '../fixtures.ts';
import { walkThroughCompletingDay, walkThroughCompletingLastWeek } from './completing-lessons.ts';
import { mouse, touchscreen } from './input-driver.ts';

test.use({ fixedClock: true });

test('evening: the day is ticked off at five past eight, on one screen', async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughCompletingDay(page, hasTouch ? touchscreen(page) : mouse(page), api);
});

test('evening: last week is caught up on', async ({ page, hasTouch, api }) => {
  await walkThroughCompletingLastWeek(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
