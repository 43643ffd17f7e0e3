import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const christmas = {
  id: 3,
  fromDate: '2026-12-21',
  toDate: '2027-01-01',
  startTime: null,
  endTime: null,
  reason: 'Christmas',
  restorableSessions: 9,
};

function openTimeOff(url: string, list: object[]) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/time-off': () => json(200, list),
    'GET /api/day-changes': () => json(200, []),
    'POST /api/time-off/preview': () =>
      json(200, [
        sessionRow({ id: 1 }),
        sessionRow({ id: 2, title: 'Theo Lindqvist - Physics', startTime: '18:00' }),
      ]),
    'POST /api/time-off': ({ body }) => json(201, { ...christmas, ...(body as object) }),
    'DELETE /api/time-off/3': () => json(200, { restored: 2, sessionIds: [11, 12], overlaps: [] }),
  });
  return { ...renderApp(url), server };
}

test('a day in the URL opens the dialog with its lessons selected to be cancelled', async () => {
  const { user, server } = openTimeOff('/settings/time-off?date=2026-11-20', []);
  const dialog = within(await screen.findByRole('dialog', { name: 'Add time off' }));
  expect(await dialog.findByText(/^2 lessons will be cancelled free of charge/)).toBeTruthy();
  await user.click(dialog.getByRole('checkbox', { name: /Theo Lindqvist/ }));
  expect(dialog.getByText(/1 lesson will still go ahead/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Cancel 1 lesson' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/time-off')?.body).toEqual({
      fromDate: '2026-11-20',
      toDate: '2026-11-20',
      cancelSessionIds: [1],
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Time off removed')).toBeTruthy();
  expect(server.last('DELETE /api/time-off/3')?.url).toContain('restore=true');
});

test('removing time off offers to restore the cancelled lessons', async () => {
  const { user, server } = openTimeOff('/settings/time-off', [christmas]);
  await user.click(
    await screen.findByRole('button', { name: 'Remove, Mon 21 Dec to Fri 1 Jan 2027' }),
  );
  const modal = within(await screen.findByRole('dialog', { name: 'Remove time off?' }));
  expect(modal.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
  await user.click(modal.getByRole('button', { name: 'Remove and restore 9' }));
  await vi.waitFor(() => expect(server.count('DELETE /api/time-off/3')).toBe(1));
  expect(server.last('DELETE /api/time-off/3')?.url).toContain('restore=true');
  expect(await screen.findByText('2 lessons are scheduled again.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Time off restored')).toBeTruthy();
  expect(server.last('POST /api/time-off')?.body).toEqual({
    fromDate: '2026-12-21',
    toDate: '2027-01-01',
    startTime: null,
    endTime: null,
    reason: 'Christmas',
    cancelSessionIds: [11, 12],
  });
});

test('removing time off without restoring lessons cannot be undone', async () => {
  const { user } = openTimeOff('/settings/time-off', [christmas]);
  await user.click(await screen.findByRole('button', { name: /^Remove, / }));
  const modal = within(await screen.findByRole('dialog', { name: 'Remove time off?' }));
  await user.click(modal.getByRole('checkbox'));
  await user.click(modal.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Time off removed')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('changed days are listed and can be undone', async () => {
  const { user, server } = openTimeOff('/settings/time-off', []);
  const snow = { id: 4, action: 'online', fromDate: '2026-11-20', toDate: '2026-11-21' };
  server.handlers['GET /api/day-changes'] = () => json(200, [{ ...snow, sessionCount: 8 }]);
  server.handlers['POST /api/day-changes/4/undo'] = () =>
    json(200, { restored: 8, emailed: 6, toSend: 0, notSent: 0 });
  expect(await screen.findByText('8 lessons moved online')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo, Fri 20 Nov to Sat 21 Nov' }));
  await user.click(await screen.findByRole('button', { name: 'Undo change' }));
  expect(await screen.findByText('6 people emailed')).toBeTruthy();
});
