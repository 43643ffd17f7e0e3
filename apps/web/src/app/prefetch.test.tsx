import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const EARNINGS = 'GET /api/reports/earnings';
const answers = { 'GET /api/me': () => json(200, ada) };
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

/** On a screen of which nothing else asks for the earnings. */
async function renderFamilies() {
  const server = mockApi(answers);
  const app = renderApp('/families');
  await screen.findByRole('heading', { name: 'Accounts' });
  const [nav] = screen.getAllByRole('navigation', { name: 'Main' });
  const reports = within(nav as HTMLElement).getByRole('link', { name: 'Reports' });
  return { app, server, reports };
}

test.each([
  ['pointing at', (link: HTMLElement) => fireEvent.mouseEnter(link)],
  ['coming to', (link: HTMLElement) => fireEvent.focus(link)],
  ['touching', (link: HTMLElement) => fireEvent.touchStart(link)],
])('%s a link asks for what its screen shows first, once', async (_, act) => {
  const { app, server, reports } = await renderFamilies();
  expect(server.count(EARNINGS)).toBe(0);
  act(reports);
  await waitFor(() => expect(server.count(EARNINGS)).toBe(1));
  expect(server.last(EARNINGS)?.address).toContain('period=last_month');
  expect(app.address()).toBe('/families');
});

test('what is at hand is not asked for again', async () => {
  const { app, server, reports } = await renderFamilies();
  app.queryClient.setQueryData(['/api/reports', 'earnings', 'last_month'], {});
  fireEvent.mouseEnter(reports);
  await settled();
  expect(server.count(EARNINGS)).toBe(0);
});

test('passing over a link is no wish to follow it', async () => {
  const { server, reports } = await renderFamilies();
  fireEvent.mouseEnter(reports);
  fireEvent.mouseLeave(reports);
  await settled();
  expect(server.count(EARNINGS)).toBe(0);
});

test('nothing is fetched ahead for somebody who saves data', async () => {
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, { connection: { value: { saveData: true } } }),
  );
  const { server, reports } = await renderFamilies();
  fireEvent.mouseEnter(reports);
  fireEvent.touchStart(reports);
  await settled();
  expect(server.count(EARNINGS)).toBe(0);
});

test('a visitor who points at a link asks for nothing of a tutor', async () => {
  const server = mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/');
  const [login] = await screen.findAllByRole('link', { name: /Log in/i });
  fireEvent.mouseEnter(login as HTMLElement);
  await waitFor(() => expect(server.count('GET /api/sign-in-options')).toBe(1));
  await settled();
  const asked = server.calls.map(({ name }) => name);
  expect(asked).toEqual(['GET /api/me', 'GET /api/sign-in-options']);
});
