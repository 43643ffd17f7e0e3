import type { PortalContact, PortalSettings } from '@lessonbook/contract/portal-management';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createDeferredReply, json, mockApi } from '../test/mock-api.ts';
import { portalLesson, portalLessons } from '../test/portal-fixtures.ts';
import { renderApp } from '../test/render-app.tsx';
import { selectOption } from '../test/select-option.ts';
import { ada } from '../test/user-fixtures.ts';

const SETTINGS = 'GET /api/settings/portal';
const CONTACTS = 'GET /api/settings/portal/contacts';
const OPEN = 'POST /api/settings/portal/open';
const CLOSE = 'POST /api/settings/portal/close';
const PREVIEW = 'GET /api/settings/portal/contacts/7/preview';
const SUSPENSION = 'PUT /api/settings/portal/contacts/7/suspension';
const BROWSERS = 'DELETE /api/settings/portal/contacts/7/browsers';
const OPENED_AT = '2026-11-14T09:00:00Z';

const everything = { seesLessons: true, seesPlace: true, seesNotes: true, seesMoney: true };
const nothing = { seesLessons: false, seesPlace: false, seesNotes: false, seesMoney: false };

const ruth: PortalContact = {
  id: 7,
  name: 'Ruth Hale',
  hasAddress: true,
  isSuspended: false,
  students: [
    { id: 1, name: 'Maya Hale', ...everything },
    { id: 2, name: 'Leo Hale', ...nothing, seesLessons: true },
  ],
  lastSeenAt: '2026-11-14T18:05:00Z',
  sharesAddress: false,
};

const david: PortalContact = {
  ...ruth,
  id: 8,
  name: 'David Hale',
  hasAddress: false,
  students: [{ id: 1, name: 'Maya Hale', ...nothing }],
  lastSeenAt: null,
};

const settings = (fields: Partial<PortalSettings> = {}): PortalSettings => ({
  openedAt: null,
  hasWhatsApp: false,
  noteEmailHour: 18,
  contactCounts: { total: 2, canSignIn: 1, withoutAddress: 0, sharingAddress: 0 },
  ...fields,
});

function openPage(data = settings(), handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [SETTINGS]: () => json(200, data),
    [CONTACTS]: () => json(200, [ruth, david]),
    [PREVIEW]: () => json(200, portalLessons({ lessons: [portalLesson()] })),
    ...handlers,
  });
  return { ...renderApp('/settings/family-portal'), server };
}

const openButton = () => screen.findByRole('button', { name: 'Open the family portal' });
const row = async (name: string) =>
  (await screen.findByRole('heading', { name: new RegExp(`^${name}`) })).closest(
    'li',
  ) as HTMLElement;

async function chooseFromMenu({ user }: ReturnType<typeof openPage>, name: string, item: string) {
  await user.click(
    within(await row(name)).getByRole('button', { name: `More options for ${name}` }),
  );
  await user.click(await screen.findByRole('menuitem', { name: item, hidden: true }));
}

test('the closed portal can be opened only after a preview', async () => {
  const { user, server } = openPage();
  expect(await screen.findByText(/^The family portal is closed/)).toBeTruthy();
  expect((await openButton()).hasAttribute('disabled')).toBe(true);
  await selectOption(
    user,
    await screen.findByRole('combobox', { name: 'Preview as' }),
    'Ruth Hale',
  );
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  const preview = await screen.findByRole('dialog', { name: 'Preview as Ruth Hale' });
  expect(await within(preview).findByText("Maths, at Ada's")).toBeTruthy();
  await user.click(within(preview).getByRole('button', { name: 'Close' }));
  const button = await openButton();
  expect(button.hasAttribute('disabled')).toBe(false);

  await user.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: 'Open the family portal?' }));
  expect(dialog.getByText(/^1 person will be able to sign in/)).toBeTruthy();
  expect(server.count(OPEN)).toBe(0);
  server.handlers[OPEN] = () => server.saved(SETTINGS, settings({ openedAt: OPENED_AT }));
  await user.click(dialog.getByRole('button', { name: 'Open the family portal' }));
  expect(await screen.findByText('Open since yesterday 09:00')).toBeTruthy();
  expect(server.count(OPEN)).toBe(1);
});

test('the portal cannot be opened after a preview that failed', async () => {
  const { user, server } = openPage();
  server.handlers[PREVIEW] = () => json(500, { message: 'No' });
  await selectOption(
    user,
    await screen.findByRole('combobox', { name: 'Preview as' }),
    'Ruth Hale',
  );
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByText("We couldn't load the preview.")).toBeTruthy();
  expect((await openButton()).hasAttribute('disabled')).toBe(true);
  server.handlers[PREVIEW] = () => json(200, portalLessons());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(async () => expect((await openButton()).hasAttribute('disabled')).toBe(false));
});

