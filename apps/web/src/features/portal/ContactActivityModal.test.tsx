import type { ContactActivityEntry } from '@lessonbook/contract/portal-management';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { portalBrowsers } from '../../test/portal-fixtures.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

const PATH = '/api/settings/portal/contacts/7';
const BROWSERS = `GET ${PATH}/browsers`;
const ACTIVITY = `GET ${PATH}/activity`;
const SIGN_OUT = `DELETE ${PATH}/browsers`;

type CancelledLesson = Extract<ContactActivityEntry, { kind: 'cancelled' }>['lessons'][number];

const lesson: CancelledLesson = {
  sessionId: 4,
  studentName: 'Maya',
  date: '2026-11-24',
  startTime: '16:00',
  fee: 1750,
  currency: 'GBP',
  usesFreeCancellation: false,
};

const cancellation = (
  lessons: Partial<CancelledLesson>[],
  isWaived = false,
  at = '2026-11-14T18:05:00Z',
): ContactActivityEntry => ({
  kind: 'cancelled',
  at,
  lessons: lessons.map((fields) => ({ ...lesson, ...fields })),
  isWaived,
});

async function openModal(
  activity: ContactActivityEntry[],
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const contact = {
    id: 7,
    name: 'Ruth Hale',
    hasAddress: true,
    isSuspended: false,
    students: [
      {
        id: 1,
        name: 'Maya Hale',
        seesLessons: true,
        seesPlace: true,
        seesNotes: true,
        seesMoney: true,
      },
    ],
    lastSeenAt: null,
    sharesAddress: false,
  };
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/settings/portal': () =>
      json(200, { openedAt: '2026-11-14T09:00:00Z', contactCounts: { total: 1 } }),
    'GET /api/settings/portal/contacts': () => json(200, [contact]),
    [BROWSERS]: () => json(200, portalBrowsers),
    [ACTIVITY]: () => json(200, activity),
    ...handlers,
  });
  const { user } = renderApp('/settings/family-portal');
  await user.click(await screen.findByRole('button', { name: 'More options for Ruth Hale' }));
  await user.click(
    await screen.findByRole('menuitem', { name: 'Browsers and activity', hidden: true }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Ruth Hale in the family portal' });
  return { user, server, dialog };
}

const readEntries = async (dialog: HTMLElement) => {
  const heading = await within(dialog).findByRole('heading', { name: 'Activity' });
  const list = (heading.parentElement as HTMLElement).querySelector('ol');
  return [...(list?.children ?? [])].map(({ textContent }) => textContent);
};

test('shows browsers and activity in words, with links to the lessons', async () => {
  const { dialog } = await openModal([
    { kind: 'signed_in', at: '2026-11-15T07:30:00Z', device: 'Safari on iPhone' },
    cancellation([{}], true),
    {
      kind: 'asked_to_move',
      at: '2026-11-14T17:55:00Z',
      sessionId: 9,
      studentName: 'Leo',
      date: '2026-11-25',
      startTime: '17:00',
    },
    { kind: 'signed_in', at: '2026-11-10T08:00:00Z', device: 'Firefox on Windows' },
  ]);
  expect(await readEntries(dialog)).toEqual([
    'today 07:30Signed in with Safari on iPhone.',
    "yesterday 18:05Cancelled Maya's lesson on Tue 24 Nov at 16:00. Cancellation fee: £17.50, not charged.",
    "yesterday 17:55Asked to move Leo's lesson on Wed 25 Nov at 17:00.",
    'Tue 10 Nov 08:00Signed in with Firefox on Windows.',
  ]);
  const link = within(dialog).getByRole('link', { name: "Maya's lesson on Tue 24 Nov at 16:00" });
  expect(link.getAttribute('href')).toBe('/sessions/4');
  const leos = within(dialog).getByRole('link', { name: "Leo's lesson on Wed 25 Nov at 17:00" });
  expect(leos.getAttribute('href')).toBe('/sessions/9');
  const [, firefox] = within(dialog).getAllByText(/^First visit/);
  expect(firefox?.closest('li')?.textContent).toMatch(
    /^Firefox on WindowsFirst visit Sun 1 Nov 08:00Last visit/,
  );
});

test('says what each cancellation costs', async () => {
  const { dialog } = await openModal([
    cancellation([{}]),
    cancellation([{ fee: 0 }]),
    cancellation([{ fee: 0, usesFreeCancellation: true }]),
    cancellation([{}, { sessionId: 5, studentName: 'Leo', startTime: '17:00' }]),
    cancellation(
      [{}, { sessionId: 5, currency: 'EUR', fee: 2000 }, { sessionId: 6, fee: 0 }],
      true,
    ),
  ]);
  const maya = "Maya's lesson on Tue 24 Nov at 16:00";
  expect((await readEntries(dialog)).map((text) => text?.replace('yesterday 18:05', ''))).toEqual([
    `Cancelled ${maya}. Cancellation fee: £17.50.`,
    `Cancelled ${maya}. No charge.`,
    `Cancelled ${maya}. No charge. A free late cancellation was used.`,
    `Cancelled 2 lessons. Cancellation fees: £35.${maya}Leo's lesson on Tue 24 Nov at 17:00`,
    `Cancelled 3 lessons. Cancellation fees: €20, £17.50, not charged.${maya.repeat(3)}`,
  ]);
});

test('signs the person out everywhere', async () => {
  const { user, server, dialog } = await openModal([], {
    [SIGN_OUT]: () => {
      server.handlers[BROWSERS] = () => json(200, []);
      return json(200, {});
    },
  });
  await user.click(await within(dialog).findByRole('button', { name: 'Sign out everywhere' }));
  expect(await screen.findByText("Ruth isn't signed in to the family portal.")).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: 'Sign out everywhere' })).toBeNull();
  expect(server.count(SIGN_OUT)).toBe(1);
});

test('says that there is no activity yet and that the person is not signed in', async () => {
  const { dialog } = await openModal([], { [BROWSERS]: () => json(200, []) });
  expect(await within(dialog).findByText(/^Nothing yet\. When Ruth signs in/)).toBeTruthy();
  expect(within(dialog).getByText("Ruth isn't signed in to the family portal.")).toBeTruthy();
  expect(within(dialog).queryByText(/^Only the last/)).toBeNull();
});

test('says that only the latest entries are shown', async () => {
  const { dialog } = await openModal(Array.from({ length: 50 }, () => cancellation([{}])));
  expect(await within(dialog).findByText('Only the last 50 entries are shown.')).toBeTruthy();
});

test('loading can be retried after an error', async () => {
  const { user, server, dialog } = await openModal([], {
    [ACTIVITY]: () => json(500, { message: 'No' }),
  });
  await within(dialog).findByText("We couldn't load their browsers and activity.");
  server.handlers[ACTIVITY] = () => json(200, [cancellation([{}])]);
  await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
  await waitFor(async () => expect(await readEntries(dialog)).toHaveLength(1));
  expect(server.count(BROWSERS)).toBe(1);
});
