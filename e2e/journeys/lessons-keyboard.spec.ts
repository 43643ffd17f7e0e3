import { test } from '../fixtures.ts';
import { completeTodaysLessons, walkThroughCompletingLastWeek } from './completing-lessons.ts';
import { walkThroughFirstWeeklyLessons } from './first-weekly-lessons.ts';
import { keyboard } from './input-driver.ts';
import { walkThroughRescheduling } from './rescheduling.ts';

test.use({ fixedClock: true });

test('first day: the whole journey using only the keyboard', async ({ page, api }) => {
  await walkThroughFirstWeeklyLessons(page, keyboard(page), api);
});

test("completing lessons: completes today's lessons using only the keyboard", async ({
  page,
  api,
}) => {
  await completeTodaysLessons(page, keyboard(page), api);
});

test("completing lessons: completes last week's lessons using only the keyboard", async ({
  page,
  api,
}) => {
  await walkThroughCompletingLastWeek(page, keyboard(page), api);
});

test('rescheduling: the whole journey using only the keyboard', async ({ page, api }) => {
  await walkThroughRescheduling(page, keyboard(page), api);
});
