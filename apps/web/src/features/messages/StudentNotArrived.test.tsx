import type { SessionRow } from '@lessonbook/contract/sessions';
import type { NotArrivedStudent } from '@lessonbook/contract/student-not-arrived-messages';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { message } from '../../test/message-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { sessionRow } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { StudentNotArrivedButton } from './shared/StudentNotArrivedButton.tsx';

const SEND = 'POST /api/sessions/12/not-arrived';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T16:10:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const maya: NotArrivedStudent = {
  studentId: 1,
  studentName: 'Maya Okafor',
  toName: 'Ruth Hale',
  channels: [
    { channel: 'email', address: 'ruth@hale.example', problem: null },
    { channel: 'whatsapp', address: '+447700900001', problem: null },
  ],
  subject: "Maya hasn't arrived for the lesson at 4pm",
  text: 'Hi Ruth,\n\nIs Maya on the way?',
  sent: null,
};
const leo: NotArrivedStudent = {
  ...maya,
  studentId: 2,
  studentName: 'Leo Stone',
  toName: 'Tom Stone',
  channels: [
    {
      channel: 'email',
      address: null,
      problem: 'Tom Stone has no email address yet. Please add one.',
    },
  ],
};
const sent: NotArrivedStudent['sent'] = {
  messageId: 5,
  channel: 'email',
  state: 'sent',
  toName: 'Ruth Hale',
  at: '2026-11-15T16:05:00Z',
  problem: null,
  canSendAgain: false,
};

async function open(students: readonly NotArrivedStudent[], overrides: Partial<SessionRow> = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/sessions/12/not-arrived': () => json(200, students),
    'GET /api/messages/outbox': () => json(200, []),
    [SEND]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
  });
  const session = sessionRow({ id: 12, ...overrides });
  const app = await renderComponentSignedIn(<StudentNotArrivedButton session={session} />);
  const button = screen.queryByRole('button', { name: /^Hasn't arrived/ });
  if (!button) return { ...app, server, dialog: null };
  await app.user.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: "Hasn't arrived" }));
  return { ...app, server, dialog };
}

test.each([
  ['before the start', { startTime: '16:11', endTime: '17:00' }],
  ['after the end', { startTime: '15:00', endTime: '16:10' }],
  ['on another day', { date: '2026-11-14' }],
  ['once it is completed', { status: 'completed' as const }],
])('the message is not offered %s', async (_when, overrides) => {
  const { dialog } = await open([maya], overrides);
  expect(dialog).toBeNull();
});

test('shows the recipient and the text, and sends what the tutor changed', async () => {
  const { user, server, dialog } = await open([maya]);
  expect(await dialog?.findByText('To Ruth Hale, ruth@hale.example')).toBeTruthy();
  await user.type(dialog?.getByLabelText('Message') as HTMLElement, ' Ring me.');
  await user.click(dialog?.getByRole('button', { name: 'Send to Ruth' }) as HTMLElement);
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(server.last(SEND)?.body).toEqual({
    messages: [
      {
        studentId: 1,
        channel: 'email',
        subject: "Maya hasn't arrived for the lesson at 4pm",
        text: 'Hi Ruth,\n\nIs Maya on the way? Ring me.',
        replacesMessageId: null,
      },
    ],
  });
});

test('F60 typed text is kept when the preview is loaded again', async () => {
  const { user, server, queryClient, dialog } = await open([maya]);
  await user.type((await dialog?.findByLabelText('Message')) as HTMLElement, ' Ring me.');
  server.handlers['GET /api/sessions/12/not-arrived'] = () =>
    json(200, [{ ...maya, studentName: 'Maya Stone' }]);
  await queryClient.invalidateQueries();
  expect(await dialog?.findByRole('region', { name: 'Maya Stone' })).toBeTruthy();
  expect(dialog?.getByLabelText<HTMLTextAreaElement>('Message').value).toBe(
    'Hi Ruth,\n\nIs Maya on the way? Ring me.',
  );
});

