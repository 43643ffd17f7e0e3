import type { Browser, Page } from '@playwright/test';
import { guardConsole } from '../console-guard.ts';
import { expect } from '../fixtures.ts';
import type { MailClient } from '../mail-client.ts';
import { button } from './controls.ts';
import { open, pageHeading } from './navigation.ts';

/** Opens a new browser context with the viewport of a phone, in which no one is signed in. */
export async function openPhone(browser: Browser, origin: string) {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ baseURL: origin, viewport, hasTouch: true });
  const consoleGuard = await guardConsole(context);
  const page: Page = await context.newPage();
  return { page, consoleGuard };
}

/** Opens a phone and signs in with the code from the email. `title` is the heading of the first page. */
export async function signInToPortal(
  browser: Browser,
  origin: string,
  email: string,
  mail: MailClient,
  title = 'Next lessons',
) {
  const phone = await openPhone(browser, origin);
  const { page } = phone;
  await open(page, '/family', 'Sign in');
  await page.getByLabel('Email address').fill(email);
  await button(page, 'Send code').click();
  const { subject } = await mail.waitFor(email, /^\d{6} is your code/);
  await page.getByLabel('6-digit code').fill(subject.slice(0, 6));
  await button(page, 'Sign in').click();
  await expect(pageHeading(page, title)).toBeVisible();
  return phone;
}
