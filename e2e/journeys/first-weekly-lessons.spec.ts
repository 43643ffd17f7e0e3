import { test } from '../fixtures.ts';
import { walkThroughFirstWeeklyLessons } from './first-weekly-lessons.ts';
import { mouse, touchscreen } from './input-driver.ts';

test.use({ fixedClock: true });

test('first day: creates a term of weekly lessons for three students with at most 60 clicks and fields', async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughFirstWeeklyLessons(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
