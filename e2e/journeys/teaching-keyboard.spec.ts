import { test } from '../fixtures.ts';
import { walkThroughEvening, walkThroughLastWeek } from './evening.ts';
import { walkThroughFirstDay } from './first-day.ts';
import { keyboard } from './hands.ts';
import { walkThroughMoving } from './moving.ts';

test.use({ evening: true });

test('first day: with the keyboard alone', async ({ page, book }) => {
  await walkThroughFirstDay(page, keyboard(page), book);
});

test('evening: with the keyboard alone', async ({ page, book }) => {
  await walkThroughEvening(page, keyboard(page), book);
});

test('evening: last week with the keyboard alone', async ({ page, book }) => {
  await walkThroughLastWeek(page, keyboard(page), book);
});

test('moving: with the keyboard alone', async ({ page, book }) => {
  await walkThroughMoving(page, keyboard(page), book);
});
