import { test } from '../fixtures.ts';
import { walkThroughAccount } from './account.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('account: from sign-up to a password reset', async ({
  page,
  hasTouch,
  mail,
  consoleGuard,
}) => {
  await walkThroughAccount(page, hasTouch ? touchscreen(page) : mouse(page), mail, consoleGuard);
});
