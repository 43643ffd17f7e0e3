import type { DeparturePreview } from '@lessonbook/contract/student-departures';
import type { Student } from '@lessonbook/contract/students';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { student, studentListItem } from '../../test/student-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { DepartureDialog } from './DepartureDialog.tsx';

const maya = student({ id: 1, name: 'Maya Hale' });

const preview = (overrides: Partial<DeparturePreview> = {}): DeparturePreview => ({
  fingerprint: 'shown',
  students: [
    {
      student: maya,
      cancelled: [
        { id: 1, date: '2026-11-24', startTime: '16:00', label: 'Maths', isGroup: false },
        { id: 2, date: '2026-12-01', startTime: '16:00', label: 'Maths', isGroup: false },
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
  ...overrides,
});

const saved = { students: 2, cancelled: 2, chargedSessions: 0, messages: 1 };

const STUDENTS = [
  studentListItem({ id: 1, name: 'Maya Hale', schoolYear: 'Year 11' }),
  studentListItem({ id: 2, name: 'Leo Hale', schoolYear: 'Year 9' }),
  studentListItem({ id: 4, name: 'Sam Reid', schoolYear: 'Year 13' }),
  studentListItem({ id: 5, name: 'Ida Lund', schoolYear: 'Year 11', status: 'left' }),
];

async function openExamSeason(students = STUDENTS) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/students/list': () => json(200, students),
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

test('preselects Years 11 and 13, lets the tutor leave out individual students, and saves what the preview showed', async () => {
  const { user, server, dialog } = await openExamSeason();
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

test('sends nothing if no student is chosen', async () => {
  const { user, server, dialog } = await openExamSeason();
  await dialog.findByText('2 lessons will be cancelled free of charge.');
  await user.click(dialog.getByRole('checkbox', { name: /^Year 11/ }));
  await user.click(dialog.getByRole('checkbox', { name: /^Year 13/ }));
  await user.click(dialog.getByRole('button', { name: /^End lessons/ }));
  expect(await dialog.findByText('Please choose at least one student')).toBeTruthy();
  expect(server.last('POST /api/departures')).toBeUndefined();
});

test('says where to enter school years if no student has one', async () => {
  const { dialog } = await openExamSeason([studentListItem({ id: 1, schoolYear: null })]);
  expect(await dialog.findByText(/^None of your students has a school year yet\./)).toBeTruthy();
  expect(dialog.queryByRole('button', { name: /^End lessons/ })).toBeNull();
  expect(dialog.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0);
});

async function saveLastDay(leaving: Student, leftOn: string) {
  const [shown] = preview().students as [DeparturePreview['students'][number]];
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'POST /api/departures/preview': () =>
      json(200, preview({ students: [{ ...shown, student: { ...leaving, leftOn } }] })),
    'POST /api/departures': () => json(201, { ...saved, students: 1 }),
    'PUT /api/students/1/status': () =>
      json(200, { student: leaving, cancelled: [], restored: [], overlaps: [] }),
  });
  const { user } = await renderComponentSignedIn(
    <DepartureDialog student={leaving} today="2026-11-15" opened onClose={() => undefined} />,
  );
  await user.click(await screen.findByRole('button', { name: 'Cancel 2 lessons' }));
  await screen.findByText('Maya Hale is leaving');
  return { user, server };
}

test.each([
  [null, { status: 'active' }],
  [
    { fromDate: '2026-11-10', toDate: '2026-11-20' },
    { status: 'paused', fromDate: '2026-11-10', toDate: '2026-11-20' },
  ],
])('Undo restores the previous status, with the pause %o', async (pause, body) => {
  const { user, server } = await saveLastDay(student({ ...maya, pause }), '2026-11-20');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Lessons restored')).toBeTruthy();
  expect(server.last('PUT /api/students/1/status')?.body).toEqual(body);
});

test.each([
  ['a last day before yesterday', null, '2026-11-13'],
  ['a pause that ended on the last day', { fromDate: '2026-11-18', toDate: null }, '2026-11-20'],
  [
    'a pause that would have been longer',
    { fromDate: '2026-11-18', toDate: '2026-11-21' },
    '2026-11-20',
  ],
])('Undo is not offered after %s', async (_, pause, leftOn) => {
  await saveLastDay(student({ ...maya, pause }), leftOn);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
