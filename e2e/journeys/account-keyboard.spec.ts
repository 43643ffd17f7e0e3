import { test } from '../fixtures.ts';
import { walkThroughAccount } from './account.ts';
import { keyboard } from './input-driver.ts';

test('account: the whole journey using only the keyboard', async ({ page, mail, consoleGuard }) => {
  await walkThroughAccount(page, keyboard(page), mail, consoleGuard);
});
