import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const EARNINGS = 'GET /api/reports/earnings';
const handlers = { 'GET /api/me': () => json(200, ada) };
const waitForPrefetch = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Opens a page that does not request the earnings. */
async function renderFamilies() {
  const server = mockApi(handlers);
  const app = renderApp('/families');
  await screen.findByRole('heading', { name: 'Families' });
  const [nav] = screen.getAllByRole('navigation', { name: 'Main' });
  const reports = within(nav as HTMLElement).getByRole('link', { name: 'Reports' });
  return { app, server, reports };
}

test.each([
  ['hovering', (link: HTMLElement) => fireEvent.mouseEnter(link)],
  ['focusing', (link: HTMLElement) => fireEvent.focus(link)],
  ['touching', (link: HTMLElement) => fireEvent.touchStart(link)],
])("F62 %s a link prefetches its page's data once", async (_, act) => {
  const { app, server, reports } = await renderFamilies();
  expect(server.count(EARNINGS)).toBe(0);
  act(reports);
  await waitFor(() => expect(server.count(EARNINGS)).toBe(1));
  expect(server.last(EARNINGS)?.url).toContain('period=last_month');
  expect(app.pathname()).toBe('/families');
});

test('cached data is not requested again', async () => {
  const { app, server, reports } = await renderFamilies();
  app.queryClient.setQueryData(['/api/reports', 'earnings', { period: 'last_month' }], {});
  fireEvent.mouseEnter(reports);
  await waitForPrefetch();
  expect(server.count(EARNINGS)).toBe(0);
});

test('moving the pointer across a link prefetches nothing', async () => {
  const { server, reports } = await renderFamilies();
  fireEvent.mouseEnter(reports);
  fireEvent.mouseLeave(reports);
  await waitForPrefetch();
  expect(server.count(EARNINGS)).toBe(0);
});

test('nothing is prefetched in data saver mode', async () => {
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, { connection: { value: { saveData: true } } }),
  );
  const { server, reports } = await renderFamilies();
  fireEvent.mouseEnter(reports);
  fireEvent.touchStart(reports);
  await waitForPrefetch();
  expect(server.count(EARNINGS)).toBe(0);
});

test('a visitor who hovers over a link requests no tutor data', async () => {
  const server = mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/forgot-password');
  fireEvent.mouseEnter(await screen.findByRole('link', { name: /login/i }));
  await waitFor(() => expect(server.count('GET /api/sign-in-options')).toBe(1));
  await waitForPrefetch();
  const requested = server.calls.map(({ name }) => name);
  expect(requested).toEqual(['GET /api/me', 'GET /api/sign-in-options']);
});
