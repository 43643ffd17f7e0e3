import type { Browser, Page } from '@playwright/test';
import { findViolations } from '../accessibility.ts';
import { guardConsole } from '../console-guard.ts';
import { expect } from '../fixtures.ts';
import type { MailClient } from '../mail-client.ts';
import { button } from './controls.ts';
import { open, pageHeading } from './navigation.ts';

export async function expectNoViolations(page: Page): Promise<void> {
  const violations = await findViolations(page);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

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

/** Records the path and body of each successful response that the page gets from the API from now on. */
export function recordReplies(page: Page) {
  const pending: Promise<{ path: string; text: string }>[] = [];
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    // A redirect has no body.
    if (path.startsWith('/api/') && response.status() < 300)
      pending.push(response.text().then((text) => ({ path, text })));
  });
  return { all: () => Promise.all(pending) };
}
