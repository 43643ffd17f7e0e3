import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { message, messagePreview } from '../../test/message-fixtures.ts';
import { json, mockApi, type RecordedCall } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { ada } from '../../test/user-fixtures.ts';
import { PaymentReminderForm } from './SendInvoiceReceiptAndReminderForms.tsx';

const PREVIEW = 'POST /api/reminders/preview';
const SEND = 'POST /api/reminders';

async function openForm(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [PREVIEW]: ({ body }: RecordedCall) => {
      const { channel } = body as { channel: 'email' | 'whatsapp' };
      return json(200, messagePreview({ channel, text: `Hello by ${channel}` }));
    },
    'GET /api/messages/outbox': () => json(200, []),
    ...handlers,
  });
  return { ...(await renderComponentSignedIn(<PaymentReminderForm familyId={3} />)), server };
}

/** A tab that records its navigation. */
function stubTab() {
  const tab = { opener: window, location: { replace: vi.fn() }, close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValue(tab as never);
  return tab;
}

const pressSend = async ({ user }: Awaited<ReturnType<typeof openForm>>) =>
  user.click(screen.getByRole('button', { name: 'Send reminder' }));

test('[PROD-11] shows the text, lets the tutor edit it and sends it as shown', async () => {
  const form = await openForm({
    [SEND]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
  });
  const text = await screen.findByLabelText<HTMLTextAreaElement>('Message');
  expect(text.value).toBe('Hello by email');
  await form.user.type(text, ', thank you');
  await pressSend(form);
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(form.server.last(SEND)?.body).toEqual({
    familyId: 3,
    channel: 'email',
    subject: 'Payment reminder: £70.00',
    text: 'Hello by email, thank you',
  });
  const { headers } = form.server.last(SEND)?.init ?? {};
  expect(new Headers(headers).get('Idempotency-Key')).toBeTruthy();
});

test('[PROD-12] opens WhatsApp immediately and then asks whether the message was sent', async () => {
  const tab = stubTab();
  let state: 'draft' | 'opened' = 'draft';
  const form = await openForm({
    [SEND]: () => json(201, { messages: [message()] }),
    'POST /api/messages/5/opened': () => {
      state = 'opened';
      return json(200, message({ state }));
    },
    'GET /api/messages/outbox': () => json(200, [message({ state })]),
  });
  await form.user.click(screen.getByRole('radio', { name: 'WhatsApp' }));
  expect(await screen.findByDisplayValue('Hello by whatsapp')).toBeTruthy();
  expect(screen.queryByLabelText('Subject')).toBeNull();
  await pressSend(form);
  expect(await screen.findByRole('group', { name: 'Sent to Ruth Hale?' })).toBeTruthy();
  expect(tab.location.replace).toHaveBeenCalledWith(message().openUrl);
  expect(tab.opener).toBeNull();
});

test('shows a link when the browser blocks the tab', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const form = await openForm({
    [SEND]: () => json(201, { messages: [message()] }),
    'GET /api/messages/outbox': () => json(200, [message()]),
  });
  await form.user.click(screen.getByRole('radio', { name: 'WhatsApp' }));
  await screen.findByDisplayValue('Hello by whatsapp');
  await pressSend(form);
  expect(await screen.findByRole('link', { name: 'Open WhatsApp, Ruth Hale' })).toBeTruthy();
  expect(form.server.count('POST /api/messages/5/opened')).toBe(0);
});

test('closes the empty tab when sending fails', async () => {
  const tab = stubTab();
  const problem = 'Please confirm your email address first, then try again.';
  const form = await openForm({ [SEND]: () => json(409, { code: 'conflict', message: problem }) });
  await form.user.click(screen.getByRole('radio', { name: 'WhatsApp' }));
  await screen.findByDisplayValue('Hello by whatsapp');
  await pressSend(form);
  expect(await screen.findByText(problem)).toBeTruthy();
  expect(tab.close).toHaveBeenCalled();
});

test('disables sending and explains why when the recipient has no address', async () => {
  const problem = 'Ruth Hale has no email address yet. Please add one.';
  await openForm({ [PREVIEW]: () => json(200, messagePreview({ address: null, problem })) });
  expect(await screen.findByText(/Ruth Hale has no email address yet/)).toBeTruthy();
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send reminder' });
  expect(send.disabled).toBe(true);
});

test('keeps the edited text for each channel', async () => {
  const form = await openForm();
  await form.user.type(await screen.findByLabelText('Message'), '!');
  await form.user.click(screen.getByRole('radio', { name: 'WhatsApp' }));
  await screen.findByDisplayValue('Hello by whatsapp');
  await form.user.click(screen.getByRole('radio', { name: 'Email' }));
  expect(await screen.findByDisplayValue('Hello by email!')).toBeTruthy();
});

test("shows the server's message and disables sending when nothing is owed", async () => {
  await openForm({
    [PREVIEW]: () => json(409, { code: 'conflict', message: 'Nothing is owed on this account.' }),
  });
  expect(await screen.findByText('Nothing is owed on this account.')).toBeTruthy();
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send reminder' });
  expect(send.disabled).toBe(true);
});
