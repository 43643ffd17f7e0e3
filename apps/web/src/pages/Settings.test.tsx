import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { policySettings } from '../test/cancellation-policy-fixtures.ts';
import { createDeferredReply, json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { calendarStatus } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const settings = { emailNotifications: true, lessonReminders: true, paymentNotifications: true };

async function openSettings(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notification-settings': () => json(200, settings),
    'GET /api/google/calendar/status': () => json(200, calendarStatus()),
    'GET /api/calendar/external-changes': () => json(200, []),
    ...handlers,
  });
  const app = renderApp('/settings');
  await screen.findByRole('heading', { name: 'Settings' });
  return { ...app, server };
}

/* The account menu in the sidebar also has Logout, but only while it is open. */
const logoutButton = () => screen.getByRole('button', { name: 'Logout' });

test('[SET-03] "User" is shown if the tutor has no name', async () => {
  await openSettings({ 'GET /api/me': () => json(200, { ...ada, name: '' }) });
  const main = within(screen.getByRole('main'));
  expect(main.getByText('User')).toBeTruthy();
  expect(main.getByText('U')).toBeTruthy();
});

test('[THEME-01] F144 the theme can be light, dark or system, and is system until one is chosen', async () => {
  const { user } = await openSettings();
  await user.click(screen.getByRole('button', { name: /Theme Settings/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Theme' }));
  const choices = dialog.getAllByRole<HTMLInputElement>('radio', { hidden: true });
  expect(choices.map(({ value }) => value)).toEqual(['light', 'dark', 'system']);
  expect(choices[2]?.checked).toBe(true);

  for (const choice of ['dark', 'system', 'light']) {
    await user.click(choices.find(({ value }) => value === choice) as HTMLElement);
    await waitFor(() => expect(localStorage.getItem('lessonbook-theme')).toBe(choice));
  }
  await user.click(choices[1] as HTMLElement);
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  await waitFor(() => expect(scheme()).toBe('dark'));
  await user.click(choices[0] as HTMLElement);
  await waitFor(() => expect(scheme()).toBe('light'));
});

test('the cancellation policy is summarised, with a link to its page', async () => {
  await openSettings({
    'GET /api/settings/cancellation-policy': () => json(200, policySettings()),
  });
  const card = within(screen.getByRole('region', { name: 'Teaching' }));
  const link = await card.findByRole('link', { name: /^Cancellation policy\s*24 hours, 50%$/ });
  expect(link.getAttribute('href')).toBe('/settings/cancellation-policy');
});

test('[AUTH-22, V14.3.1] [AUTH-23] logout clears the user and all cached data', async () => {
  const { user, queryClient } = await openSettings({
    'POST /api/logout': () => json(200, { message: 'Bye' }),
  });
  await screen.findByRole('switch', { name: /Email Notifications/ });
  queryClient.setQueryData(['/api/students'], [{ name: 'Maya' }]);
  await user.click(logoutButton());
  expect(await screen.findByText('Logged out')).toBeTruthy();
  expect(screen.getByText('You have been successfully logged out.')).toBeTruthy();
  const queries = queryClient.getQueryCache().getAll();
  expect(queries.filter(({ state }) => state.data).map(({ queryKey }) => queryKey)).toEqual([]);
  expect(queryClient.getQueryData(['/api/me'])).toBeNull();
});

test('[CONST-07] the redirect to /login starts about 100 ms after logout', async () => {
  const logout = createDeferredReply();
  const { user, pathname, server } = await openSettings({ 'POST /api/logout': logout.handler });
  server.handlers['GET /api/me'] = unauthenticated;
  await user.click(logoutButton());
  await waitFor(() => expect(server.count('POST /api/logout')).toBe(1));
  vi.useFakeTimers();
  logout.reply(json(200, { message: 'Bye' }));
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.queryByText('Logged out')).not.toBeNull();
  expect(pathname()).toBe('/settings');
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(pathname()).toBe('/login');
});

test("[ERR-11] [ERR-12] a failed logout shows the server's message", async () => {
  const { user, pathname } = await openSettings({
    'POST /api/logout': () => json(503, { message: 'Please try again in a moment.' }),
  });
  await user.click(logoutButton());
  expect(await screen.findByText('Logout failed')).toBeTruthy();
  expect(screen.getByText('Please try again in a moment.')).toBeTruthy();
  expect(pathname()).toBe('/settings');
});

test('[ERR-11] [ERR-12] a failed logout without a message shows the fallback', async () => {
  const { user } = await openSettings({ 'POST /api/logout': () => json(500, {}) });
  await user.click(logoutButton());
  expect(await screen.findByText('Logout failed')).toBeTruthy();
  expect(screen.getByText('An error occurred during logout')).toBeTruthy();
});

test('a switch is saved immediately', async () => {
  const { user, server } = await openSettings({
    'PUT /api/notification-settings': ({ body }) =>
      server.saved('GET /api/notification-settings', body),
  });
  const reminders = await screen.findByRole<HTMLInputElement>('switch', {
    name: /Lesson Reminders/,
  });
  await vi.waitFor(() => expect(reminders.disabled).toBe(false));
  await user.click(reminders);
  expect(reminders.checked).toBe(false);
  const saved = server.last('PUT /api/notification-settings');
  expect(saved?.body).toEqual({ ...settings, lessonReminders: false });
});

test('a switch that cannot be saved reverts and shows an error', async () => {
  const { user } = await openSettings({
    'PUT /api/notification-settings': () => json(500, {}),
  });
  const reminders = await screen.findByRole<HTMLInputElement>('switch', {
    name: /Lesson Reminders/,
  });
  await vi.waitFor(() => expect(reminders.disabled).toBe(false));
  await user.click(reminders);
  const errorText = "We couldn't save your notification settings. Please try again.";
  expect(await screen.findByText(errorText)).toBeTruthy();
  await vi.waitFor(() => expect(reminders.checked).toBe(true));
});

test('a retry is offered when the switches fail to load', async () => {
  const { user, server } = await openSettings({
    'GET /api/notification-settings': () => json(500, {}),
  });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers['GET /api/notification-settings'] = () => json(200, settings);
  await user.click(retry);
  expect(await screen.findByRole('switch', { name: /Email Notifications/ })).toBeTruthy();
});

test('the remaining days of the trial are shown below the name, not as an alert', async () => {
  await openSettings();
  expect(
    within(screen.getByRole('main')).getByText('13 days left in your free trial.'),
  ).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