test('only people who can see something in the portal can be selected for the preview', async () => {
  const page = openPage(settings(), {
    'GET /api/settings/portal/contacts/8/preview': () => json(404, { message: 'No' }),
  });
  await page.user.click(await screen.findByRole('combobox', { name: 'Preview as' }));
  const list = await screen.findByRole('listbox', { name: 'Preview as', hidden: true });
  const options = await within(list).findAllByRole('option', { hidden: true });
  expect(options.map((option) => option.textContent)).toEqual(['Ruth Hale']);
  await chooseFromMenu(page, 'David Hale', 'Preview');
  expect(
    await screen.findByText("This person can't see anything in the family portal yet."),
  ).toBeTruthy();
  expect((await openButton()).hasAttribute('disabled')).toBe(true);
});

test('the confirmation warns about people who cannot sign in, or who would share a login', async () => {
  const contactCounts = { total: 2, canSignIn: 1, withoutAddress: 1, sharingAddress: 1 };
  const page = openPage(settings({ contactCounts }));
  await chooseFromMenu(page, 'Ruth Hale', 'Preview');
  const preview = await screen.findByRole('dialog', { name: 'Preview as Ruth Hale' });
  await within(preview).findByText("Maths, at Ada's");
  await page.user.click(within(preview).getByRole('button', { name: 'Close' }));
  await page.user.click(await openButton());
  const dialog = await screen.findByRole('dialog', { name: 'Open the family portal?' });
  expect(dialog.textContent).toContain("1 person has no email address, so they can't sign in.");
  expect(dialog.textContent).toContain(
    '1 person has the same email address as someone else, so they would share a login.',
  );
});

test('people are listed with what they see, their last visit and warnings', async () => {
  openPage(settings({ openedAt: OPENED_AT }), {
    [CONTACTS]: () => json(200, [ruth, { ...david, sharesAddress: true }]),
  });
  const first = await row('Ruth Hale');
  expect(first.textContent).toContain('Maya Hale: lessons, locations, notes and prices');
  expect(first.textContent).toContain('Leo Hale: lessons');
  expect(first.textContent).toContain('Last visit yesterday 18:05');
  expect(first.textContent).not.toContain('email address');
  const link = within(first).getByRole('link', { name: 'Maya Hale' });
  expect(link.getAttribute('href')).toBe('/students/1?tab=people');
  const second = await row('David Hale');
  expect(second.textContent).toContain('Maya Hale: nothing');
  expect(second.textContent).toContain("No email address, so they can't sign in.");
  expect(second.textContent).toContain('Another person has the same email address');
  expect(second.textContent).not.toContain('visit');
});

test('with WhatsApp, the page mentions phone numbers', async () => {
  const contactCounts = { total: 2, canSignIn: 1, withoutAddress: 1, sharingAddress: 1 };
  const page = openPage(settings({ hasWhatsApp: true, contactCounts }), {
    [CONTACTS]: () => json(200, [{ ...ruth, sharesAddress: true }, david]),
  });
  expect(await screen.findByText(/a code sent by email or WhatsApp/)).toBeTruthy();
  expect((await row('David Hale')).textContent).toContain(
    "No email address or phone number, so they can't sign in.",
  );
  expect((await row('Ruth Hale')).textContent).toContain(
    'Another person has the same email address or phone number',
  );
  await chooseFromMenu(page, 'Ruth Hale', 'Preview');
  const preview = await screen.findByRole('dialog', { name: 'Preview as Ruth Hale' });
  await within(preview).findByText("Maths, at Ada's");
  await page.user.click(within(preview).getByRole('button', { name: 'Close' }));
  await page.user.click(await openButton());
  const dialog = await screen.findByRole('dialog', { name: 'Open the family portal?' });
  expect(dialog.textContent).toContain(
    '1 person will be able to sign in with a code sent by email or WhatsApp, and see',
  );
  expect(dialog.textContent).toContain(
    "1 person has no email address or phone number, so they can't sign in.",
  );
});

test('the open portal shows its address and can be closed after a confirmation', async () => {
  const { user, server } = openPage(settings({ openedAt: OPENED_AT }));
  expect(await screen.findByText(`${window.location.origin}/family`)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close the portal' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Close the family portal?' }));
  expect(server.count(CLOSE)).toBe(0);
  server.handlers[CLOSE] = () => server.saved(SETTINGS, settings());
  await user.click(dialog.getByRole('button', { name: 'Close the portal' }));
  expect(await screen.findByText(/^The family portal is closed\. It's/)).toBeTruthy();
});

test('a person can be signed out everywhere', async () => {
  const page = openPage(settings({ openedAt: OPENED_AT }), { [BROWSERS]: () => json(200, {}) });
  await chooseFromMenu(page, 'Ruth Hale', 'Sign out everywhere');
  expect(await screen.findByText('Ruth Hale has been signed out everywhere')).toBeTruthy();
  expect(page.server.count(BROWSERS)).toBe(1);
});