test('in a group, the tutor chooses who is missing; a carer who cannot be reached is named', async () => {
  const { user, server, dialog } = await open([
    { ...maya, sent },
    leo,
    { ...maya, studentId: 3, studentName: 'Ivy Wood', toName: 'Ann Wood' },
  ]);
  expect(await dialog?.findByText('Ruth was sent this message about Maya (16:05).')).toBeTruthy();
  const box = (name: string) => dialog?.getByRole('checkbox', { name }) as HTMLInputElement;
  expect(box('Maya Okafor').disabled).toBe(true);
  const send = (name: string) => dialog?.getByRole('button', { name }) as HTMLButtonElement;
  expect(send('Send 0 messages').disabled).toBe(true);
  await user.click(box('Leo Stone'));
  expect(dialog?.getByText('Tom Stone has no email address yet. Please add one.')).toBeTruthy();
  expect(send('Send to Tom').disabled).toBe(true);
  await user.click(box('Leo Stone'));
  await user.click(box('Ivy Wood'));
  await user.click(send('Send to Ann'));
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(server.last(SEND)?.body).toMatchObject({ messages: [{ studentId: 3 }] });
});

test('a failed message is reported and can be sent again', async () => {
  const failed = {
    ...sent,
    state: 'failed' as const,
    problem: 'No such address.',
    canSendAgain: true,
  };
  const { user, server, dialog } = await open([{ ...maya, sent: failed }]);
  expect((await dialog?.findByRole('alert'))?.textContent).toBe(
    "The message to Ruth couldn't be sent. No such address. You can send it again.",
  );
  await user.click(dialog?.getByRole('button', { name: 'Send to Ruth' }) as HTMLElement);
  await screen.findByText('Email on its way');
  expect(server.last(SEND)?.body).toMatchObject({ messages: [{ replacesMessageId: 5 }] });
});

test('a queued message is shown as on its way, and can be replaced after a failed attempt', async () => {
  const waiting = { ...sent, state: 'waiting' as const };
  const { user, server, dialog } = await open([
    { ...maya, sent: waiting },
    { ...maya, studentId: 2, studentName: 'Leo Hale', sent: { ...waiting, canSendAgain: true } },
  ]);
  expect(await dialog?.findByText('The message to Ruth is on its way.')).toBeTruthy();
  expect(dialog?.getByRole('alert').textContent).toBe(
    "The message to Ruth hasn't been delivered yet. We'll keep trying until the lesson ends. You can send another one instead.",
  );
  await user.click(dialog?.getByRole('checkbox', { name: 'Leo Hale' }) as HTMLElement);
  await user.click(dialog?.getByRole('button', { name: 'Send to Ruth' }) as HTMLElement);
  await screen.findByText('Email on its way');
  expect(server.last(SEND)?.body).toMatchObject({
    messages: [{ studentId: 2, replacesMessageId: 5 }],
  });
});

test('a WhatsApp message is opened in a new tab, and the page shows what is left to do', async () => {
  const tab = { location: { replace: vi.fn() }, close: vi.fn(), opener: null };
  vi.spyOn(window, 'open').mockReturnValue(tab as never);
  const { user, server, dialog } = await open([{ ...maya, channels: maya.channels.toReversed() }]);
  server.handlers[SEND] = () => json(201, { messages: [message()] });
  server.handlers['POST /api/messages/5/opened'] = () => json(200, message({ state: 'opened' }));
  server.handlers['GET /api/messages/outbox'] = () => json(200, [message({ state: 'opened' })]);
  await user.click((await dialog?.findByRole('button', { name: 'Send to Ruth' })) as HTMLElement);
  expect(await screen.findByText('The message to Ruth Hale is open in WhatsApp.')).toBeTruthy();
  expect(tab.location.replace).toHaveBeenCalledWith(message().openUrl);
  expect(server.last(SEND)?.body).toMatchObject({ messages: [{ channel: 'whatsapp' }] });
});
