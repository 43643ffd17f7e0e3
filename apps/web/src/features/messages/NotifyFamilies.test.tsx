import type { MessagePreview } from '@lessonbook/contract/messages';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { NotifyFamiliesHost } from '../../app/shell/Shell.tsx';
import { message, messagePreview } from '../../test/message-fixtures.ts';
import { json, mockApi, type RecordedCall } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { ada } from '../../test/user-fixtures.ts';
import {
  type NotifyRequest,
  notifyFamiliesStore,
} from '../lessons/shared/notify-families-store.ts';

const PREVIEW = 'POST /api/messages/change-notice/preview';
const NOTIFY = 'POST /api/messages/change-notice';

const maya = { id: 11, studentId: 1, studentName: 'Maya Hale' };
const omar = { id: 12, studentId: 2, studentName: 'Omar Aziz' };

/** The recipients for the sessions and channel of a preview request. */
type FindRecipients = (call: {
  sessionIds: number[];
  channel: 'email' | 'whatsapp';
}) => Partial<MessagePreview>[];

async function openModal(
  request: Pick<NotifyRequest, 'sessions'>,
  findRecipients: FindRecipients,
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [PREVIEW]: ({ body }: RecordedCall) =>
      json(
        200,
        findRecipients(body as Parameters<FindRecipients>[0]).map((person) =>
          messagePreview(person),
        ),
      ),
    'GET /api/messages/outbox': () => json(200, []),
    ...handlers,
  });
  const app = await renderComponentSignedIn(<NotifyFamiliesHost />);
  act(() => notifyFamiliesStore.open(request));
  return { ...app, server };
}

const modal = async () => within(await screen.findByRole('dialog', { name: /^Let .+ know/ }));

test('sends one family the text as edited by the tutor', async () => {
  const { user, server } = await openModal({ sessions: [maya] }, () => [{ sessionIds: [11] }], {
    [NOTIFY]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
  });
  const dialog = await modal();
  await user.type(dialog.getByLabelText('Message'), ' Sorry.');
  await user.click(dialog.getByRole('button', { name: 'Send to Ruth Hale' }));
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(server.last(NOTIFY)?.body).toEqual({
    sessionIds: [11],
    channel: 'email',
    subject: messagePreview().subject,
    text: `${messagePreview().text} Sorry.`,
  });
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('F12 a second notice about the same lesson shows and sends its own text', async () => {
  const { user, server } = await openModal(
    { sessions: [maya] },
    () => [
      { sessionIds: [11], subject: 'Cancelled: Maya', text: 'This lesson has been cancelled.' },
    ],
    { [NOTIFY]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }) },
  );
  await user.click((await modal()).getByRole('button', { name: 'Send to Ruth Hale' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const previews = server.count(PREVIEW);
  const restored = {
    sessionIds: [11],
    subject: 'Back on: Maya',
    text: 'This lesson is back on.',
  };
  server.handlers[PREVIEW] = () => json(200, [messagePreview(restored)]);
  act(() => notifyFamiliesStore.open({ sessions: [maya] }));
  const dialog = await modal();
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Message').value).toBe(restored.text);
  expect(server.count(PREVIEW)).toBe(previews * 2);
  await user.click(dialog.getByRole('button', { name: 'Send to Ruth Hale' }));
  await vi.waitFor(() => expect(server.count(NOTIFY)).toBe(2));
  expect(server.last(NOTIFY)?.body).toMatchObject({
    subject: restored.subject,
    text: restored.text,
  });
});

test('does not open when no recipient can be reached', async () => {
  const { server } = await openModal({ sessions: [maya] }, () => [
    { address: null, problem: 'Ruth Hale has no email address yet. Please add one.' },
  ]);
  await vi.waitFor(() => expect(server.count(PREVIEW)).toBe(2));
  await vi.waitFor(() => expect(notifyFamiliesStore.current()).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('preselects WhatsApp for a family without an email address', async () => {
  await openModal({ sessions: [maya] }, ({ channel }) => [
    channel === 'email' ? { address: null, problem: 'No email address yet.' } : { channel },
  ]);
  const dialog = await modal();
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'WhatsApp' }).checked).toBe(true);
  expect(dialog.getByRole('button', { name: 'Send to Ruth Hale' })).toBeTruthy();
});

test('shows the text for each of several families and can exclude some', async () => {
  const people = ({ sessionIds }: { sessionIds: number[] }) =>
    sessionIds.map((id) => ({
      familyId: id,
      sessionIds: [id],
      toName: id === 11 ? 'Ruth Hale' : 'Sami Aziz',
      text: `About ${id}`,
    }));
  const { user, server } = await openModal({ sessions: [maya, omar] }, people, {
    [NOTIFY]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
  });
  const dialog = await modal();
  expect(dialog.getByRole('button', { name: 'Send to 2 people' })).toBeTruthy();
  expect(dialog.getByText('About 12')).toBeTruthy();
  expect(dialog.queryByLabelText('Message')).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: /^Sami Aziz/ }));
  // With one family left, the text can be edited.
  await user.type(dialog.getByLabelText('Message'), '.');
  await user.click(dialog.getByRole('button', { name: 'Send to Ruth Hale' }));
  await screen.findByText('Email on its way');
  expect(server.last(NOTIFY)?.body).toMatchObject({ sessionIds: [11], text: 'About 11.' });
});

test('notifies a carer and a student in one family together, listing each lesson once', async () => {
  const findCarerAndStudent = () =>
    ['Ruth Hale', 'Maya Hale'].map((toName) => ({ toName, familyId: 3, sessionIds: [11, 13] }));
  const sessions = [maya, { ...maya, id: 13 }];
  const { user, server } = await openModal({ sessions }, findCarerAndStudent, {
    [NOTIFY]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
  });
  const dialog = await modal();
  expect(screen.getByRole('dialog', { name: 'Let the family know?' })).toBeTruthy();
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Send to 2 people' }));
  await screen.findByText('Email on its way');
  expect(server.last(NOTIFY)?.body).toMatchObject({ sessionIds: [11, 13] });
});

test('puts several WhatsApp messages in the outbox without opening a tab', async () => {
  const open = vi.spyOn(window, 'open');
  const people = ({ sessionIds }: { sessionIds: number[] }) =>
    sessionIds.map((id) => ({ familyId: id, sessionIds: [id] }));
  const { user } = await openModal({ sessions: [maya, omar] }, people, {
    [NOTIFY]: () => json(201, { messages: [message(), message({ id: 6 })] }),
  });
  const dialog = await modal();
  await user.click(dialog.getByRole('radio', { name: 'WhatsApp' }));
  await user.click(dialog.getByRole('button', { name: 'Send to 2 people' }));
  expect(await screen.findByText('2 messages to send')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy();
  expect(open).not.toHaveBeenCalled();
});

test("sends nothing when 'Not now' is clicked", async () => {
  const { user, server } = await openModal({ sessions: [maya] }, () => [{ sessionIds: [11] }]);
  const dialog = await modal();
  await user.click(dialog.getByRole('button', { name: 'Not now' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.count(NOTIFY)).toBe(0);
});

test('offers a retry when the preview cannot be loaded', async () => {
  const { user, server } = await openModal({ sessions: [maya] }, () => [{ sessionIds: [11] }], {
    [PREVIEW]: () => json(500, {}),
  });
  const retry = await (await modal()).findByRole('button', { name: 'Try again' });
  server.handlers[PREVIEW] = () => json(200, [messagePreview()]);
  await user.click(retry);
  expect(await screen.findByLabelText('Message')).toBeTruthy();
});
