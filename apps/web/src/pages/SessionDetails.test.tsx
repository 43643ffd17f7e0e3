import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { paymentDetails } from '../test/family-and-payment-fixtures.ts';
import { messagePreview, pendingNotice } from '../test/message-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionDetails } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

async function openSession(
  overrides: Parameters<typeof sessionDetails>[0] = {},
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const session = sessionDetails({ id: 12, ...overrides });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/12': () => json(200, session),
    ...handlers,
  });
  const app = renderApp('/sessions/12');
  await screen.findByText('60 minutes');
  return { ...app, server, session };
}

const badge = () => screen.getByText('Status').parentElement?.querySelector('[data-status]');

test('[SESS-22] an unknown status is shown in grey with its own label', async () => {
  await openSession({ status: 'no_show' as never });
  expect(badge()?.textContent).toBe('No show');
  expect((badge() as HTMLElement).dataset['status']).toBe('other');
});

test.each(['scheduled', 'completed', 'cancelled', 'rescheduled'] as const)(
  '[SESS-22] %s has its own style',
  async (status) => {
    await openSession({ status });
    expect((badge() as HTMLElement).dataset['status']).toBe(status);
  },
);

test('[CONST-17] session details show the time in 12-hour format', async () => {
  await openSession({ startTime: '11:30', endTime: '12:15' });
  expect(screen.getByText('11:30 AM – 12:15 PM')).toBeTruthy();
});

const payment = () => screen.getByText('Payment').parentElement?.querySelector('dd');
const recordPayment = { name: 'Record payment' };

test('[SESS-15] a paid session shows the date and method of its payment', async () => {
  await openSession(
    { status: 'completed', charged: 3500, outstanding: 0, paymentId: 21 },
    { 'GET /api/payments/21': () => json(200, paymentDetails()) },
  );
  const link = await screen.findByRole('link', { name: 'Sat 14 Nov, bank transfer' });
  expect(link.getAttribute('href')).toBe('/families/3?payment=21');
  expect(payment()?.textContent).toBe('PaidSat 14 Nov, bank transfer');
  expect(screen.queryByRole('link', recordPayment)).toBeNull();
});

test('[SESS-15] a session is shown as paid even if the payment cannot be loaded', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 0, paymentId: 21 });
  expect(payment()?.textContent).toBe('Paid');
});

test('[SESS-16] an unpaid session shows the outstanding amount and a link to record a payment', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 3500 });
  expect(payment()?.textContent).toBe('Unpaid £35');
  const link = screen.getByRole('link', recordPayment);
  expect(link.getAttribute('href')).toBe('/payments/create/7?session=12');
});

test('[SESS-16] a partly paid session shows the paid amount', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 500 });
  expect(payment()?.textContent).toBe('Unpaid £5£30 of £35 paid');
  expect(screen.getByRole('link', recordPayment)).toBeTruthy();
});

test('without a charge no payment can be recorded', async () => {
  await openSession({ status: 'completed' });
  expect(payment()?.textContent).toBe('No charge');
  expect(screen.queryByRole('link', recordPayment)).toBeNull();
});

test('a session links to the account it is charged to', async () => {
  await openSession({ familyId: 3 });
  const link = screen.getByRole('link', { name: 'View account' });
  expect(link.getAttribute('href')).toBe('/families/3');
});

