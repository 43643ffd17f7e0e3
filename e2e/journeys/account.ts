import { accounts } from '@lessonbook/contract/accounts';
import { expect, type Page } from '@playwright/test';
import type { Mailroom } from '../mailroom.ts';
import { expectPath, heading, open, toast } from '../page-parts.ts';
import { inventPerson } from '../tutor.ts';
import type { Watch } from '../watch.ts';
import type { Hands } from './hands.ts';

const NEW_PASSWORD = 'a whole new chapter';

/** The first day of a tutor: in, out, in again, and back in after forgetting how. */
export async function walkThroughAccount(
  page: Page,
  hands: Hands,
  mail: Mailroom,
  watch: Watch,
): Promise<void> {
  const person = inventPerson('Maya Okafor');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });

  async function logIn(password: string): Promise<void> {
    await hands.write(field('Username'), person.username);
    await hands.write(field('Password'), password);
    await hands.press(button('Log in'));
  }

  async function logOut(): Promise<void> {
    await hands.press(link('Settings'));
    await expect(heading(page, 'Settings')).toBeVisible();
    await hands.press(page.getByRole('main').getByRole('button', { name: 'Logout' }));
    await expectPath(page, '/login');
    await expect(toast(page, 'Logged out')).toBeVisible();
  }

  // Sign up
  await open(page, '/', 'Every lesson booked, taught and paid.');
  await hands.press(page.getByRole('banner').getByRole('link', { name: 'Sign up' }));
  await expect(heading(page, 'Open your book')).toBeVisible();
  await hands.write(field('Full Name'), person.name);
  await hands.write(field('Email'), person.email);
  await hands.write(field('Username'), person.username);
  await hands.write(field('Password'), person.password);
  await hands.press(button('Create account'));
  await expect(toast(page, 'Account created')).toBeVisible();
  await expect(heading(page, 'Good to see you, Maya')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Confirm your e-mail' })).toBeVisible();

  // Confirm the address: opening the link changes nothing, the press does
  await page.goto(await mail.waitForLink(person.email, /^Confirm your email/));
  await expect(heading(page, 'Confirm your e-mail')).toBeVisible();
  await hands.press(button('Confirm e-mail'));
  await expect(heading(page, 'E-mail confirmed')).toBeVisible();
  await expect(page.getByText(`${person.email} is yours.`)).toBeVisible();
  await hands.press(link('Go to your book'));
  await expect(heading(page, 'Good to see you, Maya')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Confirm your e-mail' })).toBeHidden();

  // Out, a slip of the pen, and in again
  await logOut();
  watch.expectRefusal(accounts.login.path, 401);
  await logIn('not my password');
  await expect(page.getByRole('alert')).toContainText('Login failed');
  await expect(page.getByRole('alert')).toContainText('Invalid username or password');
  await logIn(person.password);
  await expect(toast(page, 'Welcome back, Maya Okafor!')).toBeVisible();
  await expect(heading(page, 'Good to see you, Maya')).toBeVisible();

  // A new name
  await hands.press(link('Settings'));
  await hands.press(link('Edit Profile'));
  await expect(heading(page, 'Edit Profile')).toBeVisible();
  await hands.write(field('Name'), 'Maya Lindqvist');
  await hands.press(button('Save Changes'));
  await expect(toast(page, 'Profile Updated')).toBeVisible();
  await hands.press(link('Back to settings'));
  await expect(page.getByRole('main').getByText('Maya Lindqvist')).toBeVisible();

  // The password is forgotten, and chosen anew by mail
  await logOut();
  await hands.press(link('Forgot your password?'));
  await expect(heading(page, 'Forgot your password?')).toBeVisible();
  await hands.write(field('Email or username'), person.email);
  await hands.press(button('Send link'));
  await expect(heading(page, 'Check your e-mail')).toBeVisible();
  await page.goto(await mail.waitForLink(person.email, /^Choose a new password/));
  await expect(heading(page, 'Choose a new password')).toBeVisible();
  await hands.write(field('New password'), NEW_PASSWORD);
  await hands.press(button('Save password'));
  await expect(toast(page, 'Password changed')).toBeVisible();
  await expectPath(page, '/login');

  // The old one is worth nothing now, the new one opens the book
  await logIn(person.password);
  await expect(page.getByRole('alert')).toContainText('Login failed');
  await logIn(NEW_PASSWORD);
  await expect(toast(page, 'Welcome back, Maya Lindqvist!')).toBeVisible();
  await expect(heading(page, 'Good to see you, Maya')).toBeVisible();
}
