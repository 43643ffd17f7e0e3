import { expect, type Locator, type Page } from '@playwright/test';
import { button, textField } from './controls.ts';
import { pageHeading } from './navigation.ts';

/* Pages of the Stripe fake */

/** Stripe's onboarding page; a link to it works once. */
export const onboardingPage = (page: Page): Locator => pageHeading(page, 'Set up payments');

export const CARDS = { declined: '4000 0000 0000 0002', good: '4242 4242 4242 4242' } as const;

/** Fills in and submits the checkout page. */
export async function payWithCard(
  page: Page,
  card: keyof typeof CARDS,
  amount: string,
): Promise<void> {
  await expect(pageHeading(page, 'Pay Ada Fenwick')).toBeVisible();
  await textField(page, 'Email').fill('ruth@families.example');
  await textField(page, 'Card number').fill(CARDS[card]);
  await textField(page, 'Expiry').fill('12 / 34');
  await textField(page, 'CVC').fill('123');
  await textField(page, 'Name on card').fill('Ruth Hale');
  await button(page, `Pay ${amount}`).click();
}
