import type { ChangeSummary, LessonDetails } from '@lessonbook/contract/lessons';
import type { Session } from '@lessonbook/contract/sessions';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { openCalendar } from '../../test/select-option.ts';
import { ada } from '../../test/user-fixtures.ts';
import { DeleteLessonModal } from './DeleteLessonModal.tsx';
import { EditLessonDialog } from './EditLessonDialog.tsx';

const sharedFields = {
  title: 'Maya - Maths',
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
  studentId: 3,
  studentName: 'Maya',
  subjectId: 4,
  subjectName: 'Maths',
  fee: 35,
  currency: 'GBP',
  place: null,
  usesGoogleMeet: false,
  travelFee: null,
  notes: null,
  status: 'scheduled',
} as const;

const lesson = (fields: Partial<LessonDetails> = {}): LessonDetails => ({
  ...sharedFields,
  seatFee: 35,
  minStudents: null,
  maxStudents: null,
  id: 8,
  usesRates: false,
  isRecurring: true,
  recurringPattern: 'weekly',
  recurringDay: 2,
  recurringEndDate: null,
  termCalendarId: null,
  duration: 60,
  nextSession: null,
  counts: { scheduled: 12, completed: 0, cancelled: 0 },
  continuesLessonId: null,
  students: [],
  upcoming: [],
  past: [],
  money: [],
  ...fields,
});

const session: Session = {
  ...sharedFields,
  fee: 3500,
  id: 20,
  lessonId: 8,
  subjectColor: 'sky',
  isRecurring: true,
  charged: null,
  outstanding: null,
  paymentId: null,
  students: [],
  duration: 60,
  attendance: null,
  cancelledBy: null,
  cancelReason: null,
  rescheduledToSessionId: null,
  rescheduledFromSessionId: null,
  rescheduledTo: null,
  rescheduledFrom: null,
  invoice: null,
  familyId: null,
  previousNotes: null,
};

const summary = (fields: Partial<ChangeSummary>): ChangeSummary => ({
  changed: 0,
  created: 0,
  removed: 0,
  unchanged: [],
  firstDate: '2026-11-17',
  lastDate: '2027-02-02',
  overlaps: [],
  skipped: [],
  outsideTerms: [],
  ...fields,
});

const affectedCounts = { this: 1, following: 12, all: 14 };
const PREVIEW = 'POST /api/lessons/8/preview';
const PUT = 'PUT /api/lessons/8';
type Change = { scope: keyof typeof affectedCounts; includeEdited?: boolean };

async function openEdit(
  handlers: Parameters<typeof mockApi>[0] = {},
  edit: { lesson?: LessonDetails; session?: Session; from?: 'session' | 'lesson' } = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/students': () => json(200, []),
    'GET /api/subjects': () => json(200, []),
    'GET /api/time-off': () => json(200, []),
    [PREVIEW]: ({ body }) =>
      json(
        200,
        summary({ changed: affectedCounts[(body as Change).scope], lastDate: '2027-02-02' }),
      ),
    [PUT]: () => json(200, { lessonId: 8, sessionId: 20, consequences: summary({}), moved: [] }),
    ...handlers,
  });
  const onClose = vi.fn();
  const { user } = await renderComponentSignedIn(
    <EditLessonDialog opened onClose={onClose} edit={{ lesson: lesson(), session, ...edit }} />,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Edit Lesson' });
  const start = within(dialog).getByRole('combobox', { name: 'Start' });
  async function moveTo(time: string) {
    await user.clear(start);
    await user.type(start, time);
    await user.tab();
  }
  const save = () => user.click(within(dialog).getByRole('button', { name: 'Save Lesson' }));
  const modal = () => screen.findByRole('dialog', { name: 'Which lessons do you want to change?' });
  return { user, server, dialog, moveTo, save, modal, onClose };
}

