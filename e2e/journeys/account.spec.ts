import { test } from '../fixtures.ts';
import { walkThroughAccount } from './account.ts';
import { finger, mouse } from './hands.ts';

test('account: from signing up to a forgotten password', async ({
  page,
  hasTouch,
  mail,
  watch,
}) => {
  await walkThroughAccount(page, hasTouch ? finger(page) : mouse(page), mail, watch);
});
