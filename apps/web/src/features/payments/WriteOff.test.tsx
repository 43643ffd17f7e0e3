import type { Arrears } from '@lessonbook/contract/arrears';
import type { LedgerEntry } from '@lessonbook/contract/families';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { arrearsReply, unpaidCharge } from '../../test/arrears-fixtures.tsx';
import { familyDetails, ledgerEntry } from '../../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

const WRITE_OFF = 'POST /api/families/3/write-offs';
const REVERSE = 'POST /api/families/3/write-offs/reverse';

async function openFamily(arrears: Partial<Arrears> = {}, entries: LedgerEntry[] = []) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/families/3': () => json(200, familyDetails({ entries, entryCount: entries.length })),
    'GET /api/families/3/arrears': () => json(200, arrearsReply(arrears)),
    'GET /api/families/3/reminders': () =>
      json(200, { stoppedKinds: [], hasStoppedWhatsApp: false }),
    [WRITE_OFF]: () => json(200, {}),
    [REVERSE]: () => json(200, {}),
  });
  const app = renderApp('/families/3');
  await screen.findByRole('heading', { name: 'Ruth Hale' });
  const choose = async (name: string) => {
    await app.user.click(screen.getByRole('button', { name: 'More actions for this account' }));
    await app.user.click(await screen.findByRole('menuitem', { name, hidden: true }));
  };
  return { ...app, server, choose };
}

test('overdue charges are written off by default, and the tutor can choose others', async () => {
  const { user, server, choose } = await openFamily();
  await choose('Write off');
  const dialog = within(await screen.findByRole('dialog', { name: 'Write off' }));
  expect(await dialog.findByText('Thu 3 Sep, invoice 12, overdue')).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Write off £55.50' })).toBeTruthy();
  await user.click(dialog.getByRole('checkbox', { name: 'Everything unpaid' }));
  expect(dialog.getByRole('button', { name: 'Write off £85.50' })).toBeTruthy();
  await user.click(dialog.getByRole('checkbox', { name: /^Maths lesson, Leo/ }));
  await user.type(dialog.getByLabelText(/^Reason/), 'Moved away');
  expect(dialog.getByText(/^Ruth will no longer be asked to pay this £65\./)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Write off £65' }));
  expect(await screen.findByText('Written off')).toBeTruthy();
  expect(server.last(WRITE_OFF)?.body).toEqual({
    chargeIds: [1, 3],
    currency: 'GBP',
    amount: 6500,
    reason: 'Moved away',
  });
});

test('amounts in different currencies are written off separately, and at least one must be ticked', async () => {
  const { user, server, choose } = await openFamily({
    charges: [unpaidCharge(), unpaidCharge({ id: 4, currency: 'EUR', outstanding: 4000 })],
  });
  await choose('Write off');
  const dialog = within(await screen.findByRole('dialog', { name: 'Write off' }));
  await user.click(await dialog.findByRole('radio', { name: 'EUR' }));
  await user.click(dialog.getByRole('checkbox', { name: /^Maths lesson/ }));
  await user.click(dialog.getByRole('button', { name: 'Write off' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  expect(server.last(WRITE_OFF)).toBeUndefined();
  await user.click(dialog.getByRole('checkbox', { name: /^Maths lesson/ }));
  await user.click(dialog.getByRole('button', { name: 'Write off €40' }));
  await waitFor(() =>
    expect(server.last(WRITE_OFF)?.body).toMatchObject({ chargeIds: [4], currency: 'EUR' }),
  );
});

const entry = ledgerEntry({
  key: 'c9',
  kind: 'write_off',
  description: 'Written off, Maths',
  note: 'Moved away',
  amount: -3500,
  balance: 0,
  reverses: 'c1',
});

test('a write-off is shown in the account with its reason and can be reversed', async () => {
  const {
    outstanding: writtenOff,
    isOverdue: _overdue,
    isOnHold: _hold,
    ...charge
  } = unpaidCharge();
  const { user, server } = await openFamily(
    { writtenOff: [{ ...charge, writtenOff, writtenOffOn: '2026-11-14', reason: 'Moved away' }] },
    [entry, ledgerEntry({ key: 'c1' })],
  );
  expect(screen.getByText('Maths lesson, Maya')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /Written off, Maths, Maya.*Moved away/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reverse the write-off?' }));
  expect(dialog.getByText(/^£35 will be owed again/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Reverse' }));
  expect(await screen.findByText('Write-off reversed')).toBeTruthy();
  expect(server.last(REVERSE)?.body).toEqual({ chargeIds: [1] });
});

test('a write-off that has already been reversed cannot be reversed again', async () => {
  const { user } = await openFamily({}, [entry]);
  await user.click(screen.getByRole('button', { name: /Written off, Maths/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Write-off' }));
  expect(await dialog.findByText('This write-off has already been reversed.')).toBeTruthy();
});

test('a statement of a period can be downloaded', async () => {
  const { choose } = await openFamily();
  await choose('Statement (PDF)');
  const dialog = within(await screen.findByRole('dialog', { name: 'Statement (PDF)' }));
  expect(dialog.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
    '/api/families/3/statement.pdf?from=2026-01-01&to=2026-11-15',
  );
});
