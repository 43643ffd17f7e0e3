import type { Contact, Student } from '@lessonbook/contract/students';
import { cleanup, screen, within } from '@testing-library/react';
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
  await screen.findByRole('heading', { level: 1, name: /^Maya Okafor/ });
  return { ...app, server, session };
}

const badge = () => document.querySelector('main header [data-status]');

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
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'Maya Okafor, 11:30am to 12:15pm',
  );
});

const payment = () => screen.getByText('Money').parentElement?.querySelector('dd');
const recordPayment = { name: 'Record payment' };

test('[SESS-15] a paid session shows the date and method of its payment', async () => {
  await openSession(
    { status: 'completed', charged: 3500, outstanding: 0, paymentId: 21 },
    { 'GET /api/payments/21': () => json(200, paymentDetails()) },
  );
  const link = await screen.findByRole('link', { name: 'Sat 14 Nov, bank transfer' });
  expect(link.getAttribute('href')).toBe('/families/3?payment=21');
  expect(payment()?.textContent).toBe('£35.00 PaidSat 14 Nov, bank transfer');
  expect(screen.queryByRole('link', recordPayment)).toBeNull();
});

test('[SESS-15] a session is shown as paid even if the payment cannot be loaded', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 0, paymentId: 21 });
  expect(payment()?.textContent).toBe('£35.00 Paid');
});

test('[SESS-16] an unpaid session shows the outstanding amount and a link to record a payment', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 3500 });
  expect(payment()?.textContent).toBe('£35.00 Unpaid £35');
  const link = screen.getByRole('link', recordPayment);
  expect(link.getAttribute('href')).toBe('/payments/create/7?session=12');
});

test('[SESS-16] a partly paid session shows the paid amount', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 500 });
  expect(payment()?.textContent).toBe('£35.00 Part paid, £5 left£30 of £35 paid');
  expect(screen.getByRole('link', recordPayment)).toBeTruthy();
});

test('without a charge no payment can be recorded', async () => {
  await openSession({ status: 'completed' });
  expect(payment()?.textContent).toBe('No charge');
  expect(screen.queryByRole('link', recordPayment)).toBeNull();
});

test('F109 a scheduled lesson with a fee is not due yet; one without a fee is free', async () => {
  await openSession();
  expect(payment()?.textContent).toBe('£35.00 Not due yet');
  cleanup();
  await openSession({ fee: null });
  expect(payment()?.textContent).toBe('Free lesson');
});

test('a travel fee is shown beside the fee, but not for an online lesson', async () => {
  await openSession({ travelFee: 500, place: '12 High Street' });
  expect(payment()?.textContent).toBe('£35.00 Not due yetPlus £5.00 travel');
  cleanup();
  await openSession({ travelFee: 500, status: 'completed', charged: 4000, outstanding: 4000 });
  expect(payment()?.textContent).toBe('£40.00 Unpaid £40Including £5.00 travel');
  cleanup();
  await openSession({ travelFee: 500, place: 'Online' });
  expect(payment()?.textContent).toBe('£35.00 Not due yet');
});

