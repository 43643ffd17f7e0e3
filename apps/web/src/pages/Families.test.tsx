import type { Family } from '@lessonbook/contract/families';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { family } from '../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const GET = 'GET /api/families';

async function openAccounts(list: Family[]) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(200, list),
  });
  const app = renderApp('/families');
  await screen.findByRole('heading', { name: 'Accounts' });
  return { ...app, server };
}

const paidUp = (name: string, id: number): Family =>
  family({ id, name, students: [name], balances: [], oldestDueDate: null });
const names = () =>
  screen.getAllByRole('link', { name: /owed|Owes|credit/ }).map((row) => row.textContent);

test('[PROD-08] families who owe money come first, with the longest overdue at the top', async () => {
  await openAccounts([
    paidUp('Ana', 1),
    family({ id: 2, name: 'Ben', students: ['Ben'], oldestDueDate: '2026-11-10' }),
    family({ id: 3, name: 'Ruth Hale', oldestDueDate: '2026-10-01' }),
    { ...paidUp('Zoe', 4), balances: [{ currency: 'GBP', owed: 0, credit: 500 }] },
  ]);
  await screen.findByText('Ruth Hale');
  expect(names()).toEqual([
    'RHRuth Hale Maya and Leo, since Thu 1 Oct Owes £65 ',
    'BBen since Tue 10 Nov Owes £65 ',
    'AAna  Nothing owed ',
    'ZZoe  In credit £5 ',
  ]);
});

test('a long list can be searched by payer or child', async () => {
  const many = Array.from({ length: 9 }, (_, index) => paidUp(`Payer ${index}`, index + 10));
  const { user } = await openAccounts([...many, family()]);
  await user.type(await screen.findByLabelText('Search accounts'), 'leo');
  expect(names()).toHaveLength(1);
  await user.type(screen.getByLabelText('Search accounts'), 'x');
  expect(screen.getByText('No account matches “leox”.')).toBeTruthy();
});

test('an empty list links to the students', async () => {
  await openAccounts([]);
  expect(await screen.findByText(/No accounts yet/)).toBeTruthy();
  const students = screen.getByRole('link', { name: 'Go to students' });
  expect(students.getAttribute('href')).toBe('/schedule?view=students');
});

test('a retry is offered when the accounts fail to load', async () => {
  const server = mockApi({ 'GET /api/me': () => json(200, ada), [GET]: () => json(500, {}) });
  const { user } = renderApp('/families');
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByText(/No accounts yet/)).toBeNull();
  server.handlers[GET] = () => json(200, [family()]);
  await user.click(retry);
  expect(await screen.findByText('Ruth Hale')).toBeTruthy();
});
