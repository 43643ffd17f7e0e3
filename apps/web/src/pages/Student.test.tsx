import type { LessonNote } from '@lessonbook/contract/lesson-notes';
import type {
  StudentOverview,
  TimelineEntry,
} from '@lessonbook/contract/student-overview-and-timeline';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { contact, lessonEntry, overviewOf, student } from '../test/student-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const nextSession = sessionRow({
  id: 11,
  date: '2026-11-15',
  place: 'At Ada’s',
  isRecurring: true,
});
const debts: StudentOverview['debts'] = [
  { currency: 'GBP', owed: 7600, overdue: 0, dueOn: '2026-11-30', withoutDueDate: 3800 },
];
const overview = overviewOf({ nextSession, debts });

function openStudent(
  shown: StudentOverview = overview,
  { entries = [] as TimelineEntry[], tab = '' } = {},
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
    'GET /api/students/1': () => json(200, shown),
    'GET /api/students/1/timeline': () => json(200, { entries, hasMore: false }),
    'GET /api/students/list': () => json(200, []),
    'GET /api/carers': () => json(200, []),
    ...handlers,
  });
  return { ...renderApp(`/students/1${tab && `?tab=${tab}`}`), server };
}

test('F107 shows the student, the next lesson and the actions', async () => {
  const { user } = openStudent();
  await screen.findByRole('heading', { level: 1, name: 'Maya Hale' });
  expect(screen.getByText('Year 10, Highfield School. Since Sep 2025')).toBeTruthy();
  const next = screen.getByRole('region', { name: 'Next lesson' });
  expect(next.textContent).toContain('Today, 16:00 to 17:00');
  expect(next.textContent).toContain('Maths GCSE, At Ada’s, repeats');
  expect(within(next).getByRole('link', { name: 'View Details' }).getAttribute('href')).toBe(
    '/sessions/11',
  );
  for (const name of ['Lesson', 'Payment', 'Note']) {
    expect(screen.getByRole('button', { name })).toBeTruthy();
  }
  const tabs = screen.getByRole('tablist', { name: 'About Maya Hale' });
  expect(
    within(tabs)
      .getAllByRole('tab')
      .map((tab) => tab.textContent),
  ).toEqual(['Lessons', 'Notes', 'Money', 'People1']);
  await user.click(screen.getByRole('button', { name: 'Lesson' }));
  expect(await screen.findByRole('dialog', { name: 'Add New Lesson' })).toBeTruthy();
});

test('F107 one timeline shows lessons, notes and money', async () => {
  openStudent(overview, {
    entries: [
      lessonEntry({
        id: 11,
        date: '2026-11-15',
        status: 'scheduled',
        charged: null,
        outstanding: null,
      }),
      lessonEntry({
        note: 'Needs more on factorising.',
        invoice: { id: 8, number: 'MT-0231' },
      }),
      {
        kind: 'payment',
        id: 5,
        date: '2026-11-06',
        isRefund: false,
        method: 'bank_transfer',
        amount: 11400,
        total: 25400,
        currency: 'GBP',
        familyId: 3,
        familyName: 'Ruth Hale',
      },
      lessonEntry({
        id: 22,
        date: '2025-10-27',
        status: 'cancelled',
        cancelledBy: 'carer',
        cancelReason: 'half-term',
        charged: null,
        outstanding: null,
      }),
    ],
  });
  const timeline = await screen.findByRole('list', { name: 'Lessons, notes and money' });
  const [scheduled, taught, payment, cancelled] = within(timeline)
    .getAllByRole('listitem')
    .map((item) => item.textContent);
  expect(scheduled).toContain('Today');
  expect(scheduled).toContain('£38 Scheduled');
  expect(taught).toContain('Needs more on factorising.');
  expect(taught).toContain('On invoice MT-0231');
  expect(payment).toContain("Maya's share of Ruth's payment of £254");
  expect(payment).toContain('£114');
  expect(cancelled).toContain('Mon 2025');
  expect(cancelled).toContain('Cancelled by the family, half-term. No charge.');
});

test("F133 the money tab shows the student's share and the family's balance beside it", async () => {
  const { server } = openStudent(overview, { tab: 'money' });
  const money = await screen.findByRole('region', { name: 'Money' });
  expect(money.textContent).toContain('£76 due');
  expect(money.textContent).toContain('Due Mon 30 Nov, except £38 not invoiced yet.');
  expect(money.textContent).toContain('£35 a lesson');
  const family = within(money).getByRole('link', { name: 'Ruth Hale' });
  expect(family.getAttribute('href')).toBe('/families/3');
  expect(money.textContent).toContain('Owes £106');
  await waitFor(() =>
    expect(server.last('GET /api/students/1/timeline')?.url).toContain('show=money'),
  );
});

