import { test } from '../fixtures.ts';
import { finger, mouse } from './hands.ts';
import { walkThroughMoving } from './moving.ts';

test.use({ evening: true });

test('moving: one lesson, the rest of the series, a holiday, and a late cancellation', async ({
  page,
  hasTouch,
  book,
}) => {
  await walkThroughMoving(page, hasTouch ? finger(page) : mouse(page), book);
});
