import { test } from '../fixtures.ts';
import { walkThroughEvening, walkThroughLastWeek } from './evening.ts';
import { finger, mouse } from './hands.ts';

test.use({ evening: true });

test('evening: the day is ticked off at five past eight, on one screen', async ({
  page,
  hasTouch,
  book,
}) => {
  await walkThroughEvening(page, hasTouch ? finger(page) : mouse(page), book);
});

test('evening: last week is caught up on', async ({ page, hasTouch, book }) => {
  await walkThroughLastWeek(page, hasTouch ? finger(page) : mouse(page), book);
});
