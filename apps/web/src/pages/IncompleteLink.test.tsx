import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp, renderLink } from '../test/render-app.tsx';

test.each([
  ['/pay', renderLink],
  ['/pay/', renderLink],
  ['/unsubscribe', renderLink],
  ['/reset-password', renderApp],
  ['/verify-email', renderApp],
])('F87 a link that was cut off at %s explains what to do', async (path, render) => {
  mockApi({ 'GET /api/me': unauthenticated });
  render(path);
  expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeTruthy();
  expect(screen.getByText(/open it again from the email or message/)).toBeTruthy();
});
