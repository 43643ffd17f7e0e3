import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';

test.each(['/pay', '/pay/', '/unsubscribe', '/reset-password', '/verify-email'])(
  'F87 a link that was cut off at %s explains what to do',
  async (path) => {
    mockApi({ 'GET /api/me': unauthenticated });
    renderApp(path);
    expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeTruthy();
    expect(screen.getByText(/open it again from the email or message/)).toBeTruthy();
  },
);
