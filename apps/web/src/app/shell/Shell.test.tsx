import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

const counts = { activeStudents: 24, draftInvoices: 6, overdueInvoices: 2, messagesToSend: 4 };

async function openNotifications(
  handlers: Parameters<typeof mockApi>[0] = {},
  path = '/notifications',
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/navigation-counts': () => json(200, counts),
    'GET /api/notifications/unread': () => json(200, { unread: 5 }),
    'GET /api/notifications': () => json(200, { unread: 5, open: [], notifications: [] }),
    ...handlers,
  });
  const app = renderApp(path);
  await screen.findByRole('heading', { level: 1 });
  return { ...app, server };
}

/* Both layouts are rendered; CSS shows one of them. */
const sidebar = () => screen.getAllByRole('banner')[1] as HTMLElement;
const bottomBar = () => screen.getAllByRole('navigation', { name: 'Main' })[1] as HTMLElement;
const textsIn = (element: HTMLElement) =>
  within(element)
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

/** The shortcuts are loaded after the page, so the first key may be pressed too early. */
async function openShortcuts(user: UserEvent) {
  await waitFor(async () => {
    await user.keyboard('?');
    screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
  });
  return screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
}

async function closeDialog(user: UserEvent, dialog: HTMLElement) {
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

async function openMore() {
  fireEvent.click(within(bottomBar()).getByRole('button', { name: /^More/ }));
  return screen.findByRole('dialog', { name: 'More' });
}

test('the sidebar lists the pages in order, and each badge describes what it counts', async () => {
  await openNotifications();
  const [main, account] = within(sidebar()).getAllByRole('navigation');
  await waitFor(() =>
    expect(textsIn(main as HTMLElement)).toEqual([
      'Home',
      'Schedule',
      'Students',
      'Families',
      'Invoices2 2 overdue',
      'Messages4 4 to send',
      'Reports',
    ]),
  );
  await waitFor(() =>
    expect(textsIn(account as HTMLElement)).toEqual(['Notifications5 5 unread', 'Settings']),
  );
});

test('a badge disappears at 0 and changes with the revision', async () => {
  const { server, queryClient } = await openNotifications();
  await within(sidebar()).findByText('2 overdue');
  server.handlers['GET /api/navigation-counts'] = () =>
    json(200, { ...counts, overdueInvoices: 0, messagesToSend: 1 });
  server.handlers['GET /api/me'] = () => json(200, { ...ada, revision: 2 });
  void queryClient.invalidateQueries({ queryKey: ['/api/me'] });
  await within(sidebar()).findByText('1 to send');
  expect(within(sidebar()).queryByText(/overdue/)).toBeNull();
});

test('the bottom bar ends with More, whose badge is the sum of the badges of its pages', async () => {
  await openNotifications();
  const bar = bottomBar();
  expect(textsIn(bar)).toEqual(['Home', 'Schedule', 'Reports']);
  const more = within(bar).getByRole('button', { name: /^More/ });
  await waitFor(() => expect(more.textContent).toBe('More6 2 overdue, 4 to send'));
});

test('More shows the other pages and closes when one is opened', async () => {
  const { user, pathname } = await openNotifications({ 'GET /api/students': () => json(200, []) });
  const dialog = await openMore();
  await waitFor(() =>
    expect(textsIn(dialog)).toEqual([
      'Students24 active',
      'FamiliesBalances, payments and contacts',
      'Invoices2 overdue, 6 drafts2 2 overdue',
      'Messages4 to send4 4 to send',
      'SettingsAccount, teaching and payments',
    ]),
  );
  await user.click(within(dialog).getByRole('link', { name: /^Students/ }));
  await waitFor(() => expect(pathname()).toBe('/students'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const more = within(bottomBar()).getByRole('button', { name: /^More/ });
  expect(more.getAttribute('aria-current')).toBe('true');
});

test('the + menu opens the same dialogs as the palette', async () => {
  const { user } = await openNotifications();
  await user.click(within(sidebar()).getByRole('button', { name: 'New' }));
  // Happy DOM does no layout, so Mantine hides the menu as if its button had been scrolled out of view.
  const items = await screen.findAllByRole('menuitem', { hidden: true });
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'New lesson',
    'Record payment',
    'New student',
    'New invoice',
    'Time off',
  ]);
  await user.click(items[2] as HTMLElement);
  expect(await screen.findByRole('dialog', { name: 'Add New Student' })).toBeTruthy();
});

test('F140 single keys open the search, the list of shortcuts and pages', async () => {
  const { user, pathname } = await openNotifications();
  const help = await openShortcuts(user);
  await user.keyboard('/t');
  expect(pathname()).toBe('/notifications');
  await closeDialog(user, help);
  await user.keyboard('t');
  await waitFor(() => expect(pathname()).toBe('/schedule'));
  await user.keyboard('gi');
  await waitFor(() => expect(pathname()).toBe('/invoices'));
  await user.keyboard('/');
  expect(await screen.findByRole('dialog', { name: /search|palette|find/i })).toBeTruthy();
});

test('F140 T goes to today and keeps the week view', async () => {
  const { user, search } = await openNotifications({}, '/schedule?board=week&date=2026-12-01');
  await closeDialog(user, await openShortcuts(user));
  await user.keyboard('t');
  await waitFor(() => expect(search()).toEqual({ board: 'week' }));
});

test('F140 shortcuts do nothing while typing, with a modifier, or when switched off', async () => {
  const { user, pathname } = await openNotifications();
  const input = document.body.appendChild(document.createElement('input'));
  input.focus();
  await user.keyboard('t?');
  expect(input.value).toBe('t?');
  input.remove();
  await user.keyboard('{Control>}t{/Control}');
  expect(pathname()).toBe('/notifications');

  const help = await openShortcuts(user);
  await user.click(within(help).getByRole('checkbox', { name: /single-key/ }));
  await closeDialog(user, help);
  await user.keyboard('t');
  expect(pathname()).toBe('/notifications');
});

test('F140 J and K move between the rows of a list', async () => {
  const notification = (id: number) => ({
    id,
    kind: 'payment_received',
    text: `Payment ${id}`,
    path: '/families',
    requiresAction: false,
    at: '2026-11-15T09:00:00Z',
    read: true,
  });
  const { user } = await openNotifications({
    'GET /api/notifications': () =>
      json(200, { unread: 0, open: [], notifications: [1, 2].map(notification) }),
  });
  await screen.findByText('Payment 2');
  await closeDialog(user, await openShortcuts(user));
  await user.keyboard('jj');
  expect(document.activeElement?.closest('li')?.textContent).toContain('Payment 2');
  await user.keyboard('k');
  expect(document.activeElement?.closest('li')?.textContent).toContain('Payment 1');
});
