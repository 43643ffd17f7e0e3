import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const expiredResponse = () =>
  json(410, { code: 'link_expired', message: 'This link has expired or has already been used.' });

test('opening the link does not confirm the address; pressing the button does', async () => {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/email-verification/confirm': () => json(200, { email: 'ada@example.com' }),
  });
  const { user } = renderApp('/verify-email/abc');
  const confirm = await screen.findByRole('button', { name: 'Confirm email' });
  expect(server.count('POST /api/email-verification/confirm')).toBe(0);
  await user.click(confirm);
  expect(await screen.findByRole('heading', { name: 'Email confirmed' })).toBeTruthy();
  expect(server.last('POST /api/email-verification/confirm')?.body).toEqual({ token: 'abc' });
});

test('an expired verification link shows a message on the page and offers a new one', async () => {
  const server = mockApi({
    'GET /api/me': () => json(200, { ...ada, emailVerified: false }),
    'POST /api/email-verification/confirm': expiredResponse,
    'POST /api/email-verification': () => json(202, { message: 'Sent' }),
  });
  const { user } = renderApp('/verify-email/abc');
  await user.click(await screen.findByRole('button', { name: 'Confirm email' }));
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send a new link' }));
  expect(await screen.findByText('Email sent')).toBeTruthy();
  expect(server.count('POST /api/email-verification')).toBe(1);
});

test('a password reset gives the same response for every username', async () => {
  mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/password-reset': () => json(202, { message: 'Accepted' }),
  });
  const { user } = renderApp('/forgot-password');
  await user.type(await screen.findByLabelText('Email or username'), 'nobody');
  await user.click(screen.getByRole('button', { name: 'Send link' }));
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeTruthy();
});

test('setting a new password redirects to the login page', async () => {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'GET /api/sign-in-options': () => json(200, { demo: null }),
    'POST /api/password-reset/confirm': () => json(200, { message: 'Done' }),
  });
  const { user, pathname } = renderApp('/reset-password/abc');
  await user.type(await screen.findByLabelText('New password'), 'secret123');
  await user.click(screen.getByRole('button', { name: 'Save password' }));
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
  expect(pathname()).toBe('/login');
  expect(screen.getByText('Password changed')).toBeTruthy();
  const sent = server.last('POST /api/password-reset/confirm')?.body;
  expect(sent).toEqual({ token: 'abc', password: 'secret123' });
});

test('an expired reset link shows a message and a link to request a new one', async () => {
  mockApi({ 'GET /api/me': unauthenticated, 'POST /api/password-reset/confirm': expiredResponse });
  const { user } = renderApp('/reset-password/abc');
  await user.type(await screen.findByLabelText('New password'), 'secret123');
  await user.click(screen.getByRole('button', { name: 'Save password' }));
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Send a new link' });
  expect(link.getAttribute('href')).toBe('/forgot-password');
});

test('F34 the earlier address is restored only when the button is pressed, and the tutor then chooses a new password', async () => {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/email-revert': () => json(200, { email: 'ada@example.com', resetToken: 'next' }),
  });
  const { user, pathname } = renderApp('/revert-email/abc');
  const restore = await screen.findByRole('button', { name: 'Restore my address' });
  expect(server.count('POST /api/email-revert')).toBe(0);
  await user.click(restore);
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeTruthy();
  expect(pathname()).toBe('/reset-password/next');
  expect(server.last('POST /api/email-revert')?.body).toEqual({ token: 'abc' });
});

test('F34 an expired link to restore an address shows a message', async () => {
  mockApi({ 'GET /api/me': unauthenticated, 'POST /api/email-revert': expiredResponse });
  const { user } = renderApp('/revert-email/abc');
  await user.click(await screen.findByRole('button', { name: 'Restore my address' }));
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('F35 asking to remove two-step login gives the same response for every username', async () => {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/mfa-removal': () => json(202, { message: 'Accepted' }),
  });
  const { user } = renderApp('/account-recovery');
  await user.type(await screen.findByLabelText('Email or username'), 'nobody');
  await user.click(screen.getByRole('button', { name: 'Send link' }));
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeTruthy();
  expect(server.last('POST /api/mfa-removal')?.body).toEqual({ account: 'nobody' });
});

test('F35 the removal starts when the button is pressed, and the page shows when it takes effect', async () => {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/mfa-removal/start': () => json(200, { removalAt: '2026-11-19T12:00:00Z' }),
  });
  const { user } = renderApp('/remove-two-step/abc');
  const start = await screen.findByRole('button', { name: 'Remove in three days' });
  expect(server.count('POST /api/mfa-removal/start')).toBe(0);
  await user.click(start);
  expect(
    await screen.findByText(/only your password from Thursday,? 19 November 2026/),
  ).toBeTruthy();
});

test('F35 the removal is cancelled when the button is pressed', async () => {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/mfa-removal/cancel': () => json(200, { message: 'Done' }),
  });
  const { user } = renderApp('/keep-two-step/abc');
  await user.click(await screen.findByRole('button', { name: 'Keep two-step login' }));
  expect(await screen.findByRole('heading', { name: 'Two-step login stays on' })).toBeTruthy();
  expect(server.last('POST /api/mfa-removal/cancel')?.body).toEqual({ token: 'abc' });
});
