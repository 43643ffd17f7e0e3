import { test } from '../fixtures.ts';
import { walkThroughFirstDay } from './first-day.ts';
import { finger, mouse } from './hands.ts';

test.use({ evening: true });

test('first day: three children, a term of weekly lessons, at most 60 presses and fields', async ({
  page,
  hasTouch,
  book,
}) => {
  await walkThroughFirstDay(page, hasTouch ? finger(page) : mouse(page), book);
});
