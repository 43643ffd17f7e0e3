import type { ReminderState } from '@lessonbook/contract/reminder-settings';
import { CONSENT_WORDING } from '@lessonbook/contract/whatsapp-consent';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { plannedMessage, reminderState } from '../test/message-fixtures.ts';
import { json, mockApi, type RecordedCall } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { selectOption } from '../test/select-option.ts';
import { ada } from '../test/user-fixtures.ts';

const SETTINGS = 'GET /api/settings/reminders';
const SAVE = 'PUT /api/settings/reminders';
const BATCH = 'GET /api/settings/reminders/first-batch';
const START = 'POST /api/settings/reminders/start';

function openReminders(state: ReminderState, handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [SETTINGS]: () => json(200, state),
    [SAVE]: ({ body }: RecordedCall) => server.saved(SETTINGS, { ...state, ...(body as object) }),
    'POST /api/settings/reminders/preview': ({ body }: RecordedCall) => {
      const { subject, text } = body as { subject: string; text: string };
      return json(200, { subject: `As sent: ${subject}`, text, html: `<p>${text}</p>` });
    },
    ...handlers,
  });
  return { ...renderApp('/settings/reminders'), server };
}

test('[SET-21] F70 reminders start only after every message has been previewed; unticked ones are left out', async () => {
  const startedAt = '2026-11-15T08:00:00Z';
  const { user, server } = openReminders(reminderState(), {
    [BATCH]: () =>
      json(200, [
        plannedMessage({
          subject: 'Lesson reminder: Tomorrow, Maya 4pm',
          at: '2026-11-15T16:00:00Z',
        }),
        plannedMessage({ kind: 'payment_reminder', key: 'overdue 3', subject: 'Payment reminder' }),
        plannedMessage({
          key: 'x',
          toName: 'Sami Aziz',
          problem: 'They have unsubscribed from these reminders.',
        }),
      ]),
    [START]: () => server.saved(SETTINGS, reminderState({ enabledAt: startedAt })),
  });
  await user.click(await screen.findByRole('button', { name: 'Start reminders' }));
  expect(server.count(START)).toBe(0);
  const modal = within(await screen.findByRole('dialog', { name: 'Start reminders' }));
  expect(await modal.findByText(/^2 messages will be sent in the next few days/)).toBeTruthy();
  expect(modal.getByText('Lesson reminder, Email, 16:00')).toBeTruthy();
  expect(modal.getByText('They have unsubscribed from these reminders.')).toBeTruthy();
  await user.click(modal.getByRole('checkbox', { name: 'Send to Ruth Hale: Payment reminder' }));
  expect(modal.getByText(/^1 message will be sent/)).toBeTruthy();
  await user.click(modal.getByRole('button', { name: 'Start reminders' }));
  expect(await screen.findByText('On since 08:00')).toBeTruthy();
  expect(server.last(START)?.body).toEqual({ excludedKeys: ['overdue 3'] });
});

