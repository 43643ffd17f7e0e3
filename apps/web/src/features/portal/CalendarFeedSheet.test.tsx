import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { portalLessons, portalLogin } from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const LESSONS = 'GET /api/portal/tutors/c_ada_1234567/lessons';
const FEED = '/api/portal/tutors/c_ada_1234567/feed';
const FIRST = 'https://book.example/api/portal/feeds/c_first.ics';
const SECOND = 'https://book.example/api/portal/feeds/c_second.ics';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

async function openSheet(url: string | null) {
  const server = mockApi({
    'GET /api/portal/login': () => json(200, portalLogin()),
    [LESSONS]: () => json(200, portalLessons()),
    [`GET ${FEED}`]: () => json(200, { url }),
  });
  const { user } = renderPortal();
  await user.click(await screen.findByRole('button', { name: 'Add to my calendar' }));
  const sheet = within(await screen.findByRole('dialog'));
  return { server, user, sheet };
}

test('creates an address that can be copied', async () => {
  const { server, user, sheet } = await openSheet(null);
  const create = await sheet.findByRole('button', { name: 'Create the address' });
  expect(sheet.getByText(/your lessons with Ada Fenwick/)).toBeTruthy();
  server.handlers[`POST ${FEED}`] = () => Promise.reject(new TypeError('Failed to fetch'));
  await user.click(create);
  expect((await sheet.findByRole('alert')).textContent).toBe(
    "We couldn't change the address. Please try again.",
  );
  server.handlers[`POST ${FEED}`] = () => json(200, { url: FIRST });
  await user.click(create);
  expect(await sheet.findByText(FIRST)).toBeTruthy();
  expect(sheet.queryByRole('alert')).toBeNull();
  expect(sheet.getAllByRole('listitem')).toHaveLength(3);
  await user.click(sheet.getByRole('button', { name: 'Copy, calendar address' }));
  expect(await navigator.clipboard.readText()).toBe(FIRST);
});

test('an existing address is shown again, and replaced after a confirmation', async () => {
  const { server, user, sheet } = await openSheet(FIRST);
  expect(await sheet.findByText(FIRST)).toBeTruthy();
  await user.click(sheet.getByRole('button', { name: 'Replace the address' }));
  expect(sheet.getByRole('heading', { name: 'Replace the address?' })).toBeTruthy();
  await user.click(sheet.getByRole('button', { name: 'Keep address' }));
  expect(sheet.getByText(FIRST)).toBeTruthy();
  server.handlers[`POST ${FEED}`] = () => json(200, { url: SECOND });
  await user.click(sheet.getByRole('button', { name: 'Replace the address' }));
  await user.click(sheet.getByRole('button', { name: 'Replace address' }));
  expect(await sheet.findByText(SECOND)).toBeTruthy();
  expect(sheet.queryByText(FIRST)).toBeNull();
});

test('an address can be removed', async () => {
  const { server, user, sheet } = await openSheet(FIRST);
  await user.click(await sheet.findByRole('button', { name: 'Replace the address' }));
  server.handlers[`DELETE ${FEED}`] = () => json(200, { url: null });
  await user.click(sheet.getByRole('button', { name: 'Remove address' }));
  expect(await sheet.findByRole('button', { name: 'Create the address' })).toBeTruthy();
});

test('the calendar is not offered to a person who sees no lessons', async () => {
  const students = portalLessons().students.map((each) => ({ ...each, seesLessons: false }));
  mockApi({
    'GET /api/portal/login': () => json(200, portalLogin()),
    [LESSONS]: () => json(200, portalLessons({ lessons: [], students })),
  });
  renderPortal();
  expect(await screen.findByText(/hasn't shared any lessons with you/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add to my calendar' })).toBeNull();
});
