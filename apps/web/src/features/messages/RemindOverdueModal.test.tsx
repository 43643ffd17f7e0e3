import type { OverdueReminder } from '@lessonbook/contract/bulk-messages';
import { NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { batch, batchItem } from '../../test/batch-fixtures.ts';
import { messagePreview } from '../../test/message-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

const OVERDUE = 'GET /api/reminders/overdue';
const SEND = 'POST /api/batches';

const overdue = (overrides: Partial<OverdueReminder>): OverdueReminder => ({
  familyId: 3,
  toName: 'Ruth Hale',
  channel: 'email',
  address: 'ruth@hale.example',
  overdue: [{ currency: 'GBP', amount: 7000 }],
  dueSince: '2026-11-03',
  lastRemindedAt: null,
  problem: null,
  ...overrides,
});

const families = [
  overdue({}),
  overdue({
    familyId: 4,
    toName: 'Helen Goldberg',
    channel: 'whatsapp',
    lastRemindedAt: '2026-11-14T09:00:00Z',
  }),
  overdue({
    familyId: 5,
    toName: 'Daniel Brennan',
    problem: 'Daniel Brennan has no email address yet. Please add one.',
  }),
];

async function openModal(handlers: Parameters<typeof mockApi>[0]) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/messages/outbox': () => json(200, []),
    [OVERDUE]: () => json(200, { families, problem: null }),
    'POST /api/reminders/preview': () => json(200, messagePreview()),
    ...handlers,
  });
  const app = renderApp('/messages?remind=overdue');
  const modal = within(await screen.findByRole('dialog'));
  return { ...app, server, modal };
}

test('F145 F130 families reminded in the last week are not ticked, and a batch shows the results', async () => {
  const items = [
    batchItem({ id: 1, invoiceId: null, amount: null, number: null }),
    batchItem({ id: 2, familyId: 4, familyName: 'Helen Goldberg', state: 'to_send', messageId: 9 }),
  ];
  const done = batch({ id: 6, kind: 'send_reminders', items, isRunning: false, done: 2, total: 2 });
  const { user, server, modal } = await openModal({
    [SEND]: () => json(201, done),
    'GET /api/batches/6': () => json(200, done),
  });
  const box = async (name: RegExp) =>
    (await modal.findByRole('checkbox', { name })) as HTMLInputElement;
  expect((await box(/Ruth Hale/)).checked).toBe(true);
  expect((await box(/Helen Goldberg/)).checked).toBe(false);
  expect((await box(/Daniel Brennan/)).disabled).toBe(true);
  expect(modal.getByText('12 days overdue, reminded yesterday')).toBeTruthy();
  expect(modal.getByRole('button', { name: 'Send 1 reminder' })).toBeTruthy();
  await user.click(await box(/Helen Goldberg/));
  await user.click(modal.getByRole('button', { name: 'Send 2 reminders' }));
  expect(await screen.findByRole('heading', { name: '1 sent, 1 waiting in To send' })).toBeTruthy();
  expect(server.last(SEND)?.body).toEqual({ kind: 'send_reminders', ids: [3, 4] });
});

test('F145 a retry after a lost response uses the same key', async () => {
  const { user, server, modal } = await openModal({
    [SEND]: () => Promise.reject(new TypeError()),
  });
  const send = await modal.findByRole('button', { name: 'Send 1 reminder' });
  const lastKey = () => new Headers(server.last(SEND)?.init.headers).get('Idempotency-Key');
  await user.click(send);
  await screen.findByText("We couldn't get started. Please try again.");
  const first = lastKey();
  const started = batch({ id: 6, kind: 'send_reminders' });
  server.handlers[SEND] = () => json(201, started);
  server.handlers['GET /api/batches/6'] = () => json(200, started);
  await user.click(send);
  expect(lastKey()).toBe(first);
});

test('F145 families cannot be reminded before the tutor has added a way to be paid', async () => {
  const { modal } = await openModal({
    [OVERDUE]: () => json(200, { families, problem: NO_PAYMENT_METHOD_MESSAGE }),
  });
  expect((await modal.findByRole('alert')).textContent).toContain(NO_PAYMENT_METHOD_MESSAGE);
  const send = modal.getByRole('button', { name: 'Send 1 reminder' }) as HTMLButtonElement;
  expect(send.disabled).toBe(true);
});
