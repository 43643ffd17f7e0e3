import type { Batch } from '@lessonbook/contract/invoice-and-reminder-batches';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { batch, batchItem } from '../test/batch-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const BATCH = 'GET /api/batches/5';

const sent = batchItem();
const noEmail = batchItem({
  id: 2,
  familyId: 4,
  familyName: 'Omar Aziz',
  invoiceId: 22,
  number: '0022',
  amount: { currency: 'GBP', minor: 3500 },
  address: null,
  messageId: null,
  state: 'not_done',
  at: null,
  problem: 'Omar Aziz has no email address yet. Please add one.',
});
const waiting = batchItem({
  id: 3,
  familyId: 5,
  familyName: 'Lena Vogt',
  invoiceId: 23,
  number: null,
  messageId: null,
  state: 'waiting',
  at: null,
});

function openBatch(first: Batch, next = first, handlers: Parameters<typeof mockApi>[0] = {}) {
  let current = first;
  const change = () => {
    current = next;
    return json(200, current);
  };
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [BATCH]: () => json(200, current),
    'POST /api/batches/5/stop': change,
    'POST /api/batches/5/retry': change,
    ...handlers,
  });
  return { ...renderApp('/batches/5'), server };
}

const findRow = (name: RegExp) => screen.findByRole('row', { name });

test('F130 each row shows its result, and the progress is refetched until the batch has finished', async () => {
  const items = [sent, noEmail, waiting];
  const { server } = openBatch(batch({ items, total: 3, done: 1, notDone: 1 }));
  expect(await screen.findByRole('heading', { name: 'Sending invoices' })).toBeTruthy();
  expect((await findRow(/0021/)).textContent).toContain('Sent 05:58');
  expect((await findRow(/0022/)).textContent).toContain('Not sent: no email');
  expect((await findRow(/Lena Vogt/)).textContent).toContain('Waiting');
  expect(screen.getByRole('link', { name: 'Download PDF, 0022' })).toBeTruthy();
  expect(screen.getByText('1 of 3 sent').closest('p')?.textContent).toBe(
    "1 of 3 sent, 1 needs your attention. You can leave this page. We'll carry on.",
  );
  expect(screen.getByText(/of £175$/).textContent).toBe('£70 of £175');
  const done = { ...waiting, number: '0023', state: 'sent' as const, at: sent.at };
  server.handlers[BATCH] = () =>
    json(
      200,
      batch({ items: [sent, noEmail, done], total: 3, done: 2, notDone: 1, isRunning: false }),
    );
  expect(
    await screen.findByRole('heading', { name: '2 sent, 1 for you to deliver' }, { timeout: 4000 }),
  ).toBeTruthy();
});

test('F130 a batch can be stopped after the current item', async () => {
  const running = batch({ items: [sent, waiting], total: 2, done: 1 });
  const stopped = {
    ...waiting,
    state: 'not_done' as const,
    problem: 'You stopped the batch before this one.',
  };
  const { user } = openBatch(running, {
    ...running,
    items: [sent, stopped],
    notDone: 1,
    isRunning: false,
    isStopped: true,
  });
  await user.click(await screen.findByRole('button', { name: 'Stop after this one' }));
  expect(await screen.findByText('Not sent: You stopped the batch before this one.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: '1 sent, 1 not sent' })).toBeTruthy();
});

test('F130 everything that was not sent can be retried with one click', async () => {
  const failed = batchItem({
    id: 2,
    familyName: 'Omar Aziz',
    state: 'not_done',
    problem: "Emails to this address can't be delivered.",
  });
  const finished = batch({
    items: [sent, failed],
    total: 2,
    done: 1,
    notDone: 1,
    isRunning: false,
  });
  const running = batch({ items: [sent, { ...failed, state: 'waiting' }], total: 2, done: 1 });
  const { user, server } = openBatch(finished, running);
  await user.click(await screen.findByRole('button', { name: 'Send the other one' }));
  expect(await screen.findByRole('heading', { name: 'Sending invoices' })).toBeTruthy();
  await waitFor(() => expect(server.count('POST /api/batches/5/retry')).toBe(1));
});

test('a failed load can be retried, and a missing batch shows an explanation', async () => {
  const { user, server } = openBatch(batch(), batch(), { [BATCH]: () => json(500, {}) });
  await screen.findByText("We couldn't load the progress.");
  server.handlers[BATCH] = () => json(404, { message: 'No' });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/^We couldn't find this/)).toBeTruthy();
});
