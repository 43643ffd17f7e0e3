import { test } from '../fixtures.ts';
import { walkThroughCards } from './cards.ts';
import { finger, mouse } from './hands.ts';

test('cards: from connecting to a lesson that is paid by card, and given back in part', ({
  page,
  browser,
  hasTouch,
  book,
  mail,
  confirmed,
}) =>
  walkThroughCards({
    page,
    browser,
    hands: hasTouch ? finger(page) : mouse(page),
    book,
    mail,
    tutor: confirmed,
  }));
