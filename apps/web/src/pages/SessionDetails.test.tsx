import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { paymentDetails } from '../test/family-fixtures.ts';
import { preview } from '../test/message-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionDetails } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

async function openSession(
  change: Parameters<typeof sessionDetails>[0] = {},
  answers: Parameters<typeof mockApi>[0] = {},
) {
  const session = sessionDetails({ id: 12, ...change });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/12': () => json(200, session),
    ...answers,
  });
  const app = renderApp('/sessions/12');
  await screen.findByText('60 minutes');
  return { ...app, server, session };
}

const badge = () => screen.getByText('Status').parentElement?.querySelector('[data-status]');

test('[SESS-22] a status that we do not know is shown in grey, in its own words', async () => {
  await openSession({ status: 'no_show' as never });
  expect(badge()?.textContent).toBe('No show');
  expect((badge() as HTMLElement).dataset['status']).toBe('other');
});

test.each(['scheduled', 'completed', 'cancelled', 'rescheduled'] as const)(
  '[SESS-22] %s has a look of its own',
  async (status) => {
    await openSession({ status });
    expect((badge() as HTMLElement).dataset['status']).toBe(status);
  },
);

test('[CONST-17] session details says the time 12-hour', async () => {
  await openSession({ startTime: '11:30', endTime: '12:15' });
  expect(screen.getByText('11:30 AM – 12:15 PM')).toBeTruthy();
});

const payment = () => screen.getByText('Payment').parentElement?.querySelector('dd');
const recordPayment = { name: 'Record payment' };

test('[SESS-15] a paid session says so, with the day and the way it was paid', async () => {
  await openSession(
    { status: 'completed', charged: 3500, outstanding: 0, paymentId: 21 },
    { 'GET /api/payments/21': () => json(200, paymentDetails()) },
  );
  const link = await screen.findByRole('link', { name: 'Sat 14 Nov, bank transfer' });
  expect(link.getAttribute('href')).toBe('/families/3?payment=21');
  expect(payment()?.textContent).toBe('PaidSat 14 Nov, bank transfer');
  expect(screen.queryByRole('link', recordPayment)).toBeNull();
});

test('[SESS-15] it is paid also when the payment itself cannot be loaded', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 0, paymentId: 21 });
  expect(payment()?.textContent).toBe('Paid');
});

test('[SESS-16] an unpaid session says what is open, and leads to recording it', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 3500 });
  expect(payment()?.textContent).toBe('Unpaid £35');
  const link = screen.getByRole('link', recordPayment);
  expect(link.getAttribute('href')).toBe('/payments/create/7?session=12');
});

test('[SESS-16] one that is paid in part says how much of it', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 500 });
  expect(payment()?.textContent).toBe('Unpaid £5£30 of £35 paid');
  expect(screen.getByRole('link', recordPayment)).toBeTruthy();
});

test('without a charge there is nothing to record', async () => {
  await openSession({ status: 'completed' });
  expect(payment()?.textContent).toBe('No charge');
  expect(screen.queryByRole('link', recordPayment)).toBeNull();
});

test('a session leads to the account it is charged to', async () => {
  await openSession({ familyId: 3 });
  const link = screen.getByRole('link', { name: 'View account' });
  expect(link.getAttribute('href')).toBe('/families/3');
});

