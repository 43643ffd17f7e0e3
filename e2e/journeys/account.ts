import { accounts } from '@lessonbook/contract/accounts';
import { expect, type Page } from '@playwright/test';
import type { ConsoleGuard } from '../console-guard.ts';
import type { MailClient } from '../mail-client.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { newSignupData } from '../sign-up-tutor.ts';
import type { InputDriver } from './input-driver.ts';

const NEW_PASSWORD = 'a whole new chapter';

/** Signs up, logs out and in again, changes the profile and resets the password. */
export async function walkThroughAccount(
  page: Page,
  input: InputDriver,
  mail: MailClient,
  consoleGuard: ConsoleGuard,
): Promise<void> {
  const person = newSignupData('Maya Okafor');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });

  async function logIn(password: string): Promise<void> {
    await input.fill(field('Username'), person.username);
    await input.fill(field('Password'), password);
    await input.click(button('Log in'));
  }

  async function logOut(): Promise<void> {
    await input.click(link('Settings'));
    await expect(pageHeading(page, 'Settings')).toBeVisible();
    await input.click(page.getByRole('main').getByRole('button', { name: 'Logout' }));
    await expectPath(page, '/login');
    await expect(toastWithText(page, 'Logged out')).toBeVisible();
  }

  // Sign up
  await open(page, '/', 'Every lesson booked, taught and paid for.');
  await input.click(page.getByRole('banner').getByRole('link', { name: 'Sign up' }));
  await expect(pageHeading(page, 'Create your account')).toBeVisible();
  await input.fill(field('Full Name'), person.name);
  await input.fill(field('Email'), person.email);
  await input.fill(field('Username'), person.username);
  await input.fill(field('Password'), person.password);
  await input.click(button('Create account'));
  await expect(toastWithText(page, 'Account created')).toBeVisible();
  await expect(pageHeading(page, 'Good to see you, Maya')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Confirm your email' })).toBeVisible();

  // Confirm the address: pressing the button confirms it, but opening the link does not
  await page.goto(await mail.waitForLink(person.email, /^Confirm your email/));
  await expect(pageHeading(page, 'Confirm your email')).toBeVisible();
  await input.click(button('Confirm email'));
  await expect(pageHeading(page, 'Email confirmed')).toBeVisible();
  await expect(page.getByText(`${person.email} is confirmed.`)).toBeVisible();
  await input.click(link('Go to Lessonbook'));
  await expect(pageHeading(page, 'Good to see you, Maya')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Confirm your email' })).toBeHidden();

  // Log out, enter a wrong password, log in
  await logOut();
  consoleGuard.allowErrorResponse(accounts.login.path, 401);
  await logIn('not my password');
  await expect(page.getByRole('alert')).toContainText('Login failed');
  await expect(page.getByRole('alert')).toContainText('Invalid username or password');
  await logIn(person.password);
  await expect(toastWithText(page, 'Welcome back, Maya Okafor!')).toBeVisible();
  await expect(pageHeading(page, 'Good to see you, Maya')).toBeVisible();

  // Change the name
  await input.click(link('Settings'));
  await input.click(link('Edit Profile'));
  await expect(pageHeading(page, 'Edit Profile')).toBeVisible();
  await input.fill(field('Name'), 'Maya Lindqvist');
  await input.click(button('Save Changes'));
  await expect(toastWithText(page, 'Profile Updated')).toBeVisible();
  await input.click(link('Back to settings'));
  await expect(page.getByRole('main').getByText('Maya Lindqvist')).toBeVisible();

  // Reset the password by email
  await logOut();
  await input.click(link('Forgot your password?'));
  await expect(pageHeading(page, 'Forgot your password?')).toBeVisible();
  await input.fill(field('Email or username'), person.email);
  await input.click(button('Send link'));
  await expect(pageHeading(page, 'Check your email')).toBeVisible();
  await page.goto(await mail.waitForLink(person.email, /^Choose a new password/));
  await expect(pageHeading(page, 'Choose a new password')).toBeVisible();
  await input.fill(field('New password'), NEW_PASSWORD);
  await input.click(button('Save password'));
  await expect(toastWithText(page, 'Password changed')).toBeVisible();
  await expectPath(page, '/login');

  // Only the new password works
  await logIn(person.password);
  await expect(page.getByRole('alert')).toContainText('Login failed');
  await logIn(NEW_PASSWORD);
  await expect(toastWithText(page, 'Welcome back, Maya Lindqvist!')).toBeVisible();

  // After a reset, the tutor first reviews who has access to the account
  await expect(pageHeading(page, 'Review access')).toBeVisible();
  await expect(page.getByText('Only this browser has access to your account.')).toBeVisible();
  await input.click(button('Finish review'));
  await expect(pageHeading(page, 'Security')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Account recovery' })).toHaveCount(0);
}
