import type { Arrears } from '@lessonbook/contract/arrears';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { arrearsReply } from '../../test/arrears-fixtures.tsx';
import { familyDetails } from '../../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { selectOption } from '../../test/select-option.ts';
import { ada } from '../../test/user-fixtures.ts';

const AGREE = 'POST /api/families/3/instalments';
const END = 'POST /api/families/3/instalments/end';

async function openFamily(arrears: Partial<Arrears> = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/families/3': () => json(200, familyDetails()),
    'GET /api/families/3/arrears': () => json(200, arrearsReply(arrears)),
    'GET /api/families/3/queries': () => json(200, []),
    'GET /api/families/3/reminders': () =>
      json(200, { stoppedKinds: [], hasStoppedWhatsApp: false }),
    [AGREE]: () => json(200, {}),
    [END]: () => json(200, {}),
  });
  const app = renderApp('/families/3');
  await screen.findByRole('heading', { name: 'Ruth Hale' });
  return { ...app, server };
}

const card = async (name: string) => within(await screen.findByRole('region', { name }));

test('for a family in arrears, instalments, a pause, a write-off and a statement are offered', async () => {
  const { user } = await openFamily();
  const arrears = await card('Arrears');
  expect(
    arrears.getByText('£35 has been overdue since Thu 3 Sep. Ruth has been sent 3 reminders.'),
  ).toBeTruthy();
  expect(arrears.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Agree instalments',
    'Pause lessons',
    'Write off',
    'Statement (PDF)',
  ]);
  await user.click(arrears.getByRole('button', { name: 'Pause lessons' }));
  const leo = await screen.findByRole('menuitem', { name: 'Leo Hale', hidden: true });
  expect(leo.getAttribute('href')).toBe('/students/2');
});

test('instalments are shown to the penny before they are agreed', async () => {
  const { user, server } = await openFamily();
  await user.click((await card('Arrears')).getByRole('button', { name: 'Agree instalments' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Agree instalments' }));
  expect(await dialog.findByText('£55.50')).toBeTruthy();
  const rows = () => dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows()).toEqual(['Tue 1 Dec£18.50', 'Fri 1 Jan 2027£18.50', 'Mon 1 Feb 2027£18.50']);
  await selectOption(user, dialog.getByRole('combobox', { name: 'Instalments' }), '4');
  await user.click(dialog.getByRole('radio', { name: 'Weekly' }));
  expect(rows()).toEqual([
    'Tue 1 Dec£13.88',
    'Tue 8 Dec£13.88',
    'Tue 15 Dec£13.87',
    'Tue 22 Dec£13.87',
  ]);
  await user.click(dialog.getByRole('button', { name: 'Agree instalments' }));
  expect(await screen.findByText('Instalments agreed')).toBeTruthy();
  expect(server.last(AGREE)?.body).toEqual({
    currency: 'GBP',
    amount: 5550,
    count: 4,
    frequency: 'weekly',
    firstOn: '2026-12-01',
  });
});

test('the agreed instalments are shown, and the plan can be ended', async () => {
  const instalment = { amount: 2000, outstanding: 2000, isDue: false };
  const { user, server } = await openFamily({
    isInArrears: false,
    plans: [
      {
        currency: 'GBP',
        instalments: [
          { ...instalment, dueOn: '2026-11-01', outstanding: 0, isDue: true },
          { ...instalment, dueOn: '2026-11-08', outstanding: 1500, isDue: true },
          { ...instalment, dueOn: '2026-12-01' },
        ],
      },
    ],
  });
  const plan = await card('Instalments');
  expect(plan.getByText('Instalments agreed, £35 left to pay')).toBeTruthy();
  expect(plan.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Sun 1 NovPaid£20.00',
    'Sun 8 NovDue now, £15.00 left£20.00',
    'Tue 1 Dec£20.00',
  ]);
  expect(screen.queryByRole('region', { name: 'Arrears' })).toBeNull();
  await user.click(plan.getByRole('button', { name: 'End plan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End the plan?' }));
  await user.click(dialog.getByRole('button', { name: 'End plan' }));
  await waitFor(() => expect(server.last(END)?.body).toEqual({ currency: 'GBP' }));
});
