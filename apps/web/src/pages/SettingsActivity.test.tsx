import type { AuditEntry } from '@lessonbook/contract/audit';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const LIST = 'GET /api/activity';

const entry = (id: number, overrides: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: '2026-11-15T09:05:00Z',
  action: 'login',
  text: 'You logged in.',
  from: 'Firefox on Windows, 203.0.113.x',
  ...overrides,
});

const openActivity = (handlers: Parameters<typeof mockApi>[0]) => ({
  server: mockApi({ 'GET /api/me': () => json(200, ada), ...handlers }),
  ...renderApp('/settings/activity'),
});

test('each entry shows its text, time and origin', async () => {
  openActivity({
    [LIST]: () =>
      json(200, {
        entries: [
          entry(2),
          entry(1, {
            action: 'invoice_voided',
            text: 'Invoice 0007 was voided.',
            at: '2026-11-14T16:30:00Z',
            from: null,
          }),
        ],
      }),
  });
  const items = await screen.findAllByRole('listitem');
  const texts = items.map((item) => item.textContent);
  expect(texts).toContain('You logged in. 09:05 · Firefox on Windows, 203.0.113.x');
  expect(texts).toContain('Invoice 0007 was voided. yesterday 16:30');
});

test('more entries are loaded on demand', async () => {
  const { user, server } = openActivity({
    [LIST]: ({ url }) =>
      json(200, {
        entries: url.includes('offset=50')
          ? [entry(1, { text: 'The calendar address was replaced.', action: 'feed_replaced' })]
          : Array.from({ length: 50 }, (_, index) => entry(60 - index)),
      }),
  });
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('The calendar address was replaced.')).toBeTruthy();
  expect(server.last(LIST)?.url).toBe('/api/activity?limit=50&offset=50');
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('a retry is offered when the list fails to load', async () => {
  const { user, server } = openActivity({ [LIST]: () => json(500, {}) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers[LIST] = () => json(200, { entries: [] });
  await user.click(retry);
  expect(await screen.findByText(/^Nothing yet/)).toBeTruthy();
});
