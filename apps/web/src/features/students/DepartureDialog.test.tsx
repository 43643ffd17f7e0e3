import type { DeparturePreview } from '@lessonbook/contract/departures';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { sessionRow } from '../../test/session-fixtures.ts';
import { student, studentListItem } from '../../test/student-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';

const maya = student({ id: 1, name: 'Maya Hale' });

const preview = (change: Partial<DeparturePreview> = {}): DeparturePreview => ({
  fingerprint: 'shown',
  students: [
    {
      student: maya,
      cancelled: [
        sessionRow({ id: 1, date: '2026-11-24' }),
        sessionRow({ id: 2, date: '2026-12-01' }),
      ],
      charged: [],
      restored: [],
      overlaps: [],
    },
  ],
  families: [
    {
      familyId: 3,
      name: 'Ruth Hale',
      students: ['Maya'],
      balances: [{ currency: 'GBP', owed: 0, credit: 2000 }],
      uninvoiced: [{ currency: 'GBP', amount: 3500, lessons: 1 }],
      message: {
        toName: 'Ruth Hale',
        channel: 'email',
        address: 'ruth@families.example',
        problem: null,
        subject: "Maya's lessons",
        text: 'Hi Ruth, goodbye.',
      },
    },
  ],
  ...change,
});

const saved = { students: 2, cancelled: 2, chargedSessions: 0, messages: 1 };

async function openSeason() {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/students/list': () =>
      json(200, [
        studentListItem({ id: 1, name: 'Maya Hale', schoolYear: 'Year 11' }),
        studentListItem({ id: 2, name: 'Leo Hale', schoolYear: 'Year 9' }),
        studentListItem({ id: 4, name: 'Sam Reid', schoolYear: 'Year 13' }),
        studentListItem({ id: 5, name: 'Ida Lund', schoolYear: 'Year 11', status: 'left' }),
      ]),
    'POST /api/departures/preview': () => json(200, preview()),
    'POST /api/departures': () => json(201, saved),
  });
  const { user } = renderApp('/students');
  await user.click(await screen.findByRole('button', { name: 'More for students' }));
  await user.click(
    await screen.findByRole('menuitem', { name: 'End of exam season', hidden: true }),
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'End of exam season' }));
  return { user, server, dialog };
}

test('Years 11 and 13 are chosen, single students are left out, and what was shown is saved', async () => {
  const { user, server, dialog } = await openSeason();
  await dialog.findByText('2 lessons will be cancelled free of charge.');
  expect(server.last('POST /api/departures/preview')?.body).toMatchObject({ studentIds: [1, 4] });
  expect(dialog.queryByText('Ida Lund')).toBeNull();
  expect(dialog.queryByRole('checkbox', { name: 'Leo Hale' })).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: 'Sam Reid' }));
  await user.click(dialog.getByRole('checkbox', { name: /^Year 9/ }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/departures/preview')?.body).toMatchObject({
      studentIds: [1, 2],
      noticeUntil: null,
    }),
  );
  expect(
    dialog.getByText(/^£20 credit to refund\. £35 for 1 lesson not invoiced yet\./),
  ).toBeTruthy();
  expect(dialog.getByRole('link', { name: 'Refund in the account' }).getAttribute('href')).toBe(
    '/families/3',
  );
  expect(dialog.getByText('Hi Ruth, goodbye.')).toBeTruthy();
  await user.click(await dialog.findByRole('button', { name: 'End lessons of 1 student' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/departures')?.body).toMatchObject({
      studentIds: [1, 2],
      fingerprint: 'shown',
      drafts: true,
    }),
  );
});

test('without a student nothing is sent', async () => {
  const { user, server, dialog } = await openSeason();
  await dialog.findByText('2 lessons will be cancelled free of charge.');
  await user.click(dialog.getByRole('checkbox', { name: /^Year 11/ }));
  await user.click(dialog.getByRole('checkbox', { name: /^Year 13/ }));
  await user.click(dialog.getByRole('button', { name: /^End lessons/ }));
  expect(await dialog.findByText('Please choose at least one student')).toBeTruthy();
  expect(server.last('POST /api/departures')).toBeUndefined();
});
