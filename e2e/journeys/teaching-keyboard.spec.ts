import { test } from '../fixtures.ts';
import { walkThroughCompletingDay, walkThroughCompletingLastWeek } from './completing-lessons.ts';
import { walkThroughFirstDay } from './first-day.ts';
import { keyboard } from './input-driver.ts';
import { walkThroughRescheduling } from './rescheduling.ts';

test.use({ fixedClock: true });

test('first day: with the keyboard alone', async ({ page, api }) => {
  await walkThroughFirstDay(page, keyboard(page), api);
});

test('evening: with the keyboard alone', async ({ page, api }) => {
  await walkThroughCompletingDay(page, keyboard(page), api);
});

test('evening: last week with the keyboard alone', async ({ page, api }) => {
  await walkThroughCompletingLastWeek(page, keyboard(page), api);
});

test('moving: with the keyboard alone', async ({ page, api }) => {
  await walkThroughRescheduling(page, keyboard(page), api);
});
