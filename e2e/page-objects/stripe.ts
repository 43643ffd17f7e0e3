import { expect, type Locator, type Page } from '@playwright/test';
import { button, field } from './controls.ts';
import { heading } from './page.ts';

/* Pieces of the card provider's pages, as its stand-in draws them. */

/** The page where a tutor tells Stripe who they are; it opens once. */
export const onboardingPage = (page: Page): Locator => heading(page, 'Set up payments');

/** A number that is declined, and one that pays. */
export const CARDS = { declined: '4000 0000 0000 0002', good: '4242 4242 4242 4242' } as const;

/** Fills in the page of a payment and sends it. */
export async function payWithCard(
  page: Page,
  card: keyof typeof CARDS,
  sum: string,
): Promise<void> {
  await expect(heading(page, 'Pay Ada Fenwick')).toBeVisible();
  await field(page, 'Email').fill('ruth@families.example');
  await field(page, 'Card number').fill(CARDS[card]);
  await field(page, 'Expiry').fill('12 / 34');
  await field(page, 'CVC').fill('123');
  await field(page, 'Name on card').fill('Ruth Hale');
  await button(page, `Pay ${sum}`).click();
}
