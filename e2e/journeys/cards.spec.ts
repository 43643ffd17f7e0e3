import { test } from '../fixtures.ts';
import { walkThroughCards } from './cards.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('cards: from connecting to a lesson that is paid by card, and given back in part', ({
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
