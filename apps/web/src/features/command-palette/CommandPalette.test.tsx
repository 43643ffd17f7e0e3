import type { Student } from '@lessonbook/contract/students';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { family, paymentFormData } from '../../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { sessionRow } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';

const student = (id: number, name: string): Student => ({
  id,
  name,
  phone: null,
  email: null,
  subject: null,
  notes: null,
  carerId: null,
  carerName: null,
  carerRelationship: null,
  carerPhone: null,
  carerEmail: null,
  familyId: 3,
  contacts: [],
  payers: [],
});

const maths = {
  id: 1,
  name: 'Maths',
  description: null,
  defaultFee: 35,
  currency: 'GBP',
  color: 'pine',
};

async function openPalette(by: 'key' | 'button' = 'key') {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
    'GET /api/students': () => json(200, [student(1, 'Maya Okafor'), student(2, 'Zoë Brontë')]),
    'GET /api/subjects': () => json(200, [maths]),
    'GET /api/families': () => json(200, [family()]),
    'GET /api/sessions/due': () => json(200, []),
    'GET /api/payments/form': () => json(200, paymentFormData()),
    'GET /api/notifications': () => json(200, { notifications: [], unread: 0 }),
  });
  const app = renderApp('/notifications');
  await screen.findByRole('heading', { level: 1, name: 'Notifications' });
  const [opener] = screen.getAllByRole('button', { name: /^Search/ });
  opener?.focus();
  if (by === 'key') await app.user.keyboard('{Control>}k{/Control}');
  else await app.user.click(opener as HTMLElement);
  const dialog = await screen.findByRole('dialog', { name: 'Search' });
  const field = within(dialog).getByRole('combobox', { name: 'Search' });
  await within(dialog).findByRole('option', { name: 'Zoë Brontë' });
  await vi.waitFor(() => expect(document.activeElement).toBe(field));
  return { ...app, server, opener, dialog, field };
}

const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const activeOption = () => screen.getByRole('option', { selected: true }).textContent;
const waitUntilClosed = () =>
  vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull());

test('arrow keys wrap around, Home and End work, and the active option is announced', async () => {
  const { user, field } = await openPalette();
  expect(options().slice(0, 7)).toEqual([
    'New lessonPut a lesson in the book',
    'Record payment',
    'New student',
    'New invoice',
    'Time offDays without lessons',
    'Catch upTick off what was taught',
    'Home',
  ]);
  expect(activeOption()).toContain('New lesson');
  await user.keyboard('{ArrowUp}');
  expect(activeOption()).toBe('Zoë Brontë');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(activeOption()).toBe('Record payment');
  await user.keyboard('{End}');
  expect(activeOption()).toBe('Zoë Brontë');
  await user.keyboard('{Home}');
  const active = field.getAttribute('aria-activedescendant');
  expect(document.getElementById(active ?? '')?.textContent).toContain('New lesson');
});

test('Escape restores the focus, and the number of results is announced', async () => {
  const { user, opener, dialog } = await openPalette('button');
  const status = within(dialog).getByRole('status');
  await user.keyboard('zoe');
  expect(status.textContent).toBe('1 result');
  await user.keyboard('{Escape}');
  await waitUntilClosed();
  expect(document.activeElement).toBe(opener);
});

test('the shortcut that opens the palette also closes it', async () => {
  const { user, opener } = await openPalette();
  await user.keyboard('{Control>}k{/Control}');
  await waitUntilClosed();
  expect(document.activeElement).toBe(opener);
});

test('a hint is shown when there are no results', async () => {
  const { user } = await openPalette();
  await user.keyboard('xyzzy');
  expect(screen.getByText(/Nothing by the name of “xyzzy”. Try a student/)).toBeTruthy();
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{Enter}{ArrowDown}');
  expect(screen.getByRole('dialog', { name: 'Search' })).toBeTruthy();
});

test('a page command navigates and leaves the focus to the page heading', async () => {
  const { user, pathname } = await openPalette();
  await user.keyboard('password{Enter}');
  await vi.waitFor(() => expect(pathname()).toBe('/settings/security'));
  await waitUntilClosed();
  expect(document.activeElement).toBe(document.body);
});

