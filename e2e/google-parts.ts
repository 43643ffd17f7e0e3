import { expect, type Page } from '@playwright/test';
import { button, field } from './lesson-parts.ts';
import { heading } from './page-parts.ts';

/* Pieces of Google's page, as its stand-in draws them. */

/** Where a tutor chooses the account; no other page is shown in between. */
const chooser = (page: Page) => heading(page, 'Choose an account');

export async function chooseGoogle(page: Page, email: string, name: string): Promise<void> {
  await expect(chooser(page)).toBeVisible();
  await field(page, 'Email').fill(email);
  await field(page, 'Name').fill(name);
  await button(page, 'Continue').click();
}

export async function cancelGoogle(page: Page): Promise<void> {
  await expect(chooser(page)).toBeVisible();
  await button(page, 'Cancel').click();
}
