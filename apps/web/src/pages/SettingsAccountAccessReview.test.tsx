import type { User } from '@lessonbook/contract/accounts';
import type { SecurityOverview } from '@lessonbook/contract/security';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada, logins, passwordOnlySecurity } from '../test/user-fixtures.ts';

const everything: SecurityOverview = {
  ...passwordOnlySecurity,
  passkeys: [{ id: 'p1', name: 'Laptop', createdAt: '2026-10-01T09:00:00Z', lastUsedAt: null }],
  authenticatorOn: true,
  authenticatorAddedAt: '2026-10-02T09:00:00Z',
  recoveryCodesLeft: 9,
  recoveryCodesCreatedAt: '2026-10-02T09:00:00Z',
  googleLinkedAt: '2026-10-03T09:00:00Z',
  calendarFeedCreatedAt: '2026-10-04T09:00:00Z',
  calendarConnectedAt: '2026-10-05T09:00:00Z',
};

async function openReview(user: Partial<User>, security: Partial<SecurityOverview> = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, { ...ada, ...user }),
    'GET /api/security': () => json(200, { ...everything, ...security }),
    'GET /api/logins': () => json(200, logins),
    'POST /api/calendar/feed/replace': () => json(200, { url: 'https://x.example/new.ics' }),
    'POST /api/access-review/complete': () => json(200, { message: 'Thank you.' }),
  });
  const app = renderApp('/settings/security/review');
  await screen.findByText('Google Calendar');
  return { ...app, server };
}

test('F32 everything with access is listed with its date, except this browser', async () => {
  await openReview({ accessReviewDue: true });
  expect(screen.getByText(/Your account was recovered recently/)).toBeTruthy();
  const rows = screen.getAllByRole('listitem').filter((row) => within(row).queryByText('Keep'));
  expect(rows.map((row) => row.querySelector('b')?.textContent)).toEqual([
    'Safari on iPhone',
    'Passkey: Laptop',
    'Authenticator app',
    'Recovery codes',
    'Google sign-in',
    'Google Calendar',
    'Calendar feed',
  ]);
  expect(screen.getByText('9 left, created 2 Oct 2026')).toBeTruthy();
  expect(screen.getByText('Connected 3 Oct 2026')).toBeTruthy();
});

test('F32 an entry can be kept or removed, and the review completed', async () => {
  const { user, server, pathname } = await openReview({ accessReviewDue: true });
  const keep = screen.getByRole('button', { name: 'Keep, Google Calendar' });
  await user.click(keep);
  expect(keep.getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Replace address, Calendar feed' }));
  const modal = within(
    await screen.findByRole('dialog', { name: 'Replace the calendar address?' }),
  );
  expect(server.count('POST /api/calendar/feed/replace')).toBe(0);
  await user.click(modal.getByRole('button', { name: 'Replace address' }));
  await vi.waitFor(() => expect(server.count('GET /api/security')).toBe(2));
  expect(server.count('POST /api/calendar/feed/replace')).toBe(1);
  server.handlers['GET /api/me'] = () => json(200, ada);
  await user.click(screen.getByRole('button', { name: 'Finish review' }));
  await vi.waitFor(() => expect(pathname()).toBe('/settings/security'));
  expect(server.count('POST /api/access-review/complete')).toBe(1);
});

test('F35 a pending removal of two-step login is shown on every page and can be cancelled', async () => {
  const { user, server } = await openReview({ mfaRemovalAt: '2026-11-18T12:00:00Z' });
  const banner = within(await screen.findByRole('region', { name: 'Two-step login' }));
  expect(banner.getByText('18 Nov 2026 at 12:00')).toBeTruthy();
  server.handlers['DELETE /api/mfa-removal'] = () => json(200, { message: 'Done' });
  server.handlers['GET /api/me'] = () => json(200, ada);
  await user.click(banner.getByRole('button', { name: 'Keep two-step login' }));
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Two-step login' })).toBeNull(),
  );
});
