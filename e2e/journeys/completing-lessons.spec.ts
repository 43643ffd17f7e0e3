import { test } from '../fixtures.ts';
import { completeTodaysLessons, walkThroughCompletingLastWeek } from './completing-lessons.ts';
import { mouse, touchscreen } from './input-driver.ts';

test.use({ fixedClock: true });

test("completing lessons: completes all of today's lessons on one screen", async ({
  page,
  hasTouch,
  api,
}) => {
  await completeTodaysLessons(page, hasTouch ? touchscreen(page) : mouse(page), api);
});

test("completing lessons: completes all but one of last week's lessons at once", async ({
  page,
  hasTouch,
  api,
}) => {
  await walkThroughCompletingLastWeek(page, hasTouch ? touchscreen(page) : mouse(page), api);
});
