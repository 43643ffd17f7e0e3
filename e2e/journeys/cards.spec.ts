import { test } from '../fixtures.ts';
import { walkThroughCards } from './cards.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('cards: connects Stripe, takes a card payment for a lesson and refunds part of it', ({
  page,
  browser,
  hasTouch,
  api,
  mail,
  confirmedTutor,
}) =>
  walkThroughCards({
    page,
    browser,
    input: hasTouch ? touchscreen(page) : mouse(page),
    api,
    mail,
    tutor: confirmedTutor,
  }));
