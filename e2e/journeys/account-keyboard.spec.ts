import { test } from '../fixtures.ts';
import { walkThroughAccount } from './account.ts';
import { keyboard } from './hands.ts';

test('account: the whole way with Tab, Enter and letters alone', async ({ page, mail, watch }) => {
  await walkThroughAccount(page, keyboard(page), mail, watch);
});
