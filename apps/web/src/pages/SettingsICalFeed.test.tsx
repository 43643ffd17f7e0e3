import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { calendarStatus } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const FEED = 'POST /api/calendar/feed';
const REPLACE = 'POST /api/calendar/feed/replace';
const OLD_URL = 'https://book.example/api/calendar/feeds/the-old-and-secret-token';
const NEW_URL = 'https://book.example/api/calendar/feeds/the-new-and-secret-token';

async function openFeed(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/google/calendar/status': () => json(200, calendarStatus()),
    'GET /api/calendar/external-changes': () => json(200, []),
    [FEED]: () => json(200, { url: OLD_URL }),
    [REPLACE]: () => json(200, { url: NEW_URL }),
    ...handlers,
  });
  const app = renderApp('/settings');
  const region = await screen.findByRole('region', { name: 'Any other calendar' });
  return { ...app, server, feed: within(region) };
}

test('[SET-08] the feed URL is hidden and not requested until it is shown', async () => {
  const { feed, user, server } = await openFeed();
  expect(server.count(FEED)).toBe(0);
  const show = feed.getByRole('button', { name: 'Show address' });
  expect(show.getAttribute('aria-expanded')).toBe('false');
  await user.click(show);
  expect(await feed.findByText(OLD_URL)).toBeTruthy();
  const open = feed.getByRole('link', { name: 'Open in my calendar' });
  expect(open.getAttribute('href')).toBe(OLD_URL.replace('https:', 'webcal:'));
  expect(await feed.findByRole('img', { name: 'QR code of the address' })).toBeTruthy();
  await user.click(feed.getByRole('button', { name: 'Hide address' }));
  expect(feed.queryByText(OLD_URL)).toBeNull();
});

test('[SET-08] the full URL is copied', async () => {
  const { feed, user } = await openFeed();
  await user.click(feed.getByRole('button', { name: 'Show address' }));
  await feed.findByText(OLD_URL);
  await user.click(feed.getByRole('button', { name: 'Copy, address of your calendar' }));
  expect(await feed.findByText('Copied')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(OLD_URL);
});

test('[SET-08] replacing the URL explains the impact first, then shows the new URL', async () => {
  const { feed, user, server } = await openFeed();
  await user.click(feed.getByRole('button', { name: 'Show address' }));
  const replace = await feed.findByRole('button', { name: 'Replace address' });
  await user.click(replace);
  const modal = within(await screen.findByRole('dialog', { name: 'Replace the address?' }));
  expect(modal.getByText(/use the old address will stop updating straight away/)).toBeTruthy();
  expect(server.count(REPLACE)).toBe(0);
  await user.click(modal.getByRole('button', { name: 'Replace' }));
  expect(await screen.findByText('Address replaced')).toBeTruthy();
  expect(await feed.findByText(NEW_URL)).toBeTruthy();
  expect(feed.queryByText(OLD_URL)).toBeNull();
});

test('a URL that cannot be loaded or replaced shows an error', async () => {
  const { feed, user, server } = await openFeed({
    [FEED]: () => json(500, {}),
    [REPLACE]: () => json(500, {}),
  });
  await user.click(feed.getByRole('button', { name: 'Show address' }));
  expect(await screen.findByText("We couldn't load the address. Please try again.")).toBeTruthy();
  server.handlers[FEED] = () => json(200, { url: OLD_URL });
  await user.click(feed.getByRole('button', { name: 'Show address' }));
  await user.click(await feed.findByRole('button', { name: 'Replace address' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Replace the address?' }));
  await user.click(modal.getByRole('button', { name: 'Replace' }));
  const errorText = "We couldn't replace the address. Please try again.";
  expect(await screen.findByText(errorText)).toBeTruthy();
  await vi.waitFor(() => expect(feed.getByText(OLD_URL)).toBeTruthy());
});
