import { expect, type Locator, type Page } from '@playwright/test';
import { button, field } from './controls.ts';
import { heading } from './page.ts';

/* Pages of the Stripe fake */

/** Stripe's onboarding page; a link to it works once. */
export const onboardingPage = (page: Page): Locator => heading(page, 'Set up payments');

export const CARDS = { declined: '4000 0000 0000 0002', good: '4242 4242 4242 4242' } as const;

/** Fills in and submits the checkout page. */
export async function payWithCard(
  page: Page,
  card: keyof typeof CARDS,
  amount: string,
): Promise<void> {
  await expect(heading(page, 'Pay Ada Fenwick')).toBeVisible();
  await field(page, 'Email').fill('ruth@families.example');
  await field(page, 'Card number').fill(CARDS[card]);
  await field(page, 'Expiry').fill('12 / 34');
  await field(page, 'CVC').fill('123');
  await field(page, 'Name on card').fill('Ruth Hale');
  await button(page, `Pay ${amount}`).click();
}
