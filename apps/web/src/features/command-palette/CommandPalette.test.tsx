import type { SearchResults } from '@lessonbook/contract/search';
import type { Student } from '@lessonbook/contract/students';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { family, paymentFormData } from '../../test/family-and-payment-fixtures.ts';
import { json, mockApi, type RecordedCall } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { sessionRow } from '../../test/session-fixtures.ts';
import { student as studentFixture } from '../../test/student-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';

const student = (id: number, name: string): Student => studentFixture({ id, name, familyId: 3 });

const maths = {
  id: 1,
  name: 'Maths',
  description: null,
  defaultFee: 35,
  currency: 'GBP',
  color: 'pine',
};

const NOTHING: SearchResults = {
  students: [],
  contacts: [],
  families: [],
  lessons: [],
  invoices: [],
  payments: [],
  subjects: [],
  date: null,
};

const found = {
  zoe: {
    id: 2,
    name: 'Zoë Brontë',
    subject: null,
    carerName: null,
    familyId: 3,
    isArchived: false,
  },
  ruth: {
    id: 3,
    name: 'Ruth Hale',
    students: ['Maya Hale', 'Leo Hale'],
    owed: [{ currency: 'GBP' as const, amount: 6500 }],
  },
};

/** The server's results by search text. Any other text has no results. */
const replies: Record<string, Partial<SearchResults>> = {
  zoe: { students: [found.zoe] },
  bront: { students: [found.zoe] },
  hale: {
    families: [found.ruth],
    contacts: [
      {
        id: 8,
        name: 'Otto Hale',
        relationship: 'Uncle',
        students: [{ id: 1, name: 'Maya Okafor', isArchived: false }],
      },
    ],
    invoices: [
      {
        id: 7,
        kind: 'invoice',
        number: 'INV-0007',
        state: 'overdue',
        familyName: 'Ruth Hale',
        currency: 'GBP',
        total: 6500,
        due: 6500,
        holdReason: null,
        dueOn: '2026-11-10',
      },
    ],
    payments: [
      {
        id: 9,
        kind: 'payment',
        familyId: 3,
        familyName: 'Ruth Hale',
        amount: 3500,
        currency: 'GBP',
        method: 'bank_transfer',
        paidOn: '2026-11-12',
      },
    ],
  },
  tuesday: {
    date: '2026-11-17',
    lessons: [
      {
        id: 21,
        lessonId: 4,
        title: 'Maya Okafor - Maths',
        date: '2026-11-17',
        startTime: '16:00',
        endTime: '17:00',
        status: 'scheduled',
      },
    ],
  },
  algebra: { subjects: [{ id: 1, name: 'Algebra' }] },
};

const searchText = ({ url }: RecordedCall) => new URL(url, 'http://x').searchParams.get('q') ?? '';
const replyTo = (text: string) => json(200, { ...NOTHING, ...replies[text] });

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
    'GET /api/search': (call) => replyTo(searchText(call)),
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
const optionsIn = (group: HTMLElement) =>
  within(group)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
const activeOption = () => screen.getByRole('option', { selected: true }).textContent;
const waitUntilClosed = () =>
  vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull());

