import type { FamilyListItem } from '@lessonbook/contract/families';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  familyDetails,
  familyListItem,
  paymentFormData,
} from '../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { selectOption } from '../test/select-option.ts';
import { ada } from '../test/user-fixtures.ts';

const GET = 'GET /api/families';

afterEach(() => vi.restoreAllMocks());

const useDesktop = () =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        media,
        matches: media.includes('min-width'),
        addEventListener: () => {},
        removeEventListener: () => {},
      }) as unknown as MediaQueryList,
  );

async function openFamilies(list: FamilyListItem[], search = '') {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(200, list),
    'GET /api/families/3': () => json(200, familyDetails()),
    'GET /api/families/3/reminders': () =>
      json(200, { stoppedKinds: [], hasStoppedWhatsApp: false }),
  });
  const app = renderApp(`/families${search}`);
  await screen.findByRole('heading', { name: 'Families', level: 1 });
  return { ...app, server };
}

const paidUp = (name: string, id: number): FamilyListItem =>
  familyListItem({
    id,
    name,
    students: [name],
    children: [{ id: 100 + id, name }],
    balances: [],
    oldestDueDate: null,
    nextLesson: null,
    due: [],
  });
const notInvoiced = familyListItem({
  id: 4,
  name: 'Joanne Whitfield',
  students: ['Jack Whitfield'],
  children: [{ id: 9, name: 'Jack Whitfield' }],
  balances: [{ currency: 'GBP', owed: 3800, credit: 0 }],
  due: [
    {
      currency: 'GBP',
      overdue: 0,
      overdueSince: null,
      dueOn: null,
      uninvoiced: 3800,
      withoutDueDate: 3800,
    },
  ],
});
const inCredit = {
  ...paidUp('Zoe', 5),
  balances: [{ currency: 'EUR' as const, owed: 0, credit: 500 }],
};
const all = [paidUp('Ana', 1), notInvoiced, familyListItem(), inCredit];

const pill = (name: string) => screen.getByRole('button', { name });
const phoneRows = () =>
  screen.getAllByRole('listitem').flatMap((item) => {
    const link = within(item).queryByRole('link');
    return link?.getAttribute('href')?.startsWith('/families/') ? [link.textContent] : [];
  });
const tableRows = () =>
  within(screen.getByRole('table', { name: 'Families' }))
    .getAllByRole('row')
    .slice(1, -1)
    .map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim()).join(' | '),
    );

test('[PROD-08] F135 a phone shows the children, the next lesson and why the balance is due, overdue first', async () => {
  await openFamilies(all);
  await screen.findByText('Ruth Hale');
  expect(phoneRows()).toEqual([
    'RHRuth Hale Leo and Maya. Today 16:30 £65 £35 overdue by 12 days ',
    'JWJoanne Whitfield Jack. Today 16:30 £38 Not invoiced yet ',
    'AAna  Nothing due ',
    'ZZoe  €5 in credit  ',
  ]);
  expect(screen.getByText('4 families')).toBeTruthy();
});

test('F135 the filters have counts and are in the URL, and the total due is shown', async () => {
  const { user, search } = await openFamilies(all);
  await screen.findByText('Ruth Hale');
  expect(screen.getByText(/due in total/).textContent).toBe('£103 due in total, £35 overdue');
  expect(pill('All 4').getAttribute('aria-pressed')).toBe('true');
  await user.click(pill('Not invoiced 2'));
  expect(phoneRows()).toHaveLength(2);
  expect(search()).toEqual({ show: 'uninvoiced' });
  await user.click(pill('In credit 1'));
  expect(phoneRows()).toHaveLength(1);
  await user.click(pill('All 4'));
  expect(search()).toEqual({});
});

