import { CONSENT_WORDING } from '@lessonbook/contract/whatsapp-consent';
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { message, messagePreview, pendingNotice, reminderState } from '../test/message-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const OUTBOX = 'GET /api/messages/outbox';
const LOG = 'GET /api/messages';

function openMessages(url: string, handlers: Parameters<typeof mockApi>[0]) {
  const server = mockApi({ 'GET /api/me': () => json(200, ada), ...handlers });
  return { ...renderApp(url), server };
}

const omar = message({
  id: 6,
  toName: 'Omar Aziz',
  familyId: null,
  openUrl: null,
  createdAt: '2026-11-14T09:05:00Z',
  problem:
    "WhatsApp can't use this number. Please enter it like +44 7700 900456, without the first 0 or an extension.",
});

test('[PROD-12] F111 a draft opens in WhatsApp and stays until the tutor marks it as sent', async () => {
  let state: 'draft' | 'opened' | 'sent' = 'draft';
  const { user, server } = openMessages('/messages', {
    [OUTBOX]: () => json(200, state === 'sent' ? [] : [message({ state })]),
    'POST /api/messages/5/opened': () => {
      state = 'opened';
      return json(200, message({ state }));
    },
    'POST /api/messages/5/settle': () => {
      state = 'sent';
      return json(200, message({ state }));
    },
  });
  expect(await screen.findByRole('radio', { name: 'To send 1' })).toBeTruthy();
  const waiting = screen.getByRole('region', { name: 'Waiting for you to send in WhatsApp' });
  expect(within(waiting).getByText('Payment reminder: £70.00')).toBeTruthy();
  const open = screen.getByRole('link', { name: 'Open WhatsApp, Ruth Hale' });
  expect(open.getAttribute('href')).toBe(message().openUrl);
  expect(open.getAttribute('target')).toBe('_blank');
  // The external link must not be followed.
  open.addEventListener('click', (event) => event.preventDefault());
  await user.click(open);
  const question = within(await screen.findByRole('group', { name: 'Sent to Ruth Hale?' }));
  expect(screen.getByRole('radio', { name: 'To send 1' })).toBeTruthy();
  const marked = question.getByRole('button', { name: 'Mark as sent' });
  expect(document.activeElement).toBe(marked);
  await user.click(marked);
  expect(await screen.findByText(/^Nothing to send/)).toBeTruthy();
  expect(server.last('POST /api/messages/5/settle')?.body).toEqual({ outcome: 'sent' });
});