test('reminders cannot be started when the preview fails', async () => {
  const { user } = openReminders(reminderState(), { [BATCH]: () => json(500, {}) });
  await user.click(await screen.findByRole('button', { name: 'Start reminders' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Start reminders' }));
  await modal.findByRole('button', { name: 'Try again' });
  const start = modal.getByRole<HTMLButtonElement>('button', { name: 'Start reminders' });
  expect(start.disabled).toBe(true);
});

test('reminders can be stopped with one click', async () => {
  const { user, server } = openReminders(reminderState({ enabledAt: '2026-11-10T08:00:00Z' }), {
    'POST /api/settings/reminders/stop': () => server.saved(SETTINGS, reminderState()),
  });
  expect(await screen.findByText('On since Tue 10 Nov 08:00')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Stop reminders' }));
  expect(await screen.findByRole('button', { name: 'Start reminders' })).toBeTruthy();
});

test('schedule, channels, recipient and overdue days are saved together', async () => {
  const { user, server } = openReminders(reminderState());
  await selectOption(user, await screen.findByRole('combobox', { name: 'When' }), '2 hours before');
  await user.click(screen.getByRole('checkbox', { name: 'WhatsApp' }));
  await user.click(screen.getByRole('radio', { name: 'Both' }));
  await user.click(screen.getByRole('switch', { name: /Remind about overdue payments/ }));
  const days = screen.getByLabelText('Days after the due date');
  await user.clear(days);
  await user.type(days, '2, soon');
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' });
  expect(save.disabled).toBe(true);
  expect(screen.getByText(/Please enter up to six days/)).toBeTruthy();
  await user.clear(days);
  await user.type(days, '5 10');
  await user.click(save);
  await screen.findByText('Reminders saved');
  expect(server.last(SAVE)?.body).toMatchObject({
    leadMinutes: 120,
    channels: ['email', 'whatsapp'],
    recipient: 'both',
    overdueEnabled: true,
    overdueDays: [5, 10],
  });
});

test('settings without a channel cannot be saved', async () => {
  const { user } = openReminders(reminderState());
  await user.click(await screen.findByRole('checkbox', { name: 'Email' }));
  expect(screen.getByText('Please choose email, WhatsApp or both')).toBeTruthy();
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' });
  expect(save.disabled).toBe(true);
});

test('a custom template is previewed in a sandboxed frame', async () => {
  const { user, server } = openReminders(reminderState());
  await selectOption(
    user,
    await screen.findByRole('combobox', { name: 'Message' }),
    'Payment reminder',
  );
  const text = screen.getByLabelText<HTMLTextAreaElement>('Text');
  expect(text.value).toBe('Hello {name}, {amount}');
  expect(screen.getByText('{amount}')).toBeTruthy();
  fireEvent.change(text, { target: { value: 'Dear {name}' } });
  const frame = () => screen.getByTitle<HTMLIFrameElement>('Email preview');
  await waitFor(() => expect(frame().getAttribute('srcdoc')).toBe('<p>Dear {name}</p>'));
  expect(frame().getAttribute('sandbox')).toBe('');
  await user.click(screen.getByRole('button', { name: 'Save template' }));
  await screen.findByText('Reminders saved');
  expect(server.last(SAVE)?.body).toMatchObject({
    templates: { payment_reminder: { subject: null, text: 'Dear {name}' } },
  });
  await user.click(screen.getByRole('button', { name: 'Restore default' }));
  await waitFor(() =>
    expect(server.last(SAVE)?.body).toMatchObject({
      templates: { payment_reminder: { subject: null, text: null } },
    }),
  );
  expect(text.value).toBe('Hello {name}, {amount}');
});

const CONSENTS = 'GET /api/whatsapp/consents';

test('WhatsApp consents are listed and can be withdrawn', async () => {
  const WITHDRAW = 'POST /api/whatsapp/consents/withdraw';
  const ruth = {
    address: '+447700900001',
    name: 'Ruth Hale',
    wording: CONSENT_WORDING,
    at: '2026-11-10T08:00:00Z',
  };
  const { user, server } = openReminders(reminderState({ whatsAppAutomatic: true }), {
    [CONSENTS]: () => json(200, [ruth]),
    [WITHDRAW]: () => server.saved(CONSENTS, []),
  });
  expect(await screen.findByText(`Tue 10 Nov: ${CONSENT_WORDING}`)).toBeTruthy();
  expect(screen.getByText(/^Sent automatically to people who've agreed/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Withdraw, Ruth Hale' }));
  expect(await screen.findByText(/^No one has agreed yet/)).toBeTruthy();
  expect(server.last(WITHDRAW)?.body).toEqual({ address: '+447700900001' });
});

test('without automatic WhatsApp messages there is no consent list', async () => {
  const { server } = openReminders(reminderState());
  await screen.findByRole('heading', { name: 'Message templates' });
  expect(screen.getByText(/^Saved in Messages/)).toBeTruthy();
  expect(screen.queryByText('Automatic WhatsApp reminders')).toBeNull();
  expect(server.count(CONSENTS)).toBe(0);
});

test('[SET-18] a notice points out that lesson reminders are disabled', async () => {
  openReminders(reminderState(), {
    'GET /api/notification-settings': () =>
      json(200, { emailNotifications: true, lessonReminders: false, paymentNotifications: true }),
  });
  const notice = await screen.findByText(/^Lesson reminders are switched off in/);
  expect(within(notice).getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe(
    '/settings',
  );
});
