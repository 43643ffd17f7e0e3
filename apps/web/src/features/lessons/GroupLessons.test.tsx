import type { LessonDetails } from '@lessonbook/contract/lessons';
import type { SessionStudent } from '@lessonbook/contract/sessions';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { sessionDetails } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { EditLessonDialog } from './EditLessonDialog.tsx';
import { NewLessonDialog } from './NewLessonDialog.tsx';

const students = [
  { id: 1, name: 'Noah Goldberg', schoolYear: 'Year 11' },
  { id: 2, name: 'Amira Haddad', schoolYear: null },
  { id: 3, name: 'Sam Reid', schoolYear: null },
];
const maths = { id: 4, name: 'Maths', defaultFee: 22, currency: 'GBP', color: 'sky' };
const summary = { changed: 0, created: 1, removed: 0, unchanged: [], overlaps: [], skipped: [] };
const saved = {
  lessonId: 8,
  sessionId: 9,
  consequences: { ...summary, firstDate: '2026-11-17', lastDate: '2026-11-17' },
  moved: [],
};
const lists = {
  'GET /api/me': () => json(200, ada),
  'GET /api/students': () => json(200, students),
  'GET /api/subjects': () => json(200, [maths]),
  'GET /api/time-off': () => json(200, []),
};

async function openNewGroup(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({ ...lists, 'POST /api/lessons': () => json(201, saved), ...handlers });
  const onClose = vi.fn();
  const { user } = await renderComponentSignedIn(<NewLessonDialog opened onClose={onClose} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Lesson' }));
  const select = (field: string, option: string) =>
    selectOption(user, dialog.getByRole('combobox', { name: field }), option);
  await waitFor(() => expect(server.count('GET /api/subjects')).toBe(1));
  await select('Student', 'Noah Goldberg');
  await user.click(dialog.getByRole('button', { name: 'Add another student' }));
  await select('Add a student', 'Amira Haddad');
  await select('Subject', 'Maths');
  return { user, server, dialog, select, onClose };
}

const seatNames = (dialog: ReturnType<typeof within>) =>
  within(dialog.getByRole('group', { name: 'Students' }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p b')?.textContent);

test('the second student turns the lesson into a group with a name, a size and individual prices', async () => {
  const { user, server, dialog, select, onClose } = await openNewGroup();
  const name = dialog.getByLabelText<HTMLInputElement>(/^Group name/);
  await waitFor(() => expect(name.value).toBe('Maths group'));
  await user.clear(name);
  await user.type(name, 'Year 11 maths');
  await select('Add a student', 'Sam Reid');
  expect(seatNames(dialog)).toEqual(['Noah Goldberg', 'Amira Haddad', 'Sam Reid']);
  expect(dialog.getByLabelText<HTMLInputElement>('Price per place').value).toBe('22');
  await user.type(dialog.getByLabelText('Minimum'), '2');
  await user.type(dialog.getByLabelText('Maximum'), '5');
  await user.click(
    dialog.getByRole('button', { name: 'Change the price for Amira Haddad: £22.00' }),
  );
  const own = dialog.getByLabelText('Individual price for Amira Haddad');
  await user.clear(own);
  await user.type(own, '18');
  await user.click(dialog.getByRole('button', { name: 'Change the price for Sam Reid: £22.00' }));
  await user.clear(dialog.getByLabelText('Individual price for Sam Reid'));
  expect(dialog.getByText('Individual price: free')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Save Lesson' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.last('POST /api/lessons')?.body).toMatchObject({
    title: 'Year 11 maths',
    studentId: 1,
    students: [{ studentId: 1 }, { studentId: 2, fee: 18 }, { studentId: 3, fee: null }],
    fee: 22,
    minStudents: 2,
    maxStudents: 5,
  });
});

const rate = {
  id: 1,
  studentId: 1,
  studentName: 'Noah Goldberg',
  subjectId: 4,
  subjectName: 'Maths',
  amount: 3000,
  currency: 'GBP',
  unit: 'lesson',
  validFrom: '2026-11-01',
};
const ratesReply = { 'GET /api/rates': () => json(200, [rate]) };

test('a new group can use the rate of each student instead of one price', async () => {
  const { user, server, dialog, onClose } = await openNewGroup(ratesReply);
  await user.click(await dialog.findByRole('button', { name: "Use each student's rate" }));
  expect(document.activeElement).toBe(dialog.getByLabelText('Price per place'));
  expect(dialog.getByText("The subject's default fee, for students without a rate")).toBeTruthy();
  const rows = within(dialog.getByRole('group', { name: 'Students' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    "NGNoah GoldbergYear 11£30.00Student's rate",
    "AHAmira Haddad£22.00Subject's default fee",
  ]);
  await user.click(dialog.getByRole('button', { name: 'Save Lesson' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.last('POST /api/lessons')?.body).toMatchObject({
    usesRates: true,
    students: [{ studentId: 1 }, { studentId: 2 }],
  });
});

test('with one student left, the lesson is one-to-one again', async () => {
  const { user, server, dialog, onClose } = await openNewGroup();
  await user.click(dialog.getByRole('button', { name: 'Remove Noah Goldberg' }));
  const student = dialog.getByRole<HTMLInputElement>('combobox', { name: 'Student' });
  expect(student.value).toBe('Amira Haddad');
  await waitFor(() =>
    expect(dialog.getByLabelText<HTMLInputElement>(/^Lesson Title/).value).toBe(
      'Amira Haddad - Maths',
    ),
  );
  await user.click(dialog.getByRole('button', { name: 'Save Lesson' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.last('POST /api/lessons')?.body).not.toHaveProperty('students');
});

test('a group with more students than places shows a warning and can be saved anyway', async () => {
  const message = 'This group has 1 place, and this would make 2 students.';
  const { user, server, dialog, onClose } = await openNewGroup({
    'POST /api/lessons': ({ body }) =>
      (body as { acceptFull?: boolean }).acceptFull
        ? json(201, saved)
        : json(409, { code: 'group_full', message }),
  });
  await user.type(dialog.getByLabelText('Maximum'), '1');
  await user.click(dialog.getByRole('button', { name: 'Save Lesson' }));
  const question = within(await screen.findByRole('dialog', { name: 'This group is full' }));
  expect(question.getByText(message)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Save anyway' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.count('POST /api/lessons')).toBe(2);
});

const seat = (studentId: number, fields: Partial<SessionStudent> = {}): SessionStudent => ({
  studentId,
  name: students[studentId - 1]?.name ?? '',
  state: 'expected',
  attendance: null,
  fee: 2200,
  feeSource: 'lesson',
  charged: null,
  outstanding: null,
  paymentId: null,
  ...fields,
});

const groupSession = (seats: SessionStudent[]) =>
  sessionDetails({
    id: 12,
    lessonId: 8,
    title: 'Year 11 maths',
    subjectId: maths.id,
    studentName: seats.map(({ name }) => name).join(', '),
    students: seats,
    fee: 4000,
    familyId: null,
  });

const lesson = (fields: Partial<LessonDetails> = {}): LessonDetails => {
  const { date, startTime, endTime, subjectId, subjectName } = sessionDetails();
  const entry = { fee: null, fromDate: null, toDate: null };
  return {
    id: 8,
    title: 'Year 11 maths',
    date,
    startTime,
    endTime,
    status: 'scheduled',
    fee: 40,
    seatFee: 22,
    minStudents: null,
    maxStudents: 2,
    termCalendarId: null,
    usesRates: false,
    studentId: 1,
    studentName: 'Noah Goldberg, Amira Haddad',
    subjectId,
    subjectName,
    currency: 'GBP',
    usesGoogleMeet: false,
    travelFee: null,
    place: null,
    notes: null,
    isRecurring: false,
    recurringPattern: 'weekly',
    recurringDay: null,
    recurringEndDate: null,
    duration: 60,
    nextSession: null,
    counts: { scheduled: 1, completed: 0, cancelled: 0 },
    continuesLessonId: null,
    students: [
      { studentId: 1, name: 'Noah Goldberg', ...entry },
      { studentId: 2, name: 'Amira Haddad', ...entry, fee: 18 },
    ],
    upcoming: [],
    past: [],
    money: [],
    ...fields,
  };
};

async function openEdit(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({ ...lists, ...handlers });
  const session = groupSession([seat(1), seat(2, { fee: 1800, feeSource: 'student' })]);
  const { user } = await renderComponentSignedIn(
    <EditLessonDialog opened onClose={() => {}} edit={{ lesson: lesson(), session }} />,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Lesson' }));
  return { user, server, dialog };
}

test('a saved group shows its students, and saving a change sends the price per place', async () => {
  const { user, server, dialog } = await openEdit({
    'PUT /api/lessons/8': () => json(200, saved),
  });
  const rows = within(dialog.getByRole('group', { name: 'Students' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'NGNoah Goldberg£22.00Price per place',
    'AHAmira Haddad£18.00Individual price',
  ]);
  const price = dialog.getByLabelText('Price per place');
  await user.clear(price);
  await user.type(price, '24');
  await user.click(dialog.getByRole('button', { name: 'Save Lesson' }));
  await waitFor(() => expect(server.count('PUT /api/lessons/8')).toBe(1));
  expect(server.last('PUT /api/lessons/8')?.body).toMatchObject({
    seatFee: 24,
    minStudents: null,
    maxStudents: 2,
    title: 'Year 11 maths',
  });
  expect(server.last('PUT /api/lessons/8')?.body).not.toHaveProperty('students');
});

test("a saved group can change to its students' rates, and back by entering a price", async () => {
  const { user, server, dialog } = await openEdit({
    ...ratesReply,
    'PUT /api/lessons/8': () => json(200, saved),
  });
  const useRates = await dialog.findByRole('button', { name: "Use each student's rate" });
  await user.click(useRates);
  await user.type(dialog.getByLabelText('Price per place'), '0');
  await user.click(dialog.getByRole('button', { name: "Use each student's rate" }));
  await user.click(dialog.getByRole('button', { name: 'Save Lesson' }));
  await waitFor(() => expect(server.count('PUT /api/lessons/8')).toBe(1));
  expect(server.last('PUT /api/lessons/8')?.body).toMatchObject({ usesRates: true });
});

test('a student can join from a chosen date, even if the group is full', async () => {
  const message = 'This group has 2 places, and this would make 3 students.';
  const { user, server, dialog } = await openEdit({
    'POST /api/lessons/8/students': ({ body }) =>
      (body as { acceptFull?: boolean }).acceptFull
        ? json(201, lesson())
        : json(409, { code: 'group_full', message }),
  });
  await user.click(dialog.getByRole('button', { name: 'Add a student' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Add a student' }));
  await waitFor(() => expect(server.count('GET /api/students')).toBe(1));
  await selectOption(user, modal.getByRole('combobox', { name: 'Student' }), 'Sam Reid');
  await user.click(modal.getByRole('button', { name: 'Add student' }));
  expect(await modal.findByText(message)).toBeTruthy();
  await user.click(modal.getByRole('button', { name: 'Add anyway' }));
  expect(await screen.findByText('Student added to the lesson')).toBeTruthy();
  expect(server.last('POST /api/lessons/8/students')?.body).toEqual({
    studentId: 3,
    from: sessionDetails().date,
    acceptFull: true,
  });
});

test('a student can leave from a chosen date', async () => {
  const { user, server, dialog } = await openEdit({
    'DELETE /api/lessons/8/students/2': () => json(200, lesson()),
  });
  await user.click(dialog.getByRole('button', { name: 'Remove Amira Haddad' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Remove Amira' }));
  await user.click(modal.getByRole('button', { name: 'Remove student' }));
  expect(await screen.findByText('Student removed from the lesson')).toBeTruthy();
  expect(server.last('DELETE /api/lessons/8/students/2')?.url).toContain(
    `?from=${sessionDetails().date}`,
  );
});

async function openGroupPage(
  seats: SessionStudent[],
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const session = groupSession(seats);
  const server = mockApi({
    ...lists,
    'GET /api/sessions/12': () => json(200, session),
    'GET /api/sessions/12/students': () => json(200, []),
    ...handlers,
  });
  const app = renderApp('/sessions/12');
  await screen.findByRole('heading', { level: 1, name: /^Year 11 maths/ });
  return { ...app, server, session };
}

const proposal = {
  noticeMinutes: 120,
  fee: 1800,
  currency: 'GBP',
  reason: '2 h notice: £18',
  freeUntil: '2026-11-14T17:45:00Z',
};

test('one place can be cancelled with its own fee, and the lesson goes ahead for the others', async () => {
  const { user, server, session } = await openGroupPage(
    [seat(1), seat(2, { fee: 1800, feeSource: 'student' }), seat(3, { state: 'cancelled' })],
    { 'GET /api/sessions/12/students/2/cancellation': () => json(200, proposal) },
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^Year 11 maths · 2/);
  const card = screen.getByText('2 students expected').closest('section') as HTMLElement;
  expect(
    within(card)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual([
    'NGNoah GoldbergExpected£22.00Price per placeCancel place',
    'AHAmira HaddadExpected£18.00Individual priceCancel place',
    'SRSam ReidCancelledNo chargeRestore place',
  ]);
  server.handlers['POST /api/sessions/12/students/2/cancel'] = () => json(200, session);
  await user.click(screen.getByRole('button', { name: 'Cancel place, Amira Haddad' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Cancel for Amira' }));
  expect(modal.getByText('The lesson will go ahead for the other students.')).toBeTruthy();
  await user.click(modal.getByRole('radio', { name: 'Carer' }));
  await user.click(await modal.findByRole('button', { name: 'Cancel and charge £18' }));
  await waitFor(() =>
    expect(server.last('POST /api/sessions/12/students/2/cancel')?.body).toEqual({
      cancelledBy: 'carer',
      chargeFee: true,
    }),
  );
});

test('cancelling the last place warns that the lesson will be cancelled', async () => {
  const { user } = await openGroupPage([seat(1), seat(3, { state: 'cancelled' })]);
  await user.click(screen.getByRole('button', { name: 'Cancel place, Noah Goldberg' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Cancel lesson' }));
  expect(
    modal.getByText('Noah is the only student still expected, so this will cancel the lesson.'),
  ).toBeTruthy();
});

test('a cancelled place can be restored', async () => {
  const { user, server, session } = await openGroupPage([
    seat(1),
    seat(2),
    seat(3, { state: 'cancelled' }),
  ]);
  server.handlers['POST /api/sessions/12/students/3/restore'] = () => json(200, session);
  await user.click(screen.getByRole('button', { name: 'Restore place, Sam Reid' }));
  expect(await screen.findByText('Place restored')).toBeTruthy();
});
