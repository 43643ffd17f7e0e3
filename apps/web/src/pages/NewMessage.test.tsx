import type { CustomMessageRecipient, FamilyResult } from '@lessonbook/contract/bulk-messages';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { family } from '../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionDetails } from '../test/session-fixtures.ts';
import { contact, student } from '../test/student-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const PREVIEW = 'POST /api/messages/custom/preview';
const SEND = 'POST /api/messages/custom';

const recipient = (overrides: Partial<CustomMessageRecipient> = {}): CustomMessageRecipient => ({
  familyId: 3,
  toName: 'Ruth Hale',
  channel: 'email',
  address: 'ruth@hale.example',
  problem: null,
  values: { name: 'Ruth', children: 'Maya and Leo', amount: '', tutor: 'Ada Fenwick' },
  ...overrides,
});

const helen = recipient({
  familyId: 4,
  toName: 'Helen Goldberg',
  channel: 'whatsapp',
  address: '+447700900456',
  values: { name: 'Helen', children: 'Noa', amount: '£35.00', tutor: 'Ada Fenwick' },
});

const result = (overrides: Partial<FamilyResult> = {}): FamilyResult => ({
  familyId: 3,
  toName: 'Ruth Hale',
  outcome: 'sent',
  messageId: 8,
  problem: null,
  ...overrides,
});

function openForm(url: string, handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/sign-in-options': () => json(200, { google: false, passkeys: false, demo: null }),
    'GET /api/families': () =>
      json(200, [
        family({ id: 3, name: 'Ruth Hale', students: ['Maya Hale', 'Leo Hale'] }),
        family({ id: 4, name: 'Helen Goldberg', students: ['Noa Goldberg'] }),
      ]),
    [PREVIEW]: ({ body }) => {
      const { familyIds } = body as { familyIds: number[] };
      return json(
        200,
        [recipient(), helen].filter(({ familyId }) => familyIds.includes(familyId)),
      );
    },
    ...handlers,
  });
  return { ...renderApp(url), server };
}

async function write(user: ReturnType<typeof openForm>['user'], subject: string, text: string) {
  await user.type(await screen.findByRole('textbox', { name: /^Subject/ }), subject);
  const message = screen.getByRole('textbox', { name: 'Message' });
  await user.clear(message);
  await user.type(message, text.replaceAll('{', '{{'));
}

test('F145 each family has its own preview, and the note says what is sent now and what waits', async () => {
  const { user, server } = openForm('/messages/new?families=3-4', {
    [SEND]: () =>
      json(201, [
        result(),
        result({ familyId: 4, toName: 'Helen Goldberg', outcome: 'to_send', messageId: 9 }),
      ]),
  });
  await write(user, 'Half-term', 'Hi {name}, no lessons for {children}.');
  const preview = within(await screen.findByRole('region', { name: 'Preview' }));
  expect(await preview.findByText('Hi Ruth, no lessons for Maya and Leo.')).toBeTruthy();
  expect(
    preview.getByText(
      "1 email will be sent now. Helen's message will wait in To send until you send it in WhatsApp.",
    ),
  ).toBeTruthy();
  await user.click(preview.getByRole('button', { name: 'Next family' }));
  expect(preview.getByText('Hi Helen, no lessons for Noa.')).toBeTruthy();
  expect(preview.queryByText(/Maya/)).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Send to 2 families' }));
  expect(
    await screen.findByRole('heading', { name: '1 message on its way, 1 waiting in To send' }),
  ).toBeTruthy();
  expect(server.last(SEND)?.body).toEqual({
    familyIds: [3, 4],
    channel: 'email',
    subject: 'Half-term',
    text: 'Hi {name}, no lessons for {children}.',
  });
  const open = screen.getByRole('link', { name: 'Open, Helen Goldberg' });
  expect(open.getAttribute('href')).toBe('/messages?message=9');
});

test('F145 a family without a value for a placeholder is left out, and a message with a mistyped placeholder is not sent', async () => {
  const { user, server } = openForm('/messages/new?families=3-4');
  await write(user, 'Balance', 'You owe {amount}.');
  expect(
    await screen.findByText("They don't owe anything, so {amount} can't be filled in."),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Send to Helen Goldberg' })).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Message' }), ' {{nmae}');
  await user.click(screen.getByRole('button', { name: 'Send to Helen Goldberg' }));
  expect(await screen.findByText(/^\{nmae\} isn't a placeholder\./)).toBeTruthy();
  expect(server.count(SEND)).toBe(0);
});