const seat: Session['students'][number] = {
  studentId: 3,
  name: 'Maya',
  state: 'expected',
  attendance: null,
  fee: 3500,
  feeSource: 'lesson',
  charged: null,
  outstanding: null,
  paymentId: null,
};
const maths = { id: 4, name: 'Maths', defaultFee: 38, currency: 'GBP', color: 'sky' };
const rate = {
  id: 1,
  studentId: 3,
  studentName: 'Maya',
  subjectId: 4,
  subjectName: 'Maths',
  amount: 4000,
  currency: 'GBP',
  unit: 'hour',
  validFrom: '2026-11-01',
};

describe('an entered fee', () => {
  const lists = {
    'GET /api/subjects': () => json(200, [maths]),
    'GET /api/rates': () => json(200, [rate]),
  };
  const edit = { session: { ...session, students: [seat] } };

  test("is replaced by the student's rate for the chosen lessons", async () => {
    const { user, server, dialog, save, onClose } = await openEdit(lists, edit);
    const fee = within(dialog).getByLabelText<HTMLInputElement>('Fee');
    expect(fee.value).toBe('35');
    await user.click(await within(dialog).findByRole('button', { name: "Use the student's rate" }));
    expect(fee.value).toBe('40');
    expect(document.activeElement).toBe(fee);
    expect(within(dialog).getByText("Student's rate: £40.00 an hour")).toBeTruthy();
    expect(within(dialog).queryByRole('button', { name: /^Use the/ })).toBeNull();
    await save();
    await user.click(await screen.findByRole('radio', { name: /This and following/ }));
    await user.click(await screen.findByRole('button', { name: 'Change 12 lessons' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(server.last(PREVIEW)?.body).toMatchObject({ usesRates: true });
    expect(server.last(PUT)?.body).toMatchObject({ scope: 'following', usesRates: true });
  });

  test('can be entered again, and no rate is offered if the fee already follows it', async () => {
    const { user, server, dialog, save } = await openEdit(lists, {
      lesson: lesson({ isRecurring: false }),
      session: { ...edit.session, isRecurring: false },
    });
    await user.click(await within(dialog).findByRole('button', { name: "Use the student's rate" }));
    const fee = within(dialog).getByLabelText('Fee');
    await user.clear(fee);
    await user.type(fee, '42');
    expect(within(dialog).getByRole('button', { name: "Use the student's rate" })).toBeTruthy();
    await save();
    await waitFor(() => expect(server.count(PUT)).toBe(1));
    expect(server.last(PUT)?.body).toMatchObject({ fee: 42, usesRates: false });
    cleanup();
    const automatic = { ...session, students: [{ ...seat, feeSource: 'rate' as const }] };
    const again = await openEdit(lists, { session: automatic });
    expect(await within(again.dialog).findByText(/^Student's rate/)).toBeTruthy();
    expect(within(again.dialog).queryByRole('button', { name: /^Use the/ })).toBeNull();
  });
});

const selectedScope = () => screen.getByRole<HTMLInputElement>('radio', { checked: true }).value;

test('asks for the scope of a move and shows the count on the button', async () => {
  const { user, moveTo, save, modal, server, onClose } = await openEdit();
  await moveTo('17:00');
  await save();
  expect(within(await modal()).getByText('Tue 16:00 → Tue 17:00')).toBeTruthy();
  expect(selectedScope()).toBe('this');
  expect(await screen.findByRole('button', { name: 'Move 1 lesson' })).toBeTruthy();
  expect(await screen.findByText('14 lessons')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: /This and following/ }));
  expect(
    await screen.findByText('12 lessons will move: Tue 17 Nov to Tue 2 Feb 2027'),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Move 12 lessons' }));
  expect(await screen.findByText('Lesson updated successfully')).toBeTruthy();
  expect(server.last(PUT)?.body).toMatchObject({
    scope: 'following',
    sessionId: 20,
    startTime: '17:00',
    endTime: '18:00',
    includeEdited: false,
    acceptOverlaps: false,
  });
  expect(onClose).toHaveBeenCalledOnce();
});

test('preselects this and following for a different weekday', async () => {
  const { user, dialog, save, modal } = await openEdit();
  await openCalendar(user, within(dialog).getByRole('button', { name: 'Calendar for Date' }));
  await user.click(await screen.findByRole('button', { name: '19 November 2026', hidden: true }));
  await save();
  expect(within(await modal()).getByText('Tue 16:00 → Thu 16:00')).toBeTruthy();
  expect(selectedScope()).toBe('following');
});

test('preselects this and following on the lesson page, and labels the button Change if nothing moves', async () => {
  const { user, dialog, save, modal } = await openEdit({}, { from: 'lesson' });
  await user.type(within(dialog).getByLabelText('Location'), 'Library');
  await save();
  await modal();
  expect(selectedScope()).toBe('following');
  expect(await screen.findByRole('button', { name: 'Change 12 lessons' })).toBeTruthy();
});

test('does not allow a new recurrence for a single lesson', async () => {
  const { user, dialog, save, modal } = await openEdit();
  await user.click(within(dialog).getByLabelText('Recurring Lesson'));
  await save();
  await modal();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Only this/ }).disabled).toBe(true);
  expect(selectedScope()).toBe('following');
});

test('lists unchanged lessons with the reason, and can include edited ones', async () => {
  const { user, moveTo, save, modal, server } = await openEdit(
    {
      [PREVIEW]: ({ body }) => {
        const { includeEdited } = body as Change;
        const completed = { reason: 'completed', count: 2 } as const;
        const edited = { reason: 'edited', count: 1 } as const;
        const unchanged = includeEdited ? [completed] : [completed, edited];
        return json(200, summary({ changed: includeEdited ? 10 : 9, unchanged }));
      },
    },
    { from: 'lesson' },
  );
  await moveTo('17:00');
  await save();
  await modal();
  const text = "Won't change: 2 already completed, 1 edited individually";
  expect(await screen.findByText(text)).toBeTruthy();
  await user.click(screen.getByLabelText("Also change lessons you've edited individually"));
  await user.click(await screen.findByRole('button', { name: 'Move 10 lessons' }));
  await waitFor(() => expect(server.count(PUT)).toBe(1));
  expect(server.last(PUT)?.body).toMatchObject({ includeEdited: true });
});

test('lists overlaps in the preview, so submitting accepts them', async () => {
  const overlap = {
    date: '2026-11-17',
    startTime: '17:00',
    endTime: '18:00',
    withSessionId: 30,
    withTitle: 'Noah - Art',
    withStartTime: '17:30',
    withEndTime: '18:30',
  };
  const { user, moveTo, save, modal, server } = await openEdit({
    [PREVIEW]: () => json(200, summary({ changed: 1, overlaps: [overlap] })),
  });
  await moveTo('17:00');
  await save();
  expect(await within(await modal()).findByText('Noah - Art')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Move 1 lesson' }));
  await waitFor(() => expect(server.count(PUT)).toBe(1));
  expect(server.last(PUT)?.body).toMatchObject({ scope: 'this', acceptOverlaps: true });
});

test('closes without a request when nothing has changed', async () => {
  const { save, onClose, server } = await openEdit();
  await save();
  expect(onClose).toHaveBeenCalledOnce();
  expect(server.count(PREVIEW) + server.count(PUT)).toBe(0);
});

test('saves a one-time lesson without asking for the scope', async () => {
  const { moveTo, save, server } = await openEdit({}, { lesson: lesson({ isRecurring: false }) });
  await moveTo('17:00');
  await save();
  await waitFor(() => expect(server.count(PUT)).toBe(1));
  expect(server.last(PUT)?.body).toMatchObject({ scope: 'this', sessionId: 20 });
});

async function openDelete(isRecurring: boolean) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/lessons/8/delete-preview': ({ url }) => {
      const scope = new URLSearchParams(url.split('?')[1]).get(
        'scope',
      ) as keyof typeof affectedCounts;
      return json(200, summary({ removed: affectedCounts[scope] }));
    },
    'DELETE /api/lessons/8': () => json(200, summary({ removed: 12 })),
  });
  const onDeleted = vi.fn();
  const { user } = await renderComponentSignedIn(
    <DeleteLessonModal
      lesson={lesson({ isRecurring })}
      session={session}
      opened
      onClose={() => {}}
      onDeleted={onDeleted}
    />,
  );
  return { server, user, onDeleted };
}

