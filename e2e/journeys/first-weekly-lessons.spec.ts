import { test } from '../fixtures.ts';
import { walkThroughFirstWeeklyLessons } from './first-weekly-lessons.ts';
import { mouse, touchscreen } from './input-driver.ts';

test.use({ fixedClock: true });

test('first day: a term of weekly lessons for three students in at most 60 clicks and fields', async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughFirstWeeklyLessons(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