test('F135 the search is in the URL, and can be cleared if nothing matches', async () => {
  const { user, search } = await openFamilies(all, '?q=leo');
  await screen.findByText('Ruth Hale');
  expect(phoneRows()).toHaveLength(1);
  await user.type(screen.getByLabelText('Find a family'), 'x');
  await vi.waitFor(() => expect(search()).toEqual({ q: 'leox' }));
  expect(screen.getByText(/No families match/)).toBeTruthy();
  await user.click(pill('Clear filters'));
  expect(phoneRows()).toHaveLength(4);
});

test('F135 on a desktop the families are a table that can be sorted', async () => {
  useDesktop();
  const { user, search } = await openFamilies(all);
  await screen.findByText('4 families');
  expect(tableRows()).toEqual([
    'RHRuth Hale | Leo, Maya | Today 16:30 | £65 £35 overdue by 12 days',
    'JWJoanne Whitfield | Jack | Today 16:30 | £38 Not invoiced yet',
    'AAna |  |  | Nothing due',
    'ZZoe |  |  | €5 in credit',
  ]);
  await user.click(screen.getByRole('button', { name: 'Family' }));
  await user.click(screen.getByRole('button', { name: 'Family' }));
  await vi.waitFor(() => expect(search()).toEqual({ sort: '-name' }));
  expect(tableRows()[0]).toContain('Zoe');
});

test('F133 F135 a click shows the account beside the table, and Enter opens its page', async () => {
  useDesktop();
  const { user, search, pathname } = await openFamilies(all);
  const table = within(await screen.findByRole('table', { name: 'Families' }));
  await user.click(await table.findByRole('link', { name: 'Ruth Hale' }));
  expect(search()).toEqual({ selected: 3 });
  const panel = within(screen.getByRole('region', { name: 'Selected family' }));
  expect(await panel.findByText('£65 due')).toBeTruthy();
  expect(panel.getByText('£35 overdue by 12 days')).toBeTruthy();
  expect(panel.getByText('Maya £35, Leo £30')).toBeTruthy();
  await user.click(panel.getByRole('tab', { name: 'People 1' }));
  expect(search()).toEqual({ selected: 3, tab: 'people' });
  screen.getByRole('link', { name: 'Joanne Whitfield' }).focus();
  await user.keyboard('{ArrowUp}');
  await vi.waitFor(() => expect(search()).toEqual({ selected: 3, tab: 'people' }));
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(pathname()).toBe('/families/3'));
});

test('a payment of any family can be recorded from the list', async () => {
  const { user, server } = await openFamilies(all);
  server.handlers['GET /api/payments/form'] = () => json(200, paymentFormData());
  await user.click(await screen.findByRole('button', { name: 'Record payment' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Record payment' }));
  const field = await dialog.findByRole('combobox', { name: 'Family' });
  await selectOption(user, field, 'Ruth Hale (Maya and Leo)');
  expect(await dialog.findByLabelText(/^Amount/)).toBeTruthy();
  expect(server.last('GET /api/payments/form')?.url).toContain('familyId=3');
});

test('a long list is shown in parts', async () => {
  const many = Array.from({ length: 60 }, (_, index) => paidUp(`Payer ${index}`, index + 10));
  const { user } = await openFamilies(many);
  await screen.findByText('60 families');
  expect(phoneRows()).toHaveLength(50);
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(phoneRows()).toHaveLength(60);
});

test('an empty list links to the students page and hides the filters', async () => {
  await openFamilies([]);
  expect(await screen.findByText(/No families yet/)).toBeTruthy();
  const students = screen.getByRole('link', { name: 'Go to students' });
  expect(students.getAttribute('href')).toBe('/students');
  expect(screen.queryByLabelText('Find a family')).toBeNull();
});

test('a retry is offered when the families fail to load', async () => {
  const server = mockApi({ 'GET /api/me': () => json(200, ada), [GET]: () => json(500, {}) });
  const { user } = renderApp('/families');
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByText(/No families yet/)).toBeNull();
  server.handlers[GET] = () => json(200, [familyListItem()]);
  await user.click(retry);
  expect(await screen.findByText('Ruth Hale')).toBeTruthy();
});
