import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../test/render-app.tsx';
import { answerCalls, json, signedOut } from '../test/responder.ts';
import { ada } from '../test/users.ts';

test.each([
  ['signed in', () => json(200, ada)],
  ['signed out', signedOut],
])('[ROUTE-06] an unknown path shows a card with an alert icon, %s', async (_who, me) => {
  answerCalls({ 'GET /api/me': me });
  const app = renderApp('/no/such/page');
  const heading = await screen.findByRole('heading', { name: '404 Page Not Found' });
  const card = heading.parentElement;
  expect(card?.querySelector('svg[data-spot="alert"]')).not.toBeNull();
  expect(card?.textContent).toContain('Did you forget to add the page to the router?');
  expect(app.address()).toBe('/no/such/page');
  expect(screen.queryByRole('navigation')).toBeNull();
});