test('arrow keys wrap around, Home and End work, and the active option is announced', async () => {
  const { user, field } = await openPalette();
  expect(options().slice(0, 7)).toEqual([
    'New lessonAdd a lesson to your schedule',
    'Record payment',
    'New student',
    'New invoice',
    'Time offDays without lessons',
    'Complete lessonsMark past lessons as complete',
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

test('Escape restores focus, and the number of results is announced', async () => {
  const { user, opener, dialog } = await openPalette('button');
  const status = within(dialog).getByRole('status');
  await user.keyboard('zoe');
  await vi.waitFor(() => expect(status.textContent).toBe('1 result'));
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
  expect(await screen.findByText(/^No results for “xyzzy”. Try a name, a date/)).toBeTruthy();
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{Enter}{ArrowDown}');
  expect(screen.getByRole('dialog', { name: 'Search' })).toBeTruthy();
});

test('a page command navigates and lets the page heading receive focus', async () => {
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
      "Opens a new lesson. Nothing is saved yet. We've read 4 as 16:00. We didn't understand “foo”.",
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

test('F118 text about cancelling or moving a lesson opens that lesson instead of a new one', async () => {
  const session = sessionRow({ id: 12, date: '2026-11-16', studentId: 1 });
  const { user, pathname, server } = await openPalette();
  server.handlers['GET /api/sessions'] = () => json(200, [session]);
  await user.keyboard('cancel maya tomorrow');
  expect(options()[0]).toBe(
    'Cancel Maya Okafor, Mon 16 NovOpens the lesson. Nothing has changed yet.',
  );
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(pathname()).toBe('/sessions/12'));
  expect(server.last('GET /api/sessions')?.url).toContain('from=2026-11-16&to=2026-11-16');
});

test('F118 a name that is not known yet can be added as a student', async () => {
  const { user } = await openPalette();
  await user.keyboard('Add Olivia');
  expect(options()[0]).toBe('Add OliviaOpens a new student. Nothing is saved yet.');
  await user.keyboard('{Enter}');
  const form = within(await screen.findByRole('dialog', { name: 'Add New Student' }));
  expect(form.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Olivia');
});

test('recording a payment asks for the payer and then for the amount', async () => {
  const { user } = await openPalette();
  await user.keyboard('record{Enter}');
  expect(await screen.findByPlaceholderText('Who paid?')).toBeTruthy();
  await screen.findByRole('option', { name: /^Ruth Hale/ });
  expect(options()).toEqual(['Ruth HaleMaya and Leo, owes £65']);
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Record payment' })).toBeTruthy();
});

test('a student opens in a dialog, and a family opens on its own page', async () => {
  const { user, pathname } = await openPalette();
  await user.keyboard('hale');
  await screen.findByRole('option', { name: /^Ruth Hale/ });
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(pathname()).toBe('/families/3'));
  await waitUntilClosed();
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('option', { name: 'Zoë Brontë' });
  await user.keyboard('bront');
  await vi.waitFor(() => expect(options()).toEqual(['Zoë Brontë']));
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(pathname()).toBe('/students/2'));
});

test('Complete lessons opens the oldest due lesson, or reports that there are none', async () => {
  const { user, pathname, server } = await openPalette();
  await user.keyboard('catch{Enter}');
  expect(await screen.findByText("You're all caught up")).toBeTruthy();
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

test('F141 results are shown in groups, and each can be reached with the keyboard', async () => {
  const { user, dialog } = await openPalette();
  await user.keyboard('hale');
  await screen.findByRole('option', { name: /^INV-0007/ });
  const groups = within(dialog)
    .getAllByRole('group')
    .map((group) => [group.firstChild?.textContent, ...optionsIn(group)]);
  expect(groups).toEqual([
    ['Families', 'Ruth HaleMaya and Leo, owes £65'],
    ['Contacts', 'Otto HaleUncle of Maya'],
    ['Invoices', 'INV-0007Ruth Hale, £65, Overdue, due Tue 10 Nov'],
    ['Payments', '£35 paymentRuth Hale, Thu 12 Nov, Bank transfer'],
  ]);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(activeOption()).toContain('INV-0007');
});

test.each([
  ['hale', /^INV-0007/, '/invoices/7', {}],
  ['hale', /^£35 payment/, '/families/3', { payment: 9 }],
  ['tuesday', /^Maya Okafor - Maths/, '/sessions/21', {}],
  ['tuesday', /^All lessons on Tue 17 Nov/, '/sessions', { date: '2026-11-17' }],
  ['algebra', /^Algebra/, '/schedule', { view: 'subjects' }],
])('F141 for %j, the result %s opens %s', async (text, name, path, search) => {
  const { user, pathname, search: currentSearch } = await openPalette();
  await user.keyboard(text);
  await user.click(await screen.findByRole('option', { name }));
  await vi.waitFor(() => expect(pathname()).toBe(path));
  expect(currentSearch()).toMatchObject(search);
});

test('F107 F141 a contact opens the page of the student they belong to', async () => {
  const { user, pathname, search } = await openPalette();
  await user.keyboard('hale');
  await user.click(await screen.findByRole('option', { name: /^Otto Hale/ }));
  await vi.waitFor(() => expect(pathname()).toBe('/students/1'));
  expect(search()).toEqual({ tab: 'people' });
});

test('F141 pages and actions come first if their name starts with the text, and "log out" logs out', async () => {
  const { user, server } = await openPalette();
  replies['log out'] = { students: [{ ...found.zoe, name: 'Logan Outer' }] };
  server.handlers['POST /api/logout'] = () => json(200, { message: 'Logged out' });
  await user.keyboard('log out');
  await screen.findByRole('option', { name: /^Logan Outer/ });
  expect(options()[0]).toBe('Log out');
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(server.count('POST /api/logout')).toBe(1));
  delete replies['log out'];
});

test('F141 while a new text is being searched for, earlier results stay only if they contain it, and the old request is aborted', async () => {
  const { user, server, dialog } = await openPalette();
  replies['z'] = { students: [found.zoe, { ...found.zoe, id: 5, name: 'Zara Khan' }] };
  await user.keyboard('z');
  await screen.findByRole('option', { name: 'Zara Khan' });
  const pending = Promise.withResolvers<Response>();
  server.handlers['GET /api/search'] = () => pending.promise;
  await user.keyboard('o');
  await vi.waitFor(() => expect(server.last('GET /api/search')?.url).toContain('q=zo'));
  expect(options()[0]).toBe('Zoë Brontë');
  expect(options()).not.toContain('Zara Khan');
  expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('true');
  const { signal } = (server.last('GET /api/search') as RecordedCall).init;
  server.handlers['GET /api/search'] = (call) => replyTo(searchText(call));
  await user.keyboard('e');
  await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  const status = within(dialog).getByRole('status');
  await vi.waitFor(() => expect(status.textContent).toBe('1 result'));
  expect(options()).toEqual(['Zoë Brontë']);
  delete replies['z'];
});

test('F141 results that arrive later do not change which option is active', async () => {
  const { user, server } = await openPalette();
  const pending = Promise.withResolvers<Response>();
  server.handlers['GET /api/search'] = () => pending.promise;
  await user.keyboard('pay');
  await user.keyboard('{ArrowDown}');
  const active = activeOption();
  pending.resolve(json(200, { ...NOTHING, students: [{ ...found.zoe, name: 'Pay' }] }));
  await vi.waitFor(() => expect(options()[0]).toBe('Pay'));
  expect(activeOption()).toBe(active);
});

test('F141 fast typing sends one request immediately and one for the complete text', async () => {
  const { user, server } = await openPalette();
  await user.keyboard('hale');
  await screen.findByRole('option', { name: /^Ruth Hale/ });
  expect(server.count('GET /api/search')).toBeLessThan(4);
});

test('F141 without the server, pages and actions are still found, and the reason is shown', async () => {
  const { user, server } = await openPalette();
  server.handlers['GET /api/search'] = () => Promise.reject(new TypeError('Failed to fetch'));
  await user.keyboard('invoices');
  expect(await screen.findByText(/only pages and actions are shown/)).toBeTruthy();
  expect(options()[0]).toBe('Invoices');
});

test('text typed while the palette is loading appears only in its search field', async () => {
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