test("F145 families can be selected by a child's name, all at once, by overdue balance or by lesson date", async () => {
  const { user, search } = openForm('/messages/new', {
    'GET /api/reminders/overdue': () =>
      json(200, {
        problem: null,
        families: [
          {
            familyId: 4,
            toName: 'Helen Goldberg',
            channel: 'whatsapp',
            address: '+447700900456',
            overdue: [{ currency: 'GBP', amount: 3500 }],
            dueSince: '2026-11-10',
            lastRemindedAt: null,
            problem: null,
          },
        ],
      }),
    'GET /api/messages/families-with-lesson': () => json(200, { familyIds: [3] }),
  });
  await user.type(await screen.findByRole('combobox', { name: 'To' }), 'noa');
  await user.click(await screen.findByRole('option', { name: /Helen Goldberg/, hidden: true }));
  await vi.waitFor(() => expect(search()).toEqual({ families: '4' }));
  await user.click(screen.getByRole('button', { name: 'All families' }));
  await vi.waitFor(() => expect(search()).toEqual({ families: '4-3' }));
  await user.click(screen.getByRole('button', { name: 'Overdue' }));
  await vi.waitFor(() => expect(search()).toEqual({ families: '4' }));
  await user.click(screen.getByRole('button', { name: 'Families with a lesson on…' }));
  await user.type(screen.getByRole('textbox', { name: 'Lesson date' }), '18 nov');
  await user.tab();
  await vi.waitFor(() => expect(search()).toEqual({ families: '3' }));
});

test('F145 the text survives a reload until it is sent', async () => {
  const { user } = openForm('/messages/new?families=3');
  await write(user, 'Half-term', 'No lessons next week.');
  await vi.waitFor(() => expect(JSON.stringify(localStorage)).toContain('No lessons next week.'));
  cleanup();
  const reloaded = openForm('/messages/new?families=3', { [SEND]: () => json(201, [result()]) });
  const text = await screen.findByRole('textbox', { name: 'Message' });
  expect((text as HTMLTextAreaElement).value).toBe('No lessons next week.');
  await reloaded.user.click(await screen.findByRole('button', { name: 'Send to Ruth Hale' }));
  await screen.findByRole('heading', { name: '1 message on its way' });
  expect(JSON.stringify(localStorage)).not.toContain('No lessons next week.');
});

/** Maya and Amira are in the group; Amira's place is cancelled. */
function openOneToOne(defaultFee: number, handlers: Parameters<typeof mockApi>[0] = {}) {
  const [seat] = sessionDetails().students;
  if (!seat) throw new Error('The fixture has no students');
  const maya = { ...seat, name: 'Maya Hale', fee: 2200 };
  const amira = { ...seat, studentId: 2, name: 'Amira Haddad', state: 'cancelled' as const };
  return openForm('/messages/new?oneToOne=12', {
    'GET /api/sessions/12': () =>
      json(200, sessionDetails({ id: 12, title: 'Year 11 maths', students: [amira, maya] })),
    'GET /api/sessions/12/students': () =>
      json(200, [
        student({ id: 2, name: 'Amira Haddad' }),
        student({
          contacts: [contact()],
          payers: [{ familyId: 3, contactId: 7, percent: 100, from: '2025-09-01' }],
        }),
      ]),
    'GET /api/rates': () => json(200, []),
    'GET /api/subjects': () =>
      json(200, [{ id: 1, name: 'Maths GCSE', defaultFee, currency: 'GBP', color: 'pine' }]),
    [SEND]: () => json(201, [result()]),
    ...handlers,
  });
}

test("a one-to-one fee is proposed in a message to the remaining student's family, which names only its own child", async () => {
  const { user, server } = openOneToOne(38);
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  expect(text.value).toContain(
    'Maya is the only student expected for Maths GCSE on Sunday 15 November at 4pm. I can teach the lesson one-to-one for £38 instead of £22.',
  );
  expect(text.value).not.toContain('Amira');
  expect(screen.getByLabelText<HTMLInputElement>(/^Subject/).value).toBe(
    "Maya's lesson on Sun 15 Nov",
  );
  await user.click(await screen.findByRole('button', { name: 'Send to Ruth Hale' }));
  await screen.findByRole('heading', { name: '1 message on its way' });
  expect(server.last(SEND)?.body).toMatchObject({ familyIds: [3], text: text.value });
  const writes = server.calls.filter(({ init }) => init.method !== 'GET').map(({ name }) => name);
  expect(new Set(writes)).toEqual(new Set([PREVIEW, SEND]));
});

test('without a known one-to-one fee, the message cannot be sent until the tutor enters one', async () => {
  const { user, server } = openOneToOne(22);
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  expect(text.value).toContain('one-to-one for £___ instead of £22.');
  await user.click(await screen.findByRole('button', { name: 'Send to Ruth Hale' }));
  expect(await screen.findByText('Please replace ___ in the text')).toBeTruthy();
  expect(server.count(SEND)).toBe(0);
  fireEvent.change(text, { target: { value: text.value.replace('___', '40') } });
  await user.click(screen.getByRole('button', { name: 'Send to Ruth Hale' }));
  await screen.findByRole('heading', { name: '1 message on its way' });
  expect(server.last(SEND)?.body).toMatchObject({
    text: expect.stringContaining('for £40 instead'),
  });
});
