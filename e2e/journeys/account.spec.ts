import { test } from '../fixtures.ts';
import { walkThroughAccount } from './account.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('account: from signing up to a forgotten password', async ({
  page,
  hasTouch,
  mail,
  consoleGuard,
}) => {
  await walkThroughAccount(page, hasTouch ? touchscreen(page) : mouse(page), mail, consoleGuard);
});
