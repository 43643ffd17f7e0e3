import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

test.each([
  ['signed in', () => json(200, ada)],
  ['signed out', unauthenticated],
])('[ROUTE-06] an unknown path shows a card with an alert icon when %s', async (_, me) => {
  mockApi({ 'GET /api/me': me });
  const app = renderApp('/no/such/page');
  const heading = await screen.findByRole('heading', { name: '404 Page Not Found' });
  const card = heading.parentElement;
  expect(card?.querySelector('svg[data-illustration="alert"]')).not.toBeNull();
  expect(card?.textContent).toContain('Did you forget to add the page to the router?');
  expect(app.pathname()).toBe('/no/such/page');
  expect(screen.queryByRole('navigation')).toBeNull();
});
