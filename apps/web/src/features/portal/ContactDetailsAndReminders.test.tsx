import type { PortalContactDetails } from '@lessonbook/contract/portal-contact-details';
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDeferredReply, json, mockApi } from '../../test/mock-api.ts';
import {
  adaAsTutor,
  contactDetails,
  portalAgreement,
  portalBrowsers,
  portalLogin,
  tomAsTutor,
} from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const PATH = '/family/c_ada_1234567/details';
const API = '/api/portal/tutors/c_ada_1234567';
const LOGIN = 'GET /api/portal/login';
const DETAILS = `GET ${API}/details`;
const AGREEMENT = `GET ${API}/agreement`;
const SEND_CODE = `POST ${API}/email-codes`;
const CHANGE_EMAIL = `PUT ${API}/email`;
const CHANGE_PHONE = `PUT ${API}/phone`;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

function openDetails(
  details: Partial<PortalContactDetails> = {},
  handlers: Parameters<typeof mockApi>[0] = {},
  url = PATH,
) {
  const server = mockApi({
    [LOGIN]: () => json(200, portalLogin()),
    [DETAILS]: () => json(200, contactDetails(details)),
    'GET /api/portal/browsers': () => json(200, portalBrowsers),
    [AGREEMENT]: () => json(200, portalAgreement()),
    ...handlers,
  });
  return { ...renderPortal(url), server };
}

const rowsOf = (heading: string) => {
  const section = screen.getByRole('heading', { name: heading }).parentElement as HTMLElement;
  return within(section)
    .getAllByRole('listitem')
    .map((row) => row.textContent);
};

test('shows the contact details, the reminders and the browsers', async () => {
  openDetails();
  await screen.findByText('Ruth Hale');
  expect(rowsOf('Your contact details')).toEqual([
    'Ruth HaleMother of Maya and Leo. You pay the invoices',
    'ruth@families.exampleEmail, used to sign inChange',
    '07700 900 118MobileChange',
  ]);
  expect(rowsOf('Reminders')).toEqual([
    'Lesson remindersThe day before, by email',
    'Payment remindersOnly when something is unpaid',
    'Also by WhatsAppTo 07700 900 118. Stop any time',
  ]);
  expect(rowsOf('Signed-in browsers')).toEqual([
    'Safari on iPhoneSigned in since Tue 10 NovThis browser',
    'Firefox on WindowsLast used yesterday at 6:30pmSign out',
  ]);
  expect(screen.getByText('Invoices and changes to lessons are always sent.')).toBeTruthy();
});

test('shows the details of a person who signs in by phone number, pays nothing and gets no reminders', async () => {
  const login = portalLogin({ address: '+447700900118' });
  const details = { relationship: null, isPayer: false, email: null, reminders: [] };
  openDetails(details, { [LOGIN]: () => json(200, login) });
  await screen.findByText('Ruth Hale');
  expect(rowsOf('Your contact details')).toEqual([
    'Ruth HaleContact of Maya and Leo',
    'None yetEmailAdd',
    '07700 900 118Mobile, used to sign inChange',
  ]);
  expect(screen.queryByRole('heading', { name: 'Reminders' })).toBeNull();
});

test.each([
  [60, 'An hour before, by email'],
  [2880, '2 days before, by email'],
  [null, 'Before each lesson, by email'],
])('a reminder lead of %s minutes is shown in words', async (reminderLead, text) => {
  openDetails({ reminderLead });
  expect(await screen.findByText(text)).toBeTruthy();
});

test('a reminder is switched off at once, and back on if that cannot be saved', async () => {
  const { server } = openDetails();
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: 'Lesson reminders' });
  const failing = createDeferredReply();
  server.handlers[`PUT ${API}/reminders`] = failing.handler;
  fireEvent.click(toggle);
  await vi.waitFor(() => expect(toggle.checked).toBe(false));
  failing.reply(json(500, {}));
  expect(await screen.findByText("We couldn't save that. Please try again.")).toBeTruthy();
  await vi.waitFor(() => expect(toggle.checked).toBe(true));
  const off = contactDetails({
    reminders: [{ kind: 'lesson_reminder', isOn: false, canChange: true }],
  });
  server.handlers[`PUT ${API}/reminders`] = () => server.saved(DETAILS, off);
  fireEvent.click(toggle);
  await vi.waitFor(() => expect(screen.getAllByRole('switch')).toHaveLength(1));
  expect(toggle.checked).toBe(false);
  expect(server.last(`PUT ${API}/reminders`)?.body).toEqual({
    kind: 'lesson_reminder',
    isOn: false,
  });
});

test('WhatsApp cannot be switched on after STOP', async () => {
  openDetails({ reminders: [{ kind: 'whatsapp', isOn: false, canChange: false }] });
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: 'Also by WhatsApp' });
  expect(toggle.disabled).toBe(true);
  expect(screen.getByText(/^You replied STOP/)).toBeTruthy();
});

