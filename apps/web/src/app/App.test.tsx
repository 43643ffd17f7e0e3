import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toastError, toastUndo } from '../lib/toast.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

test('F117 navigation clears an error toast and keeps a toast with an Undo button', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const { user, pathname } = renderApp('/reports');
  await screen.findByRole('heading', { name: 'Tutor Earnings Report' });
  act(() => {
    toastUndo('Lesson completed', vi.fn());
    toastError('Too short');
  });
  expect(screen.getByRole('alert').textContent).toContain('Too short');
  const [link] = screen.getAllByRole('link', { name: 'Settings' });
  await user.click(link as HTMLElement);
  await vi.waitFor(() => expect(pathname()).toBe('/settings'));
  expect(screen.queryByText('Too short')).toBeNull();
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
});