test('asks for the scope when deleting a recurring lesson and shows the count on the button', async () => {
  const { server, user, onDeleted } = await openDelete(true);
  expect(await screen.findByRole('button', { name: 'Delete 1 lesson' })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: /This and following/ }));
  expect(await screen.findByText(/12 lessons will be deleted, with no charge/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Delete 12 lessons' }));
  await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce());
  expect(server.last('DELETE /api/lessons/8')?.url).toContain('scope=following&sessionId=20');
});

test('asks only for confirmation when deleting a one-time lesson', async () => {
  const { user, onDeleted } = await openDelete(false);
  expect(await screen.findByText('Delete this lesson?')).toBeTruthy();
  expect(screen.queryByRole('radio')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Delete 1 lesson' }));
  await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce());
});

test('F112 moving a series can be undone', async () => {
  const skipped = [{ sessionId: 31, date: '2026-12-22' }];
  const { user, moveTo, save, modal, server } = await openEdit({
    [PUT]: () =>
      json(200, {
        lessonId: 9,
        sessionId: 20,
        consequences: summary({ changed: 12, skipped }),
        moved: [],
      }),
    'PUT /api/lessons/9': () =>
      json(200, { lessonId: 9, sessionId: 20, consequences: summary({ changed: 12 }), moved: [] }),
  });
  await moveTo('17:00');
  await save();
  await modal();
  await user.click(screen.getByRole('radio', { name: /This and following/ }));
  await user.click(await screen.findByRole('button', { name: 'Move 12 lessons' }));
  expect(await screen.findByText('12 lessons moved.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Lessons moved back')).toBeTruthy();
  expect(server.last('PUT /api/lessons/9')?.body).toMatchObject({
    scope: 'following',
    sessionId: 20,
    date: '2026-11-17',
    startTime: '16:00',
    endTime: '17:00',
    restoreSessionIds: [31],
    acceptOverlaps: true,
  });
});