test('F79 lists changes until they have been sent to the families', async () => {
  let notices = [pendingNotice(), pendingNotice({ sessionId: 13, change: 'cancelled' })];
  const { user, server } = openMessages('/messages', {
    [OUTBOX]: () => json(200, []),
    'GET /api/messages/pending-notices': () => json(200, notices),
    'POST /api/messages/change-notice/preview': () => json(200, [messagePreview()]),
    'POST /api/messages/change-notice': () => {
      notices = [];
      return json(201, { messages: [message({ channel: 'email', state: 'waiting' })] });
    },
  });
  expect(
    await screen.findByRole('heading', { name: '2 changes not sent to families' }),
  ).toBeTruthy();
  expect(screen.getByText("Maya's lesson is now Fri 20 Nov, 09:00–10:00")).toBeTruthy();
  expect(screen.getByText("Maya's lesson has been cancelled")).toBeTruthy();
  const [first] = screen.getAllByRole('button', { name: 'Notify Ruth Hale, Maya Hale' });
  await user.click(first as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Let Ruth know?' }));
  await user.click(dialog.getByRole('button', { name: 'Send to Ruth Hale' }));
  await vi.waitFor(() =>
    expect(screen.queryByRole('heading', { name: /not sent to families/ })).toBeNull(),
  );
  expect(server.last('POST /api/messages/change-notice/preview')?.body).toMatchObject({
    sessionIds: [12],
  });
});

test('"Not yet" returns the message to the drafts', async () => {
  let state: 'draft' | 'opened' = 'opened';
  const { user, server } = openMessages('/messages', {
    [OUTBOX]: () => json(200, [message({ state })]),
    'POST /api/messages/5/settle': () => {
      state = 'draft';
      return json(200, message({ state }));
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Not yet' }));
  expect(await screen.findByRole('link', { name: 'Open WhatsApp, Ruth Hale' })).toBeTruthy();
  expect(server.last('POST /api/messages/5/settle')?.body).toEqual({ outcome: 'not_yet' });
});

test('an invalid number shows a message and a link to correct it', async () => {
  const noNumber = message({ id: 7, openUrl: null });
  const { user } = openMessages('/messages', {
    [OUTBOX]: () => json(200, [omar, noNumber]),
    'GET /api/messages/6': () => json(200, omar),
    'GET /api/messages/7': () => json(200, noNumber),
  });
  expect(await screen.findByText(/WhatsApp can't use this number/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Open WhatsApp/ })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Fix, Omar Aziz' }));
  const fix = await screen.findByRole('link', { name: 'Fix number, Omar Aziz' });
  expect(fix.getAttribute('href')).toBe('/schedule?view=students');
  await user.click(screen.getByRole('link', { name: 'Back to messages' }));
  await user.click(await screen.findByRole('link', { name: 'Fix, Ruth Hale' }));
  const fixRuth = await screen.findByRole('link', { name: 'Fix number, Ruth Hale' });
  expect(fixRuth.getAttribute('href')).toBe('/families/3');
});

test('a draft handled on another device is removed from the outbox', async () => {
  const { user, server } = openMessages('/messages', {
    [OUTBOX]: () => json(200, [message({ state: 'opened' })]),
    'POST /api/messages/5/settle': () =>
      json(409, { code: 'conflict', message: 'This message is no longer waiting to be sent.' }),
  });
  const marked = await screen.findByRole('button', { name: 'Mark as sent' });
  server.handlers[OUTBOX] = () => json(200, []);
  server.handlers['GET /api/me'] = () => json(200, { ...ada, revision: ada.revision + 1 });
  await user.click(marked);
  expect(await screen.findByText('This message is no longer waiting to be sent.')).toBeTruthy();
  expect(await screen.findByText(/^Nothing to send/)).toBeTruthy();
});

test('a retry is offered when the outbox fails to load', async () => {
  const { user, server } = openMessages('/messages', { [OUTBOX]: () => json(500, {}) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers[OUTBOX] = () => json(200, [message()]);
  await user.click(retry);
  expect(await screen.findByText('Ruth Hale')).toBeTruthy();
});

const MESSAGE = 'GET /api/messages/5';

test('[PROD-11] the log shows the channel, subject and result, and a message shows the text as sent', async () => {
  const sent = message({
    channel: 'email',
    state: 'sent',
    sentAt: '2026-11-15T10:00:00Z',
    sentBy: 'automatic',
  });
  const { user } = openMessages('/messages?show=sent', {
    [LOG]: () => json(200, [sent]),
    [MESSAGE]: () => json(200, sent),
  });
  const row = await screen.findByRole('link', { name: /Ruth Hale/ });
  expect(row.textContent).toContain('Payment reminder: £70.00');
  expect(row.textContent).toContain('Email');
  expect(row.textContent).toContain('10:00');
  await user.click(row);
  expect(await screen.findByText(/Maya: Maths lesson/)).toBeTruthy();
  expect(screen.getByText(/10:00, automatically/)).toBeTruthy();
});

test('F111 the log says that the tutor marked a WhatsApp message as sent', async () => {
  const marked = message({ state: 'sent', isMarkedAsSent: true });
  openMessages('/messages?show=sent', { [LOG]: () => json(200, [marked]) });
  expect(await screen.findByText('Marked as sent')).toBeTruthy();
});

test('an invoice or receipt message links to the invoice or payment', async () => {
  const invoice = message({ kind: 'invoice', channel: 'email', state: 'sent', invoiceId: 12 });
  const receipt = message({ id: 2, kind: 'receipt', state: 'read', paymentId: 21 });
  openMessages('/messages?show=sent&message=5', { [MESSAGE]: () => json(200, invoice) });
  const link = await screen.findByRole('link', { name: 'See the invoice' });
  expect(link.getAttribute('href')).toBe('/invoices/12');
  cleanup();
  openMessages('/messages?show=sent&message=2', {
    'GET /api/messages/2': () => json(200, receipt),
  });
  const payment = await screen.findByRole('link', { name: 'See the payment' });
  expect(payment.getAttribute('href')).toBe('/families/3?payment=21');
});

test('F111 a failed email is listed with its reason, and can be retried with the same key or dropped', async () => {
  const failed = message({
    channel: 'email',
    state: 'failed',
    problem: "Emails to this address can't be delivered. Please check it, then try again.",
  });
  const { user, server } = openMessages('/messages?filter=failed', {
    [OUTBOX]: () => json(200, [failed, message({ id: 6 })]),
    [MESSAGE]: () => json(200, failed),
    'POST /api/messages/5/retry': () => Promise.reject(new TypeError()),
  });
  const list = within(await screen.findByRole('region', { name: 'Not delivered' }));
  expect(list.getByText(/can't be delivered/)).toBeTruthy();
  expect(screen.queryByRole('region', { name: /WhatsApp/ })).toBeNull();
  await user.click(list.getByRole('link', { name: 'Fix, Ruth Hale' }));
  const address = await screen.findByRole('link', { name: 'Correct the address' });
  expect(address.getAttribute('href')).toBe('/families/3');
  const again = screen.getByRole('button', { name: 'Try again' });
  const lastKey = () =>
    new Headers(server.last('POST /api/messages/5/retry')?.init.headers).get('Idempotency-Key');
  await user.click(again);
  await screen.findByText("We couldn't send it. Please try again.");
  const first = lastKey();
  server.handlers['POST /api/messages/5/retry'] = () =>
    json(200, { ...failed, state: 'waiting', problem: null });
  await user.click(again);
  expect(await screen.findByText('Sending again')).toBeTruthy();
  expect(lastKey()).toBe(first);
  expect(await screen.findByRole('region', { name: 'Not delivered' })).toBeTruthy();
});

test('the filters of the log are in the URL', async () => {
  const { user, server, search } = openMessages('/messages?show=sent', {
    [LOG]: () => json(200, [message({ state: 'sent' })]),
  });
  await user.click(await screen.findByRole('button', { name: 'Sent by you' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Date sent' }), 'Last 30 days');
  await user.type(screen.getByRole('searchbox', { name: 'Search messages' }), 'maya');
  await vi.waitFor(() =>
    expect(search()).toEqual({ show: 'sent', filter: 'tutor', days: 30, q: 'maya' }),
  );
  await vi.waitFor(() => expect(server.last(LOG)?.url).toContain('search=maya'));
  expect(server.last(LOG)?.url).toContain('show=tutor');
  server.handlers[LOG] = () => json(200, []);
  await user.type(screen.getByRole('searchbox', { name: 'Search messages' }), 'x');
  await user.click(await screen.findByRole('link', { name: 'Clear filters' }));
  await vi.waitFor(() => expect(search()).toEqual({ show: 'sent' }));
});

test('more log entries are loaded on demand, and the log can be filtered by family', async () => {
  const page = Array.from({ length: 30 }, (_, index) => message({ id: index + 1, state: 'sent' }));
  const { user, server } = openMessages('/messages?family=3', {
    [LOG]: ({ url }) =>
      json(200, url.includes('offset=0') ? page : [message({ id: 99, toName: 'Old Hale' })]),
  });
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Old Hale')).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  expect(server.last(LOG)?.url).toContain('familyId=3');
  const back = screen.getByRole('link', { name: 'Back to the family' });
  expect(back.getAttribute('href')).toBe('/families/3');
});

const SETTINGS = 'GET /api/settings/reminders';

test("once the tutor confirms a recipient's consent, messages to them are sent automatically", async () => {
  const CONSENT = 'POST /api/messages/5/consent';
  let outbox = [message()];
  const { user, server } = openMessages('/messages', {
    [OUTBOX]: () => json(200, outbox),
    [SETTINGS]: () => json(200, reminderState({ whatsAppAutomatic: true })),
    [MESSAGE]: () => json(200, message()),
    [CONSENT]: () => {
      outbox = [];
      return json(200, message({ state: 'waiting' }));
    },
  });
  await user.click(await screen.findByRole('link', { name: /^RH|Ruth Hale Payment/ }));
  await user.click(await screen.findByRole('button', { name: 'More, Ruth Hale' }));
  const name = 'Ruth Hale has agreed: send reminders automatically';
  await user.click(await screen.findByRole('menuitem', { name, hidden: true }));
  const modal = within(await screen.findByRole('dialog', { name: 'Send automatically?' }));
  expect(modal.getByText(`Ruth Hale ${CONSENT_WORDING}`)).toBeTruthy();
  expect(server.count(CONSENT)).toBe(0);
  await user.click(modal.getByRole('button', { name: 'Yes, they agreed' }));
  expect(
    await screen.findByText('WhatsApp reminders to Ruth Hale will now be sent automatically.'),
  ).toBeTruthy();
  expect(await screen.findByText(/^Nothing to send/)).toBeTruthy();
});

test.each([
  [
    false,
    "Once you've turned reminders on, they're sent automatically by email. WhatsApp messages and drafts wait here for you to send.",
  ],
  [
    true,
    "Once you've turned reminders on, they're sent automatically by email, and by WhatsApp to people who've agreed. Other WhatsApp messages and drafts wait here for you to send.",
  ],
])('says what is sent automatically (WhatsApp: %s)', async (whatsAppAutomatic, text) => {
  openMessages('/messages', {
    [OUTBOX]: () => json(200, [message()]),
    [SETTINGS]: () => json(200, reminderState({ whatsAppAutomatic })),
  });
  expect(await screen.findByText(text)).toBeTruthy();
});

test('consent is not offered if automatic sending is unavailable', async () => {
  const { user, server } = openMessages('/messages?message=5', {
    [MESSAGE]: () => json(200, message()),
    [SETTINGS]: () => json(200, reminderState()),
  });
  await vi.waitFor(() => expect(server.count(SETTINGS)).toBe(1));
  await user.click(await screen.findByRole('button', { name: 'More, Ruth Hale' }));
  const offered = (await screen.findAllByRole('menuitem', { hidden: true })).map(
    ({ textContent }) => textContent,
  );
  expect(offered).toEqual(["Don't send"]);
});

test('in a wide window, the first message of the chosen list is shown beside it', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      Object.assign(new EventTarget(), { matches: media.includes('min-width') }) as MediaQueryList,
  );
  const email = message({ id: 6, channel: 'email', toName: 'Omar Aziz', openUrl: null });
  const { user } = openMessages('/messages', { [OUTBOX]: () => json(200, [message(), email]) });
  expect(await screen.findByRole('article', { name: 'Message to Omar Aziz' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^WhatsApp/ }));
  expect(await screen.findByRole('article', { name: 'Message to Ruth Hale' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Omar Aziz/ })).toBeNull();
});