test('the phone number changes at once; an invalid one is explained', async () => {
  const { user, server } = openDetails();
  await user.click(await screen.findByRole('button', { name: 'Change phone number' }));
  const sheet = screen.getByRole('dialog', { name: 'Change phone number' });
  await user.click(within(sheet).getByRole('button', { name: 'Save number' }));
  expect(await within(sheet).findByText('Please enter your phone number')).toBeTruthy();
  const message = 'This number is too short';
  server.handlers[CHANGE_PHONE] = () => json(400, { message, fields: { phone: message } });
  await user.type(within(sheet).getByLabelText('New phone number'), '0770');
  await user.click(within(sheet).getByRole('button', { name: 'Save number' }));
  expect(await within(sheet).findByText(message)).toBeTruthy();
  server.handlers[CHANGE_PHONE] = () =>
    server.saved(DETAILS, contactDetails({ phone: '+447700900119' }));
  await user.type(within(sheet).getByLabelText('New phone number'), '0900119');
  await user.click(within(sheet).getByRole('button', { name: 'Save number' }));
  expect(await screen.findByText('07700 900 119')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByText('Phone number changed')).toBeTruthy();
});

test('a new email address is confirmed with a code', async () => {
  const { user, server } = openDetails();
  await user.click(await screen.findByRole('button', { name: 'Change email address' }));
  const sheet = screen.getByRole('dialog', { name: 'Change email address' });
  expect(within(sheet).queryByRole('checkbox')).toBeNull();
  server.handlers[SEND_CODE] = () => json(202, { requestId: 'request-1' });
  await user.type(within(sheet).getByLabelText('New email address'), 'new@families.example{Enter}');
  const code = await screen.findByLabelText('6-digit code');
  expect(screen.getByText('new@families.example')).toBeTruthy();
  const message = "That code isn't right or no longer works. Check it, or send a new code.";
  server.handlers[CHANGE_EMAIL] = () => json(400, { message, fields: { code: message } });
  await user.type(code, '123 456{Enter}');
  expect(await screen.findByText(message)).toBeTruthy();
  server.handlers[LOGIN] = () => json(200, portalLogin({ address: 'new@families.example' }));
  server.handlers[CHANGE_EMAIL] = () =>
    server.saved(DETAILS, contactDetails({ email: 'new@families.example' }));
  await user.click(screen.getByRole('button', { name: 'Confirm address' }));
  expect(await screen.findByText('Email address changed')).toBeTruthy();
  expect(rowsOf('Your contact details')[1]).toContain('new@families.example');
  expect(server.last(CHANGE_EMAIL)?.body).toEqual({
    requestId: 'request-1',
    code: '123456',
    atAllTutors: false,
  });
});

test("another contact's address is rejected in the sheet, and a different one can be entered", async () => {
  const { user, server } = openDetails();
  await user.click(await screen.findByRole('button', { name: 'Change email address' }));
  server.handlers[SEND_CODE] = () => json(202, { requestId: 'request-1' });
  await user.type(screen.getByLabelText('New email address'), 'tom@families.example{Enter}');
  const message = 'Ada Fenwick already has this address for another contact.';
  server.handlers[CHANGE_EMAIL] = () => json(409, { code: 'conflict', message });
  await user.type(await screen.findByLabelText('6-digit code'), '123456{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  await user.click(screen.getByRole('button', { name: 'Use another address' }));
  expect(screen.getByLabelText<HTMLInputElement>('New email address').value).toBe(
    'tom@families.example',
  );
});

test('with several tutors, the address is changed for one or for all', async () => {
  const login = portalLogin({ tutors: [adaAsTutor, tomAsTutor] });
  const { user, server } = openDetails({}, { [LOGIN]: () => json(200, login) });
  await user.click(await screen.findByRole('button', { name: 'Change email address' }));
  await user.click(screen.getByRole('checkbox', { name: /^Change it for Tom Bellamy too/ }));
  server.handlers[SEND_CODE] = () => json(202, { requestId: 'request-1' });
  await user.type(screen.getByLabelText('New email address'), 'new@families.example');
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  server.handlers[CHANGE_EMAIL] = () => server.saved(DETAILS, contactDetails());
  await user.type(await screen.findByLabelText('6-digit code'), '123456{Enter}');
  await screen.findByText('Email address changed');
  expect(server.last(CHANGE_EMAIL)?.body).toMatchObject({ atAllTutors: true });
});

test('a person with several tutors who has chosen none sees the address and the browsers', async () => {
  const login = portalLogin({ tutors: [adaAsTutor, tomAsTutor] });
  openDetails({}, { [LOGIN]: () => json(200, login) }, '/family/details');
  expect(await screen.findByRole('heading', { name: 'Signed in as' })).toBeTruthy();
  expect(screen.getByText('ruth@families.example')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Your contact details' })).toBeNull();
});