test('a person can be suspended and have access restored', async () => {
  const page = openPage(settings({ openedAt: OPENED_AT }));
  const { server } = page;
  const save = (isSuspended: boolean) => () => {
    server.handlers[CONTACTS] = () => json(200, [{ ...ruth, isSuspended }, david]);
    return server.saved(SETTINGS, settings({ openedAt: OPENED_AT }));
  };
  server.handlers[SUSPENSION] = save(true);
  await chooseFromMenu(page, 'Ruth Hale', 'Suspend');
  expect(await screen.findByText('Suspended')).toBeTruthy();
  expect(server.last(SUSPENSION)?.body).toEqual({ isSuspended: true });
  server.handlers[SUSPENSION] = save(false);
  await chooseFromMenu(page, 'Ruth Hale', 'Restore access');
  await vi.waitFor(() => expect(screen.queryByText('Suspended')).toBeNull());
  expect(server.last(SUSPENSION)?.body).toEqual({ isSuspended: false });
});

test('the menu of a person without an email address has no item for signing out', async () => {
  const { user } = openPage(settings({ openedAt: OPENED_AT }));
  await user.click(within(await row('David Hale')).getByRole('button', { name: /^More/ }));
  expect(await screen.findByRole('menuitem', { name: 'Preview', hidden: true })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Sign out everywhere', hidden: true })).toBeNull();
});

test('F03 people are loaded in pages and found by name', async () => {
  const people = Array.from({ length: 60 }, (_, index) => ({
    ...ruth,
    id: index + 1,
    name: `Person ${index + 1}`,
  }));
  const contactCounts = { total: 60, canSignIn: 60, withoutAddress: 0, sharingAddress: 0 };
  const { user, server } = openPage(settings({ openedAt: OPENED_AT, contactCounts }), {
    [CONTACTS]: ({ url }) => {
      const { searchParams } = new URL(url, window.location.origin);
      const search = searchParams.get('search');
      if (search) return json(200, search === 'nora' ? [{ ...ruth, name: 'Nora Hale' }] : []);
      const offset = Number(searchParams.get('offset'));
      return json(200, people.slice(offset, offset + Number(searchParams.get('limit'))));
    },
  });
  await row('Person 50');
  expect(screen.queryByRole('heading', { name: 'Person 51' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await row('Person 60');
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await user.type(screen.getByRole('searchbox', { name: 'Search people' }), 'nora');
  await row('Nora Hale');
  expect(screen.queryByRole('heading', { name: 'Person 1' })).toBeNull();
  await user.type(screen.getByRole('searchbox', { name: 'Search people' }), ' x');
  expect(await screen.findByText('No results for “nora x”')).toBeTruthy();
  expect(server.count(CONTACTS)).toBe(4);
});

test('without students, the page links to the students page', async () => {
  const contactCounts = { total: 0, canSignIn: 0, withoutAddress: 0, sharingAddress: 0 };
  openPage(settings({ contactCounts }), { [CONTACTS]: () => json(200, []) });
  const link = await screen.findByRole('link', { name: 'Go to Students' });
  expect(link.getAttribute('href')).toBe('/students');
  expect(screen.queryByRole('button', { name: 'Open the family portal' })).toBeNull();
});

test('the page shows that it is loading, and an error that can be retried', async () => {
  const { handler, reply } = createDeferredReply();
  const { user, server } = openPage(settings(), { [SETTINGS]: handler });
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
  await vi.waitFor(() => expect(server.count(SETTINGS)).toBe(1));
  reply(json(500, { message: 'No' }));
  expect(await screen.findByText("We couldn't load the family portal.")).toBeTruthy();
  server.handlers[SETTINGS] = () => json(200, settings());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await openButton()).toBeTruthy();
});

test('the tutor can choose when notes are emailed, or send no emails', async () => {
  const NOTE_EMAILS = 'PUT /api/settings/portal/note-emails';
  const { user, server } = openPage(settings({ openedAt: OPENED_AT }), {
    [NOTE_EMAILS]: ({ body }) => {
      const { hour } = body as { hour: number | null };
      return server.saved(SETTINGS, settings({ openedAt: OPENED_AT, noteEmailHour: hour }));
    },
  });
  const field = () => screen.findByRole('combobox', { name: 'Send new notes at' });
  expect(((await field()) as HTMLInputElement).value).toBe('6pm');
  await selectOption(user, await field(), '8pm');
  await vi.waitFor(() => expect(server.last(NOTE_EMAILS)?.body).toEqual({ hour: 20 }));
  await selectOption(user, await field(), "Don't email notes");
  await vi.waitFor(() => expect(server.last(NOTE_EMAILS)?.body).toEqual({ hour: null }));
});