test('the menu links to the account that is charged', async () => {
  const { user } = await openSession({ familyId: 3 });
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  // Happy DOM has no layout, so Mantine hides the menu as if its button were scrolled out of view.
  const link = await screen.findByRole('menuitem', { name: 'View account', hidden: true });
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
  const modal = await dialog("This lesson can't be reopened");
  expect(modal.getByText(/It's on invoice INV-12/)).toBeTruthy();
  expect(modal.getByText(/credit note/)).toBeTruthy();
  const link = modal.getByRole('link', { name: 'Go to invoice INV-12' });
  expect(link.getAttribute('href')).toBe('/invoices/4');
  expect(modal.queryByRole('button', { name: 'Reopen lesson' })).toBeNull();
  expect(server.count('POST /api/sessions/12/reopen')).toBe(0);
});

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('cancelling asks who cancelled, then proposes the fee, which can be waived', async () => {
  const { user, server, session } = await openSession(
    {},
    {
      'GET /api/sessions/12/cancellation': () =>
        json(200, {
          noticeMinutes: 120,
          fee: 3500,
          currency: 'GBP',
          reason: "2 hours' notice: £35",
          freeUntil: '2026-11-14T16:30:00Z',
        }),
      'POST /api/sessions/12/cancel': () => json(200, { ...session, status: 'cancelled' }),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Cancel lesson' }));
  const modal = await dialog('Cancel lesson');
  const confirm = modal.getByRole<HTMLButtonElement>('button', { name: 'Cancel lesson' });
  expect(confirm.disabled).toBe(true);
  await user.click(modal.getByRole('radio', { name: 'Carer' }));
  expect(await modal.findByText("2 hours' notice: £35")).toBeTruthy();
  expect(modal.getByRole('button', { name: 'Cancel and charge £35' })).toBeTruthy();
  await user.click(modal.getByRole('button', { name: "Don't charge" }));
  await user.click(modal.getByRole('button', { name: 'Cancel lesson' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/12/cancel')?.body).toEqual({
      cancelledBy: 'carer',
      chargeFee: false,
    }),
  );
});

test('F116 completing a lesson that has not taken place yet asks for confirmation', async () => {
  const { user } = await openSession({ date: '2026-11-19' });
  await user.click(screen.getByRole('button', { name: 'Complete' }));
  const modal = await dialog('Complete lesson');
  expect(modal.getByText("This lesson hasn't taken place yet.")).toBeTruthy();
  expect(modal.getByRole('button', { name: 'Complete early' })).toBeTruthy();
});

test('completing can be undone from the toast', async () => {
  const { user, server, session } = await openSession(
    {},
    {
      'POST /api/sessions/12/complete': () => json(200, { ...session, status: 'completed' }),
      'POST /api/sessions/12/reopen': () => json(200, session),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Complete' }));
  const modal = await dialog('Complete lesson');
  await user.click(modal.getByRole('radio', { name: 'Absent' }));
  await user.click(modal.getByRole('button', { name: 'Complete lesson' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(server.last('POST /api/sessions/12/complete')?.body).toEqual({
    attendance: 'absent',
    charge: true,
  });
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/12/reopen')?.body).toEqual({
      acceptOverlaps: true,
      withdrawNotes: true,
    }),
  );
});

test('[SESS-23] F120 a completed lesson offers only the available actions, without disabled buttons', async () => {
  await openSession({ status: 'completed', charged: 3500, outstanding: 3500 });
  for (const name of ['Complete', 'Move', 'Cancel lesson']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
  expect(screen.getByRole('button', { name: 'Reopen' })).toBeTruthy();
  expect(screen.getByRole('link', recordPayment)).toBeTruthy();
});

test('a moved lesson links to its new date', async () => {
  await openSession({
    status: 'rescheduled',
    rescheduledToSessionId: 13,
    rescheduledTo: { id: 13, date: '2026-11-18', startTime: '15:30', endTime: '16:30' },
  });
  const link = screen.getByRole('link', { name: 'Go to Wed 18 Nov' });
  expect(link.getAttribute('href')).toBe('/sessions/13');
  expect(screen.getByRole('link', { name: 'Wed 18 Nov, 3:30pm' })).toBeTruthy();
});

test('a lesson with Google Meet shows the link, or says that there is none yet', async () => {
  await openSession({ usesGoogleMeet: true, place: 'https://meet.google.com/abc-defg-hij' });
  const link = screen.getByRole('link', { name: 'meet.google.com/abc-defg-hij' });
  expect(link.getAttribute('href')).toBe('https://meet.google.com/abc-defg-hij');
  cleanup();
  await openSession({ usesGoogleMeet: true, place: 'Google Meet' });
  expect(screen.getByText('No Meet link yet')).toBeTruthy();
  cleanup();
  await openSession({ usesGoogleMeet: true, place: 'Google Meet', status: 'completed' });
  expect(screen.queryByText('No Meet link yet')).toBeNull();
});

test('F120 an address links to a map, a meeting link to the meeting, other places are text', async () => {
  await openSession({ place: '12 High Street, Leeds' });
  const map = screen.getByRole('link', { name: '12 High Street, Leeds, on a map' });
  expect(map.getAttribute('href')).toContain('query=12%20High%20Street%2C%20Leeds');
  cleanup();
  await openSession({ place: 'https://meet.example/maya' });
  const meeting = screen.getByRole('link', { name: 'meet.example/maya' });
  expect(meeting.getAttribute('href')).toBe('https://meet.example/maya');
  cleanup();
  await openSession({ place: 'At school' });
  expect(screen.getByText('At school').closest('a')).toBeNull();
});

test("F108 notes are saved for this date; last time's notes are shown below", async () => {
  const { user, server, session } = await openSession(
    {
      notes: 'Bring the mock',
      previousNotes: { id: 11, date: '2026-11-08', notes: 'Fractions, homework 9B' },
    },
    {
      'PUT /api/sessions/12/notes': () => json(200, { ...session, notes: 'Mock, question 4' }),
    },
  );
  expect(screen.getByText(/^Last time, Sun 8 Nov: Fractions/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save notes' })).toBeNull();
  const field = screen.getByRole('textbox', { name: 'Notes for this lesson' });
  await user.clear(field);
  await user.type(field, 'Mock, question 4');
  server.handlers['GET /api/sessions/12'] = () =>
    json(200, { ...session, notes: 'Mock, question 4' });
  await user.click(screen.getByRole('button', { name: 'Save notes' }));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Save notes' })).toBeNull());
  expect(server.last('PUT /api/sessions/12/notes')?.body).toEqual({ notes: 'Mock, question 4' });
});

test('F108 the reminder says when and how it was sent or will be sent', async () => {
  await openSession(
    {},
    {
      'GET /api/sessions/12/messages': () =>
        json(200, {
          messages: [
            {
              id: 1,
              kind: 'lesson_reminder',
              channel: 'email',
              state: 'sent',
              toName: 'Ruth Hale',
              at: '2026-11-14T16:30:00.000Z',
            },
          ],
          planned: [{ channel: 'whatsapp', toName: 'Maya Hale', at: '2026-11-15T15:00:00.000Z' }],
        }),
    },
  );
  expect(await screen.findByText('Ruth, sent yesterday 16:30 by email')).toBeTruthy();
  expect(screen.getByText('Maya, will be sent 15:00 by WhatsApp')).toBeTruthy();
});

test.each([
  [
    'after the cut-off',
    { noticeMinutes: 120, fee: 3500, freeUntil: '2026-11-14T16:30:00Z' },
    'If the family cancels now: £35.00. It was free until yesterday, 4:30pm. If you cancel: no charge. You can always',
  ],
  [
    'before it',
    { noticeMinutes: 4000, fee: null, freeUntil: '2026-11-17T18:00:00Z' },
    'If the family cancels now: no charge. Free until Tue 17 Nov, 6pm. If you cancel: no charge.',
  ],
  [
    'after the start',
    { noticeMinutes: -5, fee: 3500, freeUntil: '2026-11-14T16:30:00Z' },
    'If the family cancels now: £35.00. The lesson has already started. If you cancel: no charge.',
  ],
  [
    'if it is always free',
    { noticeMinutes: 120, fee: null, freeUntil: null },
    'If the family cancels now: no charge. If you cancel: no charge.',
  ],
])('F108 says what a cancellation would cost now: %s', async (_case, proposal, text) => {
  const { server } = await openSession(
    {},
    {
      'GET /api/sessions/12/cancellation': () =>
        json(200, { currency: 'GBP', reason: '', ...proposal }),
    },
  );
  const card = await screen.findByRole('region', { name: "If it's cancelled" });
  expect(card.textContent).toContain(text);
  expect(server.count('GET /api/settings/cancellation-policy')).toBe(0);
});

test('F108 the people listed are the student, with a link, and the contacts, with message and phone links', async () => {
  const ruth = {
    id: 5,
    name: 'Ruth Okafor',
    relationship: 'mother',
    isMain: true,
    isStudent: false,
    email: 'ruth@families.example',
    phone: '+44 7700 900123',
  } as Contact;
  const savedStudent = {
    id: 1,
    name: 'Maya Okafor',
    schoolYear: 'Year 10',
    email: null,
    phone: null,
    contacts: [ruth],
    payers: [{ familyId: 3, contactId: 5, percent: 100, from: '2026-01-01' }],
  } as unknown as Student;
  await openSession({}, { 'GET /api/sessions/12/students': () => json(200, [savedStudent]) });
  const people = within(await screen.findByRole('region', { name: 'People' }));
  expect(await people.findByText('Year 10, student')).toBeTruthy();
  expect(people.getByText('Mother, main contact, pays for lessons')).toBeTruthy();
  const phone = people.getByRole('link', { name: 'Call Ruth Okafor' });
  expect(phone.getAttribute('href')).toBe('tel:+447700900123');
  const message = people.getByRole('link', { name: 'Message Ruth Okafor' });
  expect(message.getAttribute('href')).toMatch(/^\/messages\/new\?families=.*3/);
  const student = people.getByRole('link', { name: 'Maya Okafor' });
  expect(student.getAttribute('href')).toBe('/students/1');
});

test('[CONST-12] weeks in the calendar of a date field start on Monday', async () => {
  const { user } = await openSession();
  await user.click(screen.getByRole('button', { name: 'Move' }));
  const modal = await dialog('Move lesson');
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
    json(200, {
      noticeMinutes: 120,
      fee: null,
      currency: 'GBP',
      reason: 'No fee',
      freeUntil: null,
    }),
  'POST /api/sessions/12/cancel': () => json(200, sessionDetails({ id: 12, status: 'cancelled' })),
  'POST /api/sessions/12/reopen': () => json(200, sessionDetails({ id: 12 })),
  'POST /api/messages/change-notice/preview': () => json(200, [messagePreview()]),
};

async function cancelSession(user: UserEvent) {
  await user.click(screen.getByRole('button', { name: 'Cancel lesson' }));
  const modal = await dialog('Cancel lesson');
  await user.click(modal.getByRole('radio', { name: 'Me' }));
  await modal.findByText('No fee');
  await user.click(modal.getByRole('button', { name: 'Cancel lesson' }));
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
    "It was planned for Tue 17 Nov, 16:00–17:00. We haven't let Ruth know about the change.",
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
  await screen.findByText('Lesson cancelled');
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
  await screen.findByText("We couldn't load this lesson.");
  expect(screen.queryByText('Session not found')).toBeNull();
  down = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { level: 1, name: /^Maya Okafor/ });
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
  await user.click(screen.getByRole('button', { name: 'Move' }));
  const modal = await dialog('Move lesson');
  const start = modal.getByLabelText('Start');
  await user.clear(start);
  await user.type(start, '17:00');
  await user.tab();
  await user.click(modal.getByRole('button', { name: 'Move lesson' }));
  await dialog('Let the family know?');
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  expect(await screen.findByText('Lesson moved back')).toBeTruthy();
  expect(server.count('POST /api/sessions/13/undo-reschedule')).toBe(1);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
