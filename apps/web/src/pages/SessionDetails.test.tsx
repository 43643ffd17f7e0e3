import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderApp } from '../test/render-app.tsx';
import { answerCalls, json } from '../test/responder.ts';
import { sessionDetails } from '../test/sessions.ts';
import { ada } from '../test/users.ts';

async function openSession(
  change: Parameters<typeof sessionDetails>[0] = {},
  answers: Parameters<typeof answerCalls>[0] = {},
) {
  const session = sessionDetails({ id: 12, ...change });
  const server = answerCalls({
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
