import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message } from '../../test/message-fixtures.ts';
import { createDeferredReply, json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

const SEND = 'POST /api/messages/5/send';
const OUTBOX = 'GET /api/messages/outbox';

const draft = message({
  kind: 'custom',
  channel: 'email',
  address: 'ruth@hale.example',
  subject: 'New lesson prices from 1 January',
  text: 'Hi Ruth,\n\nMy prices will change.',
  openUrl: null,
});
const sent = message({ ...draft, state: 'waiting' });

async function openDraft(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/messages': () => json(200, []),
    'GET /api/messages/5': () => json(200, draft),
    'GET /api/messages/pending-notices': () => json(200, []),
    [OUTBOX]: () => json(200, [draft]),
    ...handlers,
  });
  const { user } = renderApp('/messages');
  const waiting = within(await screen.findByRole('region', { name: 'Emails to read and send' }));
  await user.click(waiting.getByRole('link', { name: 'Read, Ruth Hale' }));
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  const subject = screen.getByRole<HTMLInputElement>('textbox', { name: 'Subject' });
  const send = () => user.click(screen.getByRole('button', { name: 'Send email' }));
  const keys = () =>
    server.calls
      .filter(({ name }) => name === SEND)
      .map(({ init }) => new Headers(init.headers).get('Idempotency-Key'));
  return { user, server, subject, text, send, keys };
}

test('F145 a draft is read, changed and sent as shown, and is removed from the messages to send', async () => {
  const { user, server, subject, text, send } = await openDraft();
  expect(subject.value).toBe('New lesson prices from 1 January');
  expect(text.value).toBe('Hi Ruth,\n\nMy prices will change.');
  expect(server.count(SEND)).toBe(0);
  await user.clear(subject);
  await user.type(subject, 'Prices from January');
  await user.type(text, ' Thank you.');
  server.handlers[SEND] = () => {
    server.handlers[OUTBOX] = () => json(200, []);
    return json(200, sent);
  };
  await send();
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(await screen.findByText(/^Nothing to send/)).toBeTruthy();
  expect(server.last(SEND)?.body).toEqual({
    subject: 'Prices from January',
    text: 'Hi Ruth,\n\nMy prices will change. Thank you.',
  });
});

test('a draft without a subject or text is not sent', async () => {
  const { user, server, subject, text, send } = await openDraft();
  await user.clear(subject);
  await user.clear(text);
  await send();
  expect(await screen.findByText('Please enter a subject')).toBeTruthy();
  expect(screen.getByText('Please write a message')).toBeTruthy();
  expect(document.activeElement).toBe(subject);
  expect(server.count(SEND)).toBe(0);
});

test.each([
  [
    'the server rejects the email',
    () => json(409, { code: 'conflict', message: 'Please confirm your email.' }),
  ],
  ['the server does not respond', () => Promise.reject(new TypeError('Failed to fetch'))],
])('keeps the changed text when %s, and retries with the same key', async (_, fail) => {
  const { user, server, text, send, keys } = await openDraft({ [SEND]: fail });
  await user.type(text, ' Thank you.');
  await send();
  expect(
    await screen.findByText(/Please confirm your email|The email couldn't be sent/),
  ).toBeTruthy();
  expect(text.value).toBe('Hi Ruth,\n\nMy prices will change. Thank you.');
  server.handlers[SEND] = () => json(200, sent);
  await send();
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(server.last(SEND)?.body).toMatchObject({
    text: 'Hi Ruth,\n\nMy prices will change. Thank you.',
  });
  const [first, second] = keys();
  expect(first).toBeTruthy();
  expect(second).toBe(first);
});

test('a draft is sent once, however often the button is pressed', async () => {
  const pending = createDeferredReply();
  const { user, server, subject } = await openDraft({ [SEND]: pending.handler });
  await user.dblClick(screen.getByRole('button', { name: 'Send email' }));
  await user.type(subject, '{Enter}');
  expect(server.count(SEND)).toBe(1);
  server.handlers[OUTBOX] = () => json(200, []);
  pending.reply(json(200, sent));
  expect(await screen.findByText(/^Nothing to send/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send email' })).toBeNull();
});