test('one on an issued invoice is not reopened: the sheet leads to the invoice', async () => {
  const { user, server } = await openSession({
    status: 'completed',
    charged: 3500,
    outstanding: 3500,
    invoice: { id: 4, number: 'INV-12' },
  });
  await user.click(screen.getByRole('button', { name: 'Reopen' }));
  const sheet = await dialog('Reopen');
  expect(sheet.getByText(/is on invoice INV-12/)).toBeTruthy();
  expect(sheet.getByText(/credit note/)).toBeTruthy();
  const link = sheet.getByRole('link', { name: 'Go to invoice INV-12' });
  expect(link.getAttribute('href')).toBe('/invoices/4');
  expect(sheet.queryByRole('button', { name: 'Reopen' })).toBeNull();
  expect(server.count('POST /api/sessions/12/reopen')).toBe(0);
});

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('cancelling asks who first, then proposes the fee, which can be waived', async () => {
  const { user, server, session } = await openSession(
    {},
    {
      'GET /api/sessions/12/cancellation': () =>
        json(200, { noticeMinutes: 120, fee: 35, currency: 'GBP', reason: '2 h notice: £35' }),
      'POST /api/sessions/12/cancel': () => json(200, { ...session, status: 'cancelled' }),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Cancel Session' }));
  const sheet = await dialog('Cancel Session');
  const confirm = sheet.getByRole<HTMLButtonElement>('button', { name: 'Cancel session' });
  expect(confirm.disabled).toBe(true);
  await user.click(sheet.getByRole('radio', { name: 'Carer' }));
  expect(await sheet.findByText('2 h notice: £35')).toBeTruthy();
  expect(sheet.getByRole('button', { name: 'Cancel and charge £35' })).toBeTruthy();
  await user.click(sheet.getByRole('button', { name: 'Waive' }));
  await user.click(sheet.getByRole('button', { name: 'Cancel session' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/12/cancel')?.body).toEqual({
      cancelledBy: 'carer',
      chargeFee: false,
    }),
  );
});

test('completing offers ten seconds to take it back', async () => {
  const { user, server, session } = await openSession(
    {},
    {
      'POST /api/sessions/12/complete': () => json(200, { ...session, status: 'completed' }),
      'POST /api/sessions/12/reopen': () => json(200, session),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Mark as Completed' }));
  const sheet = await dialog('Mark as Completed');
  await user.click(sheet.getByRole('radio', { name: 'Absent' }));
  await user.click(sheet.getByRole('button', { name: 'Complete' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(server.last('POST /api/sessions/12/complete')?.body).toEqual({
    attendance: 'absent',
    charge: true,
  });
  await vi.waitFor(() => expect(server.count('POST /api/sessions/12/reopen')).toBe(1));
});

test('the three actions are for scheduled sessions; a settled one can be reopened', async () => {
  await openSession({ status: 'completed' });
  for (const name of ['Mark as Completed', 'Reschedule Session', 'Cancel Session']) {
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  }
  expect(screen.getByRole('button', { name: 'Reopen' })).toBeTruthy();
});

test('[CONST-12] the calendar of a date field begins its weeks on Monday', async () => {
  const { user } = await openSession();
  await user.click(screen.getByRole('button', { name: 'Reschedule Session' }));
  const sheet = await dialog('Reschedule Session');
  await user.click(sheet.getByRole('button', { name: 'Date: Nov 15, 2026' }));
  const names = await vi.waitFor(() => {
    const found = [...document.querySelectorAll('[data-dates-dropdown] thead th, table thead th')];
    expect(found).toHaveLength(7);
    return found.map(({ textContent }) => textContent);
  });
  expect(names).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
});

const CANCELLED = {
  'GET /api/sessions/12/cancellation': () =>
    json(200, { noticeMinutes: 120, fee: null, currency: 'GBP', reason: 'No fee' }),
  'POST /api/sessions/12/cancel': () => json(200, sessionDetails({ id: 12, status: 'cancelled' })),
  'POST /api/sessions/12/reopen': () => json(200, sessionDetails({ id: 12 })),
  'POST /api/messages/tell/preview': () => json(200, [preview()]),
};

async function cancelIt(user: UserEvent) {
  await user.click(screen.getByRole('button', { name: 'Cancel Session' }));
  const sheet = await dialog('Cancel Session');
  await user.click(sheet.getByRole('radio', { name: 'Me' }));
  await sheet.findByText('No fee');
  await user.click(sheet.getByRole('button', { name: 'Cancel session' }));
}

test('cancelling ends with telling the family; taking it back tells nobody', async () => {
  const { user, server } = await openSession({}, CANCELLED);
  await cancelIt(user);
  const tell = await dialog('Tell the family?');
  expect(tell.getByRole('button', { name: 'Tell Ruth Hale' })).toBeTruthy();
  expect(server.last('POST /api/messages/tell/preview')?.body).toMatchObject({
    kind: 'cancelled',
    sessionIds: [12],
  });
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a lesson of yesterday that did not take place is no news', async () => {
  const { user, server } = await openSession({ date: '2026-11-14' }, CANCELLED);
  await cancelIt(user);
  await screen.findByText('Session cancelled');
  expect(server.count('POST /api/messages/tell/preview')).toBe(0);
});

test('a session that failed to load is not called lost: it can be asked for again', async () => {
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

test('a move can be taken back, and then tells nobody', async () => {
  const moved = sessionDetails({ id: 13, startTime: '17:00', endTime: '18:00' });
  const { user, server } = await openSession(
    {},
    {
      'GET /api/sessions': () => json(200, []),
      'GET /api/sessions/13': () => json(200, moved),
      'POST /api/sessions/12/reschedule': () => json(200, moved),
      'POST /api/sessions/13/move-back': () => json(200, sessionDetails({ id: 12 })),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Reschedule Session' }));
  const sheet = await dialog('Reschedule Session');
  const start = sheet.getByLabelText('Start');
  await user.clear(start);
  await user.type(start, '17:00');
  await user.tab();
  await user.click(sheet.getByRole('button', { name: 'Move session' }));
  await dialog('Tell the family?');
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  expect(await screen.findByText('Session moved back')).toBeTruthy();
  expect(server.count('POST /api/sessions/13/move-back')).toBe(1);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