test.each([
  ['2027-02-02', '1 lesson will be removed: after the end date, Tue 2 Feb 2027'],
  [
    null,
    '1 lesson will be removed for now: lessons are planned one year ahead, and more will be added automatically',
  ],
])('F112 says why a lesson is removed when the end date is %s', async (end, text) => {
  const { moveTo, save, modal } = await openEdit(
    { [PREVIEW]: () => json(200, summary({ changed: 11, removed: 1 })) },
    { lesson: lesson({ recurringEndDate: end }) },
  );
  await moveTo('17:00');
  await save();
  await modal();
  expect(await screen.findByText(text)).toBeTruthy();
});

test('the options, the summary and the button show the same count', async () => {
  const skipped = [{ sessionId: 31, date: '2026-12-22' }];
  const { moveTo, save, modal } = await openEdit({
    [PREVIEW]: () => json(200, summary({ changed: 43, created: 2, removed: 8, skipped })),
  });
  await moveTo('17:00');
  await save();
  const dialog = within(await modal());
  expect(await dialog.findByRole('button', { name: 'Move 43 lessons' })).toBeTruthy();
  expect(dialog.getByRole('radio', { name: 'This and following 43 lessons' })).toBeTruthy();
  expect(dialog.getByText(/^43 lessons will move: /)).toBeTruthy();
  expect(dialog.getByText('2 lessons will be added')).toBeTruthy();
  expect(dialog.getByText(/^8 lessons will be removed/)).toBeTruthy();
  expect(
    dialog.getByText('Of these, 1 will be cancelled because of your time off: Tue 22 Dec'),
  ).toBeTruthy();
});

test.each([
  [{ created: 5 }, 'Add 5 lessons'],
  [{ removed: 1 }, 'Remove 1 lesson'],
])('the button says what happens if no existing lesson changes: %o', async (counts, label) => {
  const { moveTo, save } = await openEdit({ [PREVIEW]: () => json(200, summary(counts)) });
  await moveTo('17:00');
  await save();
  expect(await screen.findByRole('button', { name: label })).toBeTruthy();
});
