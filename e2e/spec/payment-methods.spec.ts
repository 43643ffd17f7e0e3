import { cards, STRIPE_NOT_READY_MESSAGE } from '@lessonbook/contract/card-payments';
import { envUrl, expect, test } from '../fixtures.ts';
import { button, radio, region } from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { onboardingPage } from '../page-objects/stripe.ts';

test('payment methods: offers two options, and Stripe cannot be chosen without an account [ROUTE-19, PAYM-01..05, PAYM-12, ERR-31]', async ({
  page,
  tutor: _signedIn,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(cards.saveDefaultMethod.path, 409);
  await open(page, '/payment-methods', 'Payment Methods');
  const [manual, stripe] = [radio(page, 'Manual Payments'), radio(page, 'Stripe Payments')];
  await expect(manual).toBeChecked();
  await expect(manual).toHaveAccessibleDescription(
    /record payments received outside the app, e\.g\. cash or bank transfer/,
  );
  await expect(stripe).toHaveAccessibleDescription(/Students pay by card/);
  const account = region(page, 'Stripe account');
  await expect(account).toHaveCount(0);
  await stripe.check();
  await expect(account.getByRole('listitem')).toHaveText([
    'Not connected',
    'Onboarding incomplete',
    'Payouts disabled',
  ]);
  await expect(button(account, 'Connect with Stripe')).toBeVisible();

  await button(page, 'Save Changes').click();
  await expect(toastWithText(page, 'Action Required')).toContainText(STRIPE_NOT_READY_MESSAGE);
  await page.reload();
  await expect(manual).toBeChecked();
  await expect(account).toHaveCount(0);
});

test('payment methods: Stripe can be set up after an expired link and then chosen as the default [PROD-13, API-42, PAYM-14, PAYM-16..18, TOAST-13..16]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/payment-methods', 'Payment Methods');
  await radio(page, 'Stripe Payments').check();
  const account = region(page, 'Stripe account');
  await button(account, 'Connect with Stripe').click();
  await expect(onboardingPage(page)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(envUrl('E2E_STRIPE_URL'));

  await test.step('an expired link', async () => {
    await button(page, 'Let the link expire').click();
    await expect(pageHeading(page, 'Payment Methods')).toBeVisible();
    await expect(toastWithText(page, 'Action Required')).toBeVisible();
    await expectPath(page, '/payment-methods');
    // The page opens without a click
    await expect(onboardingPage(page)).toBeVisible();
  });

  await test.step('completed', async () => {
    await button(page, 'Complete onboarding').click();
    await expect(toastWithText(page, 'Your Stripe account is ready.')).toBeVisible();
    await expectPath(page, '/payment-methods');
    await expect(radio(page, 'Stripe Payments')).toBeChecked();
    await expect(account.getByRole('listitem')).toHaveText([
      'Connected',
      'Onboarding complete',
      'Payouts enabled',
    ]);
    await button(account, 'Accept card payments').click();
    await expect(
      toastWithText(
        page,
        'Stripe Connect account connected successfully! You can now receive payments directly.',
      ),
    ).toBeVisible();
  });

  await test.step('the setting is saved, and can be changed again', async () => {
    await button(page, 'Save Changes').click();
    await expect(toastWithText(page, 'Payment Method Updated')).toContainText(
      'Default payment method set to Stripe Payments',
    );
    const [dashboardPage] = await Promise.all([
      page.waitForEvent('popup'),
      button(account, 'Manage Account').click(),
    ]);
    await expect(pageHeading(dashboardPage, 'Dashboard')).toBeVisible();
    await dashboardPage.close();
    await page.reload();
    await expect(radio(page, 'Stripe Payments')).toBeChecked();
    await radio(page, 'Manual Payments').check();
    await button(page, 'Save Changes').click();
    await expect(toastWithText(page, 'Payment Method Updated')).toContainText(
      'Default payment method set to Manual Payments',
    );
  });
});