test('a lesson typed in natural language opens the prefilled dialog and saves nothing', async () => {
  const { user, opener, server } = await openPalette();
  await user.keyboard('maya maths tue 4 weekly foo');
  expect(options()[0]).toBe(
    'Maya Okafor, Maths, Tue 17 Nov 16:00–17:00, every week, £35' +
      'Opens as a new lesson, nothing is saved yet. I took 4 to be in the afternoon. I did not understand “foo”.',
  );
  await user.keyboard('{Enter}');
  const form = within(await screen.findByRole('dialog', { name: 'Add New Lesson' }));
  const value = (label: string | RegExp) => form.getByLabelText<HTMLInputElement>(label).value;
  await vi.waitFor(() => expect(form.getByDisplayValue('Maya Okafor')).toBeTruthy());
  expect(form.getByDisplayValue('Maths')).toBeTruthy();
  expect(value(/Lesson Title/)).toBe('Maya Okafor - Maths');
  expect(form.getByDisplayValue('16:00')).toBeTruthy();
  expect(form.getByDisplayValue('17:00')).toBeTruthy();
  expect(value('Fee')).toBe('35');
  expect(form.getByText(/^Next: Tue 24 Nov/)).toBeTruthy();
  expect(server.calls.every(({ init }) => init.method === 'GET')).toBe(true);
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  await vi.waitFor(() => expect(document.activeElement).toBe(opener));
});

test('recording a payment asks for the payer and then for the amount', async () => {
  const { user } = await openPalette();
  await user.keyboard('record{Enter}');
  expect(await screen.findByPlaceholderText('Whose payment is it?')).toBeTruthy();
  expect(options()).toEqual(['Ruth HaleMaya and Leo, owes £65']);
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Record payment' })).toBeTruthy();
});

test('a student opens in a dialog, and a family opens on its own page', async () => {
  const { user, pathname } = await openPalette();
  await user.keyboard('hale{Enter}');
  await vi.waitFor(() => expect(pathname()).toBe('/families/3'));
  await waitUntilClosed();
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('option', { name: 'Zoë Brontë' });
  await user.keyboard('bront{Enter}');
  const form = within(await screen.findByRole('dialog', { name: 'Edit Student' }));
  expect(form.getByDisplayValue('Zoë Brontë')).toBeTruthy();
});

test('Catch up opens the oldest due lesson, or reports that there are none', async () => {
  const { user, pathname, server } = await openPalette();
  await user.keyboard('catch{Enter}');
  expect(await screen.findByText('Nothing to tick off')).toBeTruthy();
  expect(pathname()).toBe('/notifications');
  await waitUntilClosed();
  server.handlers['GET /api/sessions/due'] = () => json(200, [sessionRow({ id: 9, lessonId: 4 })]);
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('option', { name: 'Zoë Brontë' });
  await user.keyboard('catch{Enter}');
  await vi.waitFor(() => expect(pathname()).toBe('/lessons/4/complete'));
});

test('the palette does not open over a dialog', async () => {
  const { user } = await openPalette();
  await user.keyboard('new stud{Enter}');
  await screen.findByRole('dialog', { name: 'Add New Student' });
  await waitUntilClosed();
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull();
});

test('a failed request is reported, and the other commands can still be found', async () => {
  const { user, server, queryClient } = await openPalette();
  server.handlers['GET /api/families'] = () => json(500, {});
  await queryClient.invalidateQueries({ queryKey: ['/api/families'] });
  expect(await screen.findByText(/students and families could not be loaded/)).toBeTruthy();
  await user.keyboard('invoices');
  expect(options()[0]).toBe('Invoices');
});

test('keys typed while the palette loads appear only in its field', async () => {
  mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
    'GET /api/students': () => json(200, [student(1, 'Maya Okafor')]),
    'GET /api/subjects': () => json(200, [maths]),
    'GET /api/families': () => json(200, [family()]),
  });
  const { user } = renderApp('/schedule?view=students');
  await screen.findByRole('heading', { level: 1, name: 'Students' });
  await user.keyboard('{Control>}k{/Control}mayq{Backspace}a ok');
  const dialog = await screen.findByRole('dialog', { name: 'Search' });
  const field = within(dialog).getByRole<HTMLInputElement>('combobox', { name: 'Search' });
  await vi.waitFor(() => expect(field.value).toBe('maya ok'));
});
