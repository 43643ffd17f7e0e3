import type { MessagePreview } from '@lessonbook/contract/messages';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { NotifyFamiliesHost } from '../../app/shell/Shell.tsx';
import { message, preview } from '../../test/message-fixtures.ts';
import { json, mockApi, type RecordedCall } from '../../test/mock-api.ts';
import { renderSignedIn } from '../../test/render-signed-in.tsx';
import { ada } from '../../test/user-fixtures.ts';
import { type NotifyRequest, notifyStore } from '../lessons/shared/notify-store.ts';

const PREVIEW = 'POST /api/messages/tell/preview';
const TELL = 'POST /api/messages/tell';

const maya = { id: 11, studentId: 1, studentName: 'Maya Hale' };
const omar = { id: 12, studentId: 2, studentName: 'Omar Aziz' };

/** Who can be reached how, by session. */
type Reach = (call: {
  sessionIds: number[];
  channel: 'email' | 'whatsapp';
}) => Partial<MessagePreview>[];

async function ask(
  toTell: NotifyRequest,
  reach: Reach,
  answers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [PREVIEW]: ({ body }: RecordedCall) =>
      json(
        200,
        reach(body as Parameters<Reach>[0]).map((person) => preview(person)),
      ),
    'GET /api/messages/tray': () => json(200, []),
    ...answers,
  });
  const app = await renderSignedIn(<NotifyFamiliesHost />);
  act(() => notifyStore.ask(toTell));
  return { ...app, server };
}

const sheet = async () => within(await screen.findByRole('dialog', { name: /^Tell the famil/ }));

test('one family reads what the tutor has read and changed', async () => {
  const { user, server } = await ask(
    { kind: 'cancelled', sessions: [maya] },
    () => [{ sessionIds: [11] }],
    {
      [TELL]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
    },
  );
  const dialog = await sheet();
  await user.type(dialog.getByLabelText('Message'), ' Sorry.');
  await user.click(dialog.getByRole('button', { name: 'Tell Ruth Hale' }));
  expect(await screen.findByText('E-mail on its way')).toBeTruthy();
  expect(server.last(TELL)?.body).toEqual({
    kind: 'cancelled',
    sessionIds: [11],
    channel: 'email',
    subject: preview().subject,
    text: `${preview().text} Sorry.`,
  });
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('nobody who can be reached: nothing is asked', async () => {
  const { server } = await ask({ kind: 'moved', sessions: [maya] }, () => [
    { address: null, problem: 'Ruth Hale has no e-mail address yet. Please add one.' },
  ]);
  await vi.waitFor(() => expect(server.count(PREVIEW)).toBe(2));
  await vi.waitFor(() => expect(notifyStore.current()).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('who has only a phone is told by WhatsApp', async () => {
  await ask({ kind: 'moved', sessions: [maya] }, ({ channel }) => [
    channel === 'email' ? { address: null, problem: 'No e-mail address yet.' } : { channel },
  ]);
  const dialog = await sheet();
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'WhatsApp' }).checked).toBe(true);
  expect(dialog.getByRole('button', { name: 'Tell Ruth Hale' })).toBeTruthy();
});

test('of several families some can be left out, and each text can be read', async () => {
  const people = ({ sessionIds }: { sessionIds: number[] }) =>
    sessionIds.map((id) => ({
      familyId: id,
      sessionIds: [id],
      toName: id === 11 ? 'Ruth Hale' : 'Sami Aziz',
      text: `About ${id}`,
    }));
  const { user, server } = await ask({ kind: 'cancelled', sessions: [maya, omar] }, people, {
    [TELL]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
  });
  const dialog = await sheet();
  expect(dialog.getByRole('button', { name: 'Tell 2 families' })).toBeTruthy();
  expect(dialog.getByText('About 12')).toBeTruthy();
  expect(dialog.queryByLabelText('Message')).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: /^Sami Aziz/ }));
  // Only one is left, so the words can be changed.
  await user.type(dialog.getByLabelText('Message'), '.');
  await user.click(dialog.getByRole('button', { name: 'Tell Ruth Hale' }));
  await screen.findByText('E-mail on its way');
  expect(server.last(TELL)?.body).toMatchObject({ sessionIds: [11], text: 'About 11.' });
});

test('a carer and a student of one family are told together, of each lesson once', async () => {
  const both = () =>
    ['Ruth Hale', 'Maya Hale'].map((toName) => ({ toName, familyId: 3, sessionIds: [11, 13] }));
  const sessions = [maya, { ...maya, id: 13 }];
  const { user, server } = await ask({ kind: 'cancelled', sessions }, both, {
    [TELL]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
  });
  const dialog = await sheet();
  expect(screen.getByRole('dialog', { name: 'Tell the family?' })).toBeTruthy();
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Tell 1 family' }));
  await screen.findByText('E-mail on its way');
  expect(server.last(TELL)?.body).toMatchObject({ sessionIds: [11, 13] });
});

test('several by WhatsApp wait in the tray, and no tab opens', async () => {
  const open = vi.spyOn(window, 'open');
  const people = ({ sessionIds }: { sessionIds: number[] }) =>
    sessionIds.map((id) => ({ familyId: id, sessionIds: [id] }));
  const { user } = await ask({ kind: 'cancelled', sessions: [maya, omar] }, people, {
    [TELL]: () => json(201, { messages: [message(), message({ id: 6 })] }),
  });
  const dialog = await sheet();
  await user.click(dialog.getByRole('radio', { name: 'WhatsApp' }));
  await user.click(dialog.getByRole('button', { name: 'Tell 2 families' }));
  expect(await screen.findByText('2 messages to send')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy();
  expect(open).not.toHaveBeenCalled();
});

test('not now tells nobody', async () => {
  const { user, server } = await ask({ kind: 'cancelled', sessions: [maya] }, () => [
    { sessionIds: [11] },
  ]);
  const dialog = await sheet();
  await user.click(dialog.getByRole('button', { name: 'Not now' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.count(TELL)).toBe(0);
});

test('words that cannot be prepared offer another try', async () => {
  const { user, server } = await ask(
    { kind: 'cancelled', sessions: [maya] },
    () => [{ sessionIds: [11] }],
    {
      [PREVIEW]: () => json(500, {}),
    },
  );
  const retry = await (await sheet()).findByRole('button', { name: 'Try again' });
  server.answers[PREVIEW] = () => json(200, [preview()]);
  await user.click(retry);
  expect(await screen.findByLabelText('Message')).toBeTruthy();
});