test('F107 private notes are shown and changed without losing other fields', async () => {
  const shown = overviewOf({ student: student({ notes: 'Left-handed.', school: 'Highfield' }) });
  const { user, server } = openStudent(
    shown,
    { tab: 'notes' },
    {
      'PUT /api/students/1': () => json(200, shown.student),
    },
  );
  await screen.findByText('Left-handed.');
  await user.click(screen.getByRole('button', { name: 'Edit note' }));
  await user.type(await screen.findByLabelText('Private note'), ' Likes chess.');
  await user.click(screen.getByRole('button', { name: 'Save note' }));
  await waitFor(() => expect(server.count('PUT /api/students/1')).toBe(1));
  expect(server.last('PUT /api/students/1')?.body).toMatchObject({
    name: 'Maya Hale',
    notes: 'Left-handed. Likes chess.',
    school: 'Highfield',
  });
});

test('F107 the people tab shows what each contact receives, and a contact can be added', async () => {
  const access = { ...contact().access, seesMoney: false };
  const david = contact({
    id: 8,
    name: 'David Hale',
    relationship: 'Father',
    isMain: false,
    access,
  });
  const ruth = contact();
  const shown = overviewOf({ student: student({ contacts: [ruth, david] }) });
  const saved = student({ contacts: [ruth, david, contact({ id: 9, name: 'Joan' })] });
  const { user, server } = openStudent(
    shown,
    { tab: 'people' },
    {
      'POST /api/students/1/contacts': () => json(201, saved),
      'PUT /api/students/1/contacts/9': () => json(200, saved),
    },
  );
  const people = await screen.findByRole('region', { name: 'People' });
  expect(people.textContent).toContain('Mother. Can see lessons, locations, notes and prices');
  expect(people.textContent).toContain('Father. Can see lessons, locations and notes');
  await user.click(within(people).getByRole('button', { name: 'Add contact' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add contact' });
  await user.type(within(dialog).getByLabelText(/^Name/), 'Joan');
  // Only lessons that the person can see can be cancelled or moved.
  const tick = (name: string) => user.click(within(dialog).getByRole('checkbox', { name }));
  await tick('Cancel lessons');
  await tick('Lessons');
  await tick('Ask to move lessons');
  await user.click(within(dialog).getByRole('button', { name: 'Add contact' }));
  await waitFor(() => expect(server.count('PUT /api/students/1/contacts/9')).toBe(1));
  expect(server.last('POST /api/students/1/contacts')?.body).toMatchObject({ name: 'Joan' });
  expect(server.last('PUT /api/students/1/contacts/9')?.body).toMatchObject({
    name: 'Joan',
    access: { seesLessons: true, seesNotes: false, mayCancel: false, mayRequestMoves: true },
  });
});

test('the student can be added as a contact, and the notes can then be shared with the student only', async () => {
  const ruth = contact();
  const own = contact({ id: 9, name: 'Maya Hale', isMain: false, isStudent: true });
  const added = student({ contacts: [ruth, own] });
  const { user, server } = openStudent(
    overviewOf({ student: student({ contacts: [ruth] }) }),
    { tab: 'people' },
    {
      'POST /api/students/1/contacts': () => {
        server.saved('GET /api/students/1', overviewOf({ student: added }));
        return json(201, added);
      },
      'PUT /api/students/1/note-readers': () => json(200, { ...added, notesForStudentOnly: true }),
    },
  );
  await screen.findByRole('region', { name: 'People' });
  expect(screen.queryByRole('checkbox', { name: /^Notes go to/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Add Maya as a contact' }));
  expect(server.last('POST /api/students/1/contacts')?.body).toEqual({ isStudent: true });
  await user.click(await screen.findByRole('checkbox', { name: /^Notes go to Maya only/ }));
  await waitFor(() =>
    expect(server.last('PUT /api/students/1/note-readers')?.body).toEqual({ studentOnly: true }),
  );
  expect(screen.queryByRole('button', { name: 'Add Maya as a contact' })).toBeNull();
});

test('notes for the family are listed with their state, and homework can be ticked', async () => {
  const note: LessonNote = {
    sessionId: 5,
    studentId: 1,
    date: '2026-11-10',
    startTime: '16:00',
    subjectName: 'Maths',
    draft: null,
    shared: {
      did: 'Fractions',
      nextTime: 'Decimals',
      homework: 'Exercise 9B',
      dueOn: '2026-11-17',
      version: 1,
      sharedAt: '2026-11-10T17:00:00Z',
      withdrawnAt: null,
    },
    homeworkDone: { at: '2026-11-12T17:00:00Z', name: 'Ruth Hale' },
  };
  const draft = { did: 'Poems', nextTime: '', homework: '', dueOn: null };
  const { user, server } = openStudent(
    overview,
    { tab: 'notes' },
    {
      'GET /api/students/1/family-notes': () =>
        json(200, [{ ...note, sessionId: 6, draft, shared: null, homeworkDone: null }, note]),
      'PUT /api/sessions/5/students/1/homework': () => json(200, {}),
    },
  );
  const section = within(await screen.findByRole('region', { name: 'Notes for the family' }));
  const items = section.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items[0]).toContain('Draft');
  expect(items[0]).toContain('Poems');
  expect(items[1]).toContain('Fractions\nNext time: Decimals');
  expect(items[1]).toContain('Homework, done by Ruth');
  await user.click(section.getByRole('checkbox', { name: /Exercise 9B/ }));
  await waitFor(() =>
    expect(server.last('PUT /api/sessions/5/students/1/homework')?.body).toEqual({ isDone: false }),
  );
});

async function openStatus(shown: StudentOverview, change: object) {
  const reply = { student: shown.student, cancelled: [], restored: [], overlaps: [], ...change };
  const app = openStudent(
    shown,
    {},
    {
      'POST /api/students/1/status/preview': () => json(200, reply),
      'PUT /api/students/1/status': () => json(200, reply),
    },
  );
  await app.user.click(await screen.findByRole('button', { name: 'More about Maya Hale' }));
  await app.user.click(
    await screen.findByRole('menuitem', { name: 'Change status', hidden: true }),
  );
  return { ...app, dialog: await screen.findByRole('dialog', { name: 'Change status' }) };
}

test('F145 a pause shows which lessons are cancelled before it is saved, and can be undone', async () => {
  const cancelled = ['2026-11-24', '2026-12-01'].map((date) => sessionRow({ date }));
  const { user, server, dialog } = await openStatus(overview, { cancelled });
  await user.click(within(dialog).getByRole('radio', { name: /^Paused/ }));
  expect(
    await within(dialog).findByText(
      '2 lessons will be cancelled free of charge: Tue 24 Nov and Tue 1 Dec. No reminders will be sent for these lessons.',
    ),
  ).toBeTruthy();
  expect(server.count('PUT /api/students/1/status')).toBe(0);
  await user.click(within(dialog).getByRole('button', { name: 'Cancel 2 lessons' }));
  await waitFor(() => expect(server.count('PUT /api/students/1/status')).toBe(1));
  expect(server.last('PUT /api/students/1/status')?.body).toEqual({
    status: 'paused',
    fromDate: '2026-11-15',
    toDate: null,
  });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(server.count('PUT /api/students/1/status')).toBe(2));
  expect(server.last('PUT /api/students/1/status')?.body).toEqual({ status: 'active' });
});

test('F145 a paused student can be resumed, after the lessons that will go ahead again are shown', async () => {
  const pause = { fromDate: '2026-11-01', toDate: '2026-12-20' };
  const paused = overviewOf({ student: student({ pause }) });
  const { server, dialog } = await openStatus(paused, {
    restored: [sessionRow({ date: '2026-11-24' })],
  });
  expect(
    await within(dialog).findByText(/1 lesson will go ahead again: Tue 24 Nov\./),
  ).toBeTruthy();
  expect(screen.getAllByText('Paused until 20 Dec').length).toBeGreaterThan(0);
  expect(server.last('POST /api/students/1/status/preview')?.body).toEqual({ status: 'active' });
});

test('F144 deleting says how many lessons are cancelled and how much is still owed, and returns to the list', async () => {
  const { user, pathname } = openStudent(
    overview,
    {},
    {
      'GET /api/students/1/delete-preview': () =>
        json(200, { sessions: 4, balances: [{ currency: 'GBP', owed: 7600, credit: 0 }] }),
      'DELETE /api/students/1': () => json(200, { message: 'Student deleted successfully' }),
    },
  );
  await user.click(await screen.findByRole('button', { name: 'More about Maya Hale' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete student', hidden: true }));
  // The family owes £106, of which £76 is for Maya.
  await screen.findByText(
    "4 upcoming lessons will be cancelled. £76 will still be owed for Maya's lessons.",
  );
  await user.click(screen.getByRole('button', { name: 'Delete student' }));
  await waitFor(() => expect(pathname()).toBe('/students'));
});

test('an unknown student shows a message and a link to the list', async () => {
  openStudent(
    overview,
    {},
    {
      'GET /api/students/1': () => json(404, { code: 'not_found', message: 'No' }),
    },
  );
  expect(await screen.findByText('Student not found')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to students' }).getAttribute('href')).toBe(
    '/students',
  );
});

test("at the student's rate, which may be hourly, the price is for the length of the lesson", async () => {
  const [seat] = sessionRow().students;
  const students = seat ? [{ ...seat, fee: 3000, feeSource: 'rate' as const }] : [];
  const rated = sessionRow({ startTime: '16:00', endTime: '16:45', students });
  openStudent(overviewOf({ nextSession: rated, debts }), { tab: 'money' });
  const money = await screen.findByRole('region', { name: 'Money' });
  expect(money.textContent).toContain('£30 for 45 mins');
});

const rate = (fields: object = {}) => ({
  id: 5,
  studentId: 1,
  studentName: 'Maya Hale',
  subjectId: 4,
  subjectName: 'Maths',
  amount: 4000,
  currency: 'GBP',
  unit: 'hour',
  validFrom: '2026-09-01',
  ...fields,
});
const rateHandlers = (rates: object[]) => ({
  'GET /api/rates': () => json(200, rates),
  'GET /api/students': () => json(200, [{ id: 1, name: 'Maya Hale' }]),
  'GET /api/subjects': () => json(200, [{ id: 4, name: 'Maths', currency: 'GBP' }]),
  'PUT /api/rates': () => json(200, { changedSeats: 0 }),
});

test('the money tab shows the current and future rates for each subject, which can be changed', async () => {
  const rates = [
    rate({ id: 4, amount: 3500, validFrom: '2025-09-01' }),
    rate(),
    rate({ id: 6, amount: 4400, validFrom: '2027-01-04' }),
    rate({ id: 7, subjectId: 8, subjectName: 'Physics', unit: 'lesson', amount: 3050 }),
    rate({ id: 8, studentId: 2, subjectName: 'Chess' }),
  ];
  const { user, server } = openStudent(overview, { tab: 'money' }, rateHandlers(rates));
  const section = within(await screen.findByRole('region', { name: 'Rates' }));
  const rows = await section.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'MathsSince 1 Sep£40 an hour',
    'MathsFrom 4 Jan 2027£44 an hour',
    'PhysicsSince 1 Sep£30.50 a lesson',
  ]);
  await user.click(section.getByRole('button', { name: 'Change the rate for Maths from 1 Sep' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change rate' }));
  const amount = dialog.getByRole('textbox', { name: /^Amount/ });
  await user.clear(amount);
  await user.type(amount, '42');
  await user.click(dialog.getByRole('button', { name: 'Save rate' }));
  await waitFor(() =>
    expect(server.last('PUT /api/rates')?.body).toEqual({
      studentId: 1,
      subjectId: 4,
      amount: 42,
      unit: 'hour',
      validFrom: '2026-11-15',
    }),
  );
});

test('without rates, the page says what lessons cost, and a rate can be added for this student', async () => {
  const shown = overviewOf({ student: student({ subjectIds: [4] }) });
  const { user, server } = openStudent(shown, { tab: 'money' }, rateHandlers([]));
  const section = within(await screen.findByRole('region', { name: 'Rates' }));
  expect(
    await section.findByText(
      "No rates yet. Lessons use the subject's default fee unless you enter another one.",
    ),
  ).toBeTruthy();
  await user.click(section.getByRole('button', { name: 'Add rate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add rate' }));
  const field = dialog.getByRole<HTMLInputElement>('combobox', { name: 'Student' });
  await waitFor(() => expect(field.value).toBe('Maya Hale'));
  expect(field.disabled).toBe(true);
  await user.type(dialog.getByRole('textbox', { name: /^Amount/ }), '38');
  await user.click(dialog.getByRole('button', { name: 'Save rate' }));
  await waitFor(() =>
    expect(server.last('PUT /api/rates')?.body).toMatchObject({
      studentId: 1,
      subjectId: 4,
      amount: 38,
    }),
  );
});
