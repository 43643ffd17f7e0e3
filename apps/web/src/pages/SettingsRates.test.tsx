import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const rate = {
  id: 5,
  studentId: 3,
  studentName: 'Maya Okafor',
  subjectId: 4,
  subjectName: 'Maths',
  amount: 4000,
  currency: 'GBP',
  unit: 'hour',
  validFrom: '2026-09-01',
};
const preview = {
  fingerprint: 'abc',
  noticeDays: 5,
  families: [
    {
      familyId: 1,
      toName: 'Ruth Okafor',
      channel: 'email',
      address: 'ruth@example.com',
      problem: null,
      subject: 'New lesson prices',
      text: 'Hi Ruth',
      prices: [{ ...rate, oldAmount: 4000, newAmount: 4400, lessons: 3 }],
    },
  ],
  kept: [{ reason: 'own_fee', lessons: 2 }],
};

function open(url: string, handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/rates': () => json(200, [rate]),
    'GET /api/students': () => json(200, []),
    'GET /api/subjects': () => json(200, []),
    'GET /api/term-calendars': () => json(200, []),
    'PUT /api/rates': () => json(200, { changedSeats: 2 }),
    'DELETE /api/rates/5': () => json(200, { changedSeats: 1 }),
    'POST /api/price-rises/preview': () => json(200, preview),
    'POST /api/price-rises': () => json(201, { rates: 1, changedSeats: 3, messages: 0 }),
    ...handlers,
  });
  return { ...renderApp(url), server };
}

test('a rate is changed from today, so that earlier lessons keep their fee', async () => {
  const { user, server } = open('/settings/rates');
  expect(await screen.findByText('£40.00 an hour')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Edit Maya Okafor, Maths' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change rate' }));
  const amount = dialog.getByRole('textbox', { name: 'Amount' });
  await user.clear(amount);
  await user.type(amount, '42.50');
  await user.click(dialog.getByRole('button', { name: 'Save rate' }));
  await vi.waitFor(() =>
    expect(server.last('PUT /api/rates')?.body).toEqual({
      studentId: 3,
      subjectId: 4,
      amount: 42.5,
      unit: 'hour',
      validFrom: '2026-11-15',
    }),
  );
  expect(await screen.findByText('2 lessons have a new fee.')).toBeTruthy();
});

test('removing a rate says what applies afterwards', async () => {
  const { user, server } = open('/settings/rates');
  await user.click(await screen.findByRole('button', { name: 'Delete Maya Okafor, Maths' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Remove this rate?' }));
  expect(modal.getByText(/will use the previous rate/)).toBeTruthy();
  await user.click(modal.getByRole('button', { name: 'Remove rate' }));
  await vi.waitFor(() => expect(server.count('DELETE /api/rates/5')).toBe(1));
});

test('a price rise is previewed before it is saved, and changing the form hides the preview', async () => {
  const { user, server } = open('/settings/rates/raise');
  const value = await screen.findByRole('textbox', { name: 'Raise by' });
  await user.click(screen.getByRole('button', { name: 'Show new prices' }));
  expect(await screen.findByText('Please enter a number')).toBeTruthy();
  await user.type(value, '10');
  await user.click(screen.getByRole('button', { name: 'Show new prices' }));
  expect(await screen.findByText(/£40.00 → £44.00 an hour · 3 lessons/)).toBeTruthy();
  expect(screen.getByText(/5 days' notice/)).toBeTruthy();
  expect(screen.getByText(/2 lessons \(with a fee you entered\)/)).toBeTruthy();
  expect(server.last('POST /api/price-rises/preview')?.body).toMatchObject({
    kind: 'percent',
    value: 10,
    rounding: 'half',
    from: '2027-01-01',
  });
  await user.type(value, '0');
  expect(screen.queryByRole('button', { name: 'Save new prices' })).toBeNull();
  expect(server.count('POST /api/price-rises')).toBe(0);
});

test('saving sends the fingerprint; an outdated preview is hidden, and a message says why', async () => {
  const message = 'Your lessons or prices have changed since the preview.';
  const { user, server } = open('/settings/rates/raise', {
    'POST /api/price-rises': () => json(409, { code: 'conflict', message }),
  });
  await user.type(await screen.findByRole('textbox', { name: 'Raise by' }), '10');
  await user.click(screen.getByRole('button', { name: 'Show new prices' }));
  await user.click(await screen.findByRole('button', { name: 'Save new prices' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(server.last('POST /api/price-rises')?.body).toMatchObject({
    fingerprint: 'abc',
    value: 10,
  });
  expect(screen.queryByRole('button', { name: 'Save new prices' })).toBeNull();
});

const surrey = {
  id: 2,
  name: 'Surrey',
  terms: [
    { name: 'Autumn 2026', fromDate: '2026-09-07', toDate: '2026-12-18' },
    { name: 'Spring 2027', fromDate: '2027-01-11', toDate: '2027-03-26' },
  ],
  lessons: 0,
};
const kent = {
  ...surrey,
  id: 3,
  name: 'Kent',
  terms: [{ name: 'Spring 2027', fromDate: '2027-01-05', toDate: '2027-03-24' }],
};

test('a price rise starts with the next term of any calendar, and an earlier date can be chosen', async () => {
  const { user, server } = open('/settings/rates/raise', {
    'GET /api/term-calendars': () => json(200, [surrey, kent]),
  });
  await user.type(await screen.findByRole('textbox', { name: 'Raise by' }), '10');
  const from = screen.getByRole<HTMLInputElement>('textbox', { name: 'From' });
  expect(from.value).toBe('5 Jan 2027');
  const sentDate = async () => {
    const count = server.count('POST /api/price-rises/preview');
    await user.click(screen.getByRole('button', { name: 'Show new prices' }));
    await vi.waitFor(() => expect(server.count('POST /api/price-rises/preview')).toBe(count + 1));
    return server.last('POST /api/price-rises/preview')?.body;
  };
  expect(await sentDate()).toMatchObject({ from: '2027-01-05' });
  await user.clear(from);
  await user.type(from, '20 Nov 2026');
  await user.tab();
  expect(await sentDate()).toMatchObject({ from: '2026-11-20' });
  expect(await screen.findByText(/5 days' notice/)).toBeTruthy();
});

test('the form for a price rise opens even if the school terms could not be loaded', async () => {
  open('/settings/rates/raise', { 'GET /api/term-calendars': () => json(500, {}) });
  const from = await screen.findByRole<HTMLInputElement>('textbox', { name: 'From' });
  expect(from.value).toBe('1 Jan 2027');
});