test('a session on an issued invoice cannot be reopened: the modal links to the invoice', async () => {
  const { user, server } = await openSession({
    status: 'completed',
    charged: 3500,
    outstanding: 3500,
    invoice: { id: 4, number: 'INV-12' },
  });
  await user.click(screen.getByRole('button', { name: 'Reopen' }));
  const modal = await dialog('Reopen');
  expect(modal.getByText(/is on invoice INV-12/)).toBeTruthy();
  expect(modal.getByText(/credit note/)).toBeTruthy();
  const link = modal.getByRole('link', { name: 'Go to invoice INV-12' });
  expect(link.getAttribute('href')).toBe('/invoices/4');
  expect(modal.queryByRole('button', { name: 'Reopen' })).toBeNull();
  expect(server.count('POST /api/sessions/12/reopen')).toBe(0);
});

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('cancelling asks who cancelled, then proposes the fee, which can be waived', async () => {
  const { user, server, session } = await openSession(
    {},
    {
      'GET /api/sessions/12/cancellation': () =>
        json(200, { noticeMinutes: 120, fee: 3500, currency: 'GBP', reason: '2 h notice: £35' }),
      'POST /api/sessions/12/cancel': () => json(200, { ...session, status: 'cancelled' }),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Cancel Session' }));
  const modal = await dialog('Cancel Session');
  const confirm = modal.getByRole<HTMLButtonElement>('button', { name: 'Cancel session' });
  expect(confirm.disabled).toBe(true);
  await user.click(modal.getByRole('radio', { name: 'Carer' }));
  expect(await modal.findByText('2 h notice: £35')).toBeTruthy();
  expect(modal.getByRole('button', { name: 'Cancel and charge £35' })).toBeTruthy();
  await user.click(modal.getByRole('button', { name: 'Waive' }));
  await user.click(modal.getByRole('button', { name: 'Cancel session' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/12/cancel')?.body).toEqual({
      cancelledBy: 'carer',
      chargeFee: false,
    }),
  );
});

test('completing can be undone from the toast', async () => {
  const { user, server, session } = await openSession(
    {},
    {
      'POST /api/sessions/12/complete': () => json(200, { ...session, status: 'completed' }),
      'POST /api/sessions/12/reopen': () => json(200, session),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Mark as Completed' }));
  const modal = await dialog('Mark as Completed');
  await user.click(modal.getByRole('radio', { name: 'Absent' }));
  await user.click(modal.getByRole('button', { name: 'Complete' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(server.last('POST /api/sessions/12/complete')?.body).toEqual({
    attendance: 'absent',
    charge: true,
  });
  await vi.waitFor(() => expect(server.count('POST /api/sessions/12/reopen')).toBe(1));
});

test('a scheduled session has three actions; a completed one can be reopened', async () => {
  await openSession({ status: 'completed' });
  for (const name of ['Mark as Completed', 'Reschedule Session', 'Cancel Session']) {
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  }
  expect(screen.getByRole('button', { name: 'Reopen' })).toBeTruthy();
});

test('[CONST-12] weeks in the calendar of a date field start on Monday', async () => {
  const { user } = await openSession();
  await user.click(screen.getByRole('button', { name: 'Reschedule Session' }));
  const modal = await dialog('Reschedule Session');
  await user.click(modal.getByRole('button', { name: 'Calendar for Date' }));
  const names = await vi.waitFor(() => {
    const found = [...document.querySelectorAll('[data-dates-dropdown] thead th, table thead th')];
    expect(found).toHaveLength(7);
    return found.map(({ textContent }) => textContent);
  });
  expect(names).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
});

const cancelHandlers = {
  'GET /api/sessions/12/cancellation': () =>
    json(200, { noticeMinutes: 120, fee: null, currency: 'GBP', reason: 'No fee' }),
  'POST /api/sessions/12/cancel': () => json(200, sessionDetails({ id: 12, status: 'cancelled' })),
  'POST /api/sessions/12/reopen': () => json(200, sessionDetails({ id: 12 })),
  'POST /api/messages/change-notice/preview': () => json(200, [messagePreview()]),
};

async function cancelSession(user: UserEvent) {
  await user.click(screen.getByRole('button', { name: 'Cancel Session' }));
  const modal = await dialog('Cancel Session');
  await user.click(modal.getByRole('radio', { name: 'Me' }));
  await modal.findByText('No fee');
  await user.click(modal.getByRole('button', { name: 'Cancel session' }));
}

test('cancelling offers to notify the family; undo closes the dialog', async () => {
  const { user, server } = await openSession({}, cancelHandlers);
  await cancelSession(user);
  const notifyDialog = await dialog('Let Ruth know?');
  expect(notifyDialog.getByRole('button', { name: 'Send to Ruth Hale' })).toBeTruthy();
  expect(server.last('POST /api/messages/change-notice/preview')?.body).toMatchObject({
    sessionIds: [12],
  });
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  [{ wasInformed: true }, 'The last message to Ruth said Tue 17 Nov, 16:00–17:00.'],
  [
    { wasInformed: false },
    "It was planned for Tue 17 Nov, 16:00–17:00. Ruth hasn't been sent the change.",
  ],
  [
    { change: 'restored', wasInformed: true, lastCommunicated: null },
    'The last message to Ruth said it was cancelled.',
  ],
] as const)(
  'F79 offers the notice while the change has not been sent to the family: %o',
  async (notice, text) => {
    const { user, server } = await openSession(
      {},
      {
        'GET /api/messages/pending-notices': () => json(200, [pendingNotice(notice)]),
        'POST /api/messages/change-notice/preview': () => json(200, [messagePreview()]),
      },
    );
    expect(await screen.findByText(text)).toBeTruthy();
    expect(server.last('GET /api/messages/pending-notices')?.url).toContain('sessionId=12');
    await user.click(screen.getByRole('button', { name: 'Notify Ruth' }));
    await dialog('Let Ruth know?');
    expect(server.last('POST /api/messages/change-notice/preview')?.body).toMatchObject({
      sessionIds: [12],
    });
  },
);

test('cancelling a session in the past does not notify the family', async () => {
  const { user, server } = await openSession({ date: '2026-11-14' }, cancelHandlers);
  await cancelSession(user);
  await screen.findByText('Session cancelled');
  expect(server.count('POST /api/messages/change-notice/preview')).toBe(0);
});

test('a session that fails to load can be retried and is not reported as missing', async () => {
  let down = true;
  mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/12': () =>
      down
        ? json(500, { code: 'internal', message: 'Something went wrong' })
        : json(200, sessionDetails({ id: 12 })),
  });
  const { user } = renderApp('/sessions/12');
  await screen.findByText('This session could not be loaded.');
  expect(screen.queryByText('Session not found')).toBeNull();
  down = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('60 minutes');
});

test('a reschedule can be undone, which closes the dialog for notifying the family', async () => {
  const moved = sessionDetails({ id: 13, startTime: '17:00', endTime: '18:00' });
  const { user, server } = await openSession(
    {},
    {
      'GET /api/sessions': () => json(200, []),
      'GET /api/sessions/13': () => json(200, moved),
      'POST /api/sessions/12/reschedule': () => json(200, moved),
      'POST /api/sessions/13/undo-reschedule': () => json(200, sessionDetails({ id: 12 })),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Reschedule Session' }));
  const modal = await dialog('Reschedule Session');
  const start = modal.getByLabelText('Start');
  await user.clear(start);
  await user.type(start, '17:00');
  await user.tab();
  await user.click(modal.getByRole('button', { name: 'Move session' }));
  await dialog('Let the family know?');
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  expect(await screen.findByText('Session moved back')).toBeTruthy();
  expect(server.count('POST /api/sessions/13/undo-reschedule')).toBe(1);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
