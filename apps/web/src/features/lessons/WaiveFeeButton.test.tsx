import type { Session } from '@lessonbook/contract/sessions';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createDeferredReply, json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { sessionDetails } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';

const SESSION = 'GET /api/sessions/12';
const WAIVE = 'POST /api/sessions/12/waive-cancellation-fee';
const button = () => screen.queryByRole('button', { name: "Don't charge" });

async function openSession(overrides: Partial<Session>) {
  const session = sessionDetails({ id: 12, ...overrides });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    [SESSION]: () => json(200, session),
  });
  const app = renderApp('/sessions/12');
  await screen.findByRole('button', { name: 'Reopen' });
  return { ...app, server, session };
}

test('a cancelled lesson that was charged is no longer charged after one tap', async () => {
  const { user, server, session } = await openSession({
    status: 'cancelled',
    cancelledBy: 'carer',
    charged: 1900,
    outstanding: 1900,
  });
  const waiving = createDeferredReply();
  server.handlers[WAIVE] = waiving.handler;
  await user.click(button() as HTMLElement);
  await vi.waitFor(() => expect(button()?.hasAttribute('disabled')).toBe(true));
  expect(server.count(WAIVE)).toBe(1);
  waiving.reply(server.saved(SESSION, { ...session, charged: null, outstanding: null }));
  expect(await screen.findByText('No longer charged')).toBeTruthy();
  expect(await screen.findByText('No charge')).toBeTruthy();
  expect(button()).toBeNull();
});

test('a paid charge can also be removed; if that fails, the reason is shown', async () => {
  const { user, server } = await openSession({
    status: 'cancelled',
    cancelledBy: 'carer',
    charged: 1900,
    outstanding: 0,
  });
  const message = 'This lesson is on an invoice that is being sent.';
  server.handlers[WAIVE] = () => json(409, { code: 'conflict', message });
  await user.click(button() as HTMLElement);
  expect(await screen.findByText(message)).toBeTruthy();
  expect(button()?.hasAttribute('disabled')).toBe(false);
});

test.each([
  ['completed', 3500],
  ['cancelled', 0],
  ['cancelled', null],
] as const)("has no Don't charge button: %s lesson, charge %s", async (status, charged) => {
  await openSession({ status, charged, outstanding: charged });
  expect(button()).toBeNull();
});
