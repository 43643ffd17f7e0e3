import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createDeferredReply, json, neverReplies } from '../../test/mock-api.ts';
import {
  maths,
  maya,
  openNewLessonDialog,
  POST,
  saved,
} from '../../test/open-new-lesson-dialog.tsx';
import { openCalendar, selectOption } from '../../test/select-option.ts';

test.each([
  ['the student', ['student', 'subject']],
  ['the subject', ['subject', 'student']],
] as const)(
  'fills in the title when student and subject are created together and %s is saved first',
  async (_, order) => {
    const replies = { student: createDeferredReply(), subject: createDeferredReply() };
    const { user, server, field, text, dialog } = await openNewLessonDialog({
      'POST /api/students': replies.student.handler,
      'POST /api/subjects': replies.subject.handler,
    });
    const add = async (label: string, name: string) => {
      await user.type(field(label), name);
      const option = { name: `Add “${name}”`, hidden: true };
      await user.click(await screen.findByRole('option', option));
    };
    await add('Student', 'Noah');
    await add('Subject', 'Physics');
    expect(within(dialog).getAllByPlaceholderText('Adding...')).toHaveLength(2);
    await user.type(text('Default fee for Physics (GBP)'), '42{Enter}');

    const saves = {
      student: ['GET /api/students', { ...maya, id: 5, name: 'Noah' }],
      subject: ['GET /api/subjects', { ...maths, id: 6, name: 'Physics' }],
    } as const;
    for (const kind of order) {
      const [list, created] = saves[kind];
      server.handlers[list] = () => json(200, [created]);
      replies[kind].reply(json(201, created));
      const label = kind === 'student' ? 'Student' : 'Subject';
      await waitFor(() => expect(field(label).disabled).toBe(false));
    }
    await waitFor(() => expect(text(/^Lesson Title/).value).toBe('Noah - Physics'));
  },
);

test('[LESS-15] defaults to GBP until a subject is selected', async () => {
  const { field, text, chooseStudentAndSubject } = await openNewLessonDialog();
  expect(field('Currency').value).toBe('GBP');
  await chooseStudentAndSubject();
  expect(field('Currency').value).toBe('EUR');
  expect(text('Fee').value).toBe('35');
  expect(text(/^Lesson Title/).value).toBe('Maya - Maths');
});

test('F100 keeps a typed fee when the subject is selected or changed', async () => {
  const art = { ...maths, id: 6, name: 'Art', defaultFee: 20, currency: 'GBP' };
  const { user, field, text, fill, save, sentBody, server } = await openNewLessonDialog({
    'GET /api/subjects': () => json(200, [maths, art]),
  });
  await selectOption(user, field('Student'), 'Maya');
  await fill(text('Fee'), '28');
  await selectOption(user, field('Subject'), 'Maths');
  await selectOption(user, field('Subject'), 'Art');
  expect([text('Fee').value, field('Currency').value]).toEqual(['28', 'GBP']);
  await save();
  await waitFor(() => expect(server.count(POST)).toBe(1));
  expect(sentBody()).toMatchObject({ subjectId: 6, fee: 28, currency: 'GBP' });
});

test('F100 asks for the rate of a subject that is added in the dialog', async () => {
  const piano = { ...maths, id: 7, name: 'Piano', defaultFee: 42, currency: 'GBP' };
  const { user, field, text, dialog, server } = await openNewLessonDialog({
    'POST /api/subjects': () => json(201, piano),
  });
  await user.type(field('Subject'), 'Piano{Enter}');
  const rate = text('Default fee for Piano (GBP)');
  expect(document.activeElement).toBe(rate);
  expect(rate.value).toBe('');
  await user.click(within(dialog).getByRole('button', { name: 'Add subject' }));
  expect(screen.getByText('Please enter a default fee')).toBeTruthy();
  expect(server.count('POST /api/subjects')).toBe(0);
  await user.type(rate, '42{Enter}');
  await waitFor(() => expect(field('Subject').value).toBe('Piano'));
  expect(server.last('POST /api/subjects')?.body).toMatchObject({ name: 'Piano', defaultFee: 42 });
  expect(text('Fee').value).toBe('42');
  expect(server.count(POST)).toBe(0);
});

test('F113 selects the subject that the student takes, or offers to add it', async () => {
  const noah = { ...maya, id: 5, name: 'Noah', subject: 'Piano' };
  const { user, field, text } = await openNewLessonDialog({
    'GET /api/students': () => json(200, [{ ...maya, subject: 'maths' }, noah]),
  });
  await selectOption(user, field('Student'), 'Noah');
  await user.click(field('Subject'));
  expect(await screen.findByRole('option', { name: 'Add “Piano”', hidden: true })).toBeTruthy();
  await selectOption(user, field('Student'), 'Maya');
  await waitFor(() => expect(field('Subject').value).toBe('Maths'));
  expect(text('Fee').value).toBe('35');
});

test('[LESS-24] does not allow an end date before today', async () => {
  const { user, dialog } = await openNewLessonDialog();
  await user.click(within(dialog).getByLabelText('Recurring Lesson'));
  await openCalendar(user, within(dialog).getByRole('button', { name: 'Calendar for End Date' }));
  const day = (name: string) =>
    screen.findByRole<HTMLButtonElement>('button', { name, hidden: true });
  expect((await day('14 November 2026')).disabled).toBe(true);
  expect((await day('15 November 2026')).disabled).toBe(false);
});

test('[LESS-24] does not allow an end date before the lesson', async () => {
  const { user, dialog } = await openNewLessonDialog({}, { date: '2026-11-20' });
  await user.click(within(dialog).getByLabelText('Recurring Lesson'));
  await openCalendar(user, within(dialog).getByRole('button', { name: 'Calendar for End Date' }));
  const day = (name: string) =>
    screen.findByRole<HTMLButtonElement>('button', { name, hidden: true });
  expect((await day('19 November 2026')).disabled).toBe(true);
  await user.click(await day('20 November 2026'));
  const field = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'End Date' });
  expect(field.value).toBe('Nov 20, 2026');
});

test('[CONST-12] starts the weeks of the date picker on Monday', async () => {
  const { user, dialog } = await openNewLessonDialog();
  await openCalendar(user, within(dialog).getByRole('button', { name: 'Calendar for Date' }));
  const days = await screen.findAllByRole('columnheader', { hidden: true });
  expect(days.map((day) => day.textContent)).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
});

test('[LESS-25] closes the dialog on Cancel after asking, without sending a request', async () => {
  const { user, dialog, chooseStudentAndSubject, onClose, server } = await openNewLessonDialog();
  await chooseStudentAndSubject();
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(onClose).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.count(POST)).toBe(0);
});

test('[LESS-27, LESS-28] shows Saving... and disables the button while submitting', async () => {
  const { chooseStudentAndSubject, save } = await openNewLessonDialog({ [POST]: neverReplies });
  await chooseStudentAndSubject();
  await save();
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Saving...' });
  expect(button.disabled).toBe(true);
});

test('[LESS-35, LESS-36, LESS-40] requires a student, a subject and a title, and focuses the first', async () => {
  const { save, server, field } = await openNewLessonDialog();
  await save();
  for (const message of ['Student is required', 'Subject is required', 'Title is required']) {
    expect(screen.getByText(message)).toBeTruthy();
  }
  expect(document.activeElement).toBe(field('Student'));
  expect(server.count(POST)).toBe(0);
});

test('[LESS-37] requires a date', async () => {
  const { chooseStudentAndSubject, save, server, dialog } = await openNewLessonDialog(
    {},
    { date: '' },
  );
  await chooseStudentAndSubject();
  await save();
  expect(screen.getByText('Date is required')).toBeTruthy();
  expect(document.activeElement).toBe(within(dialog).getByRole('textbox', { name: 'Date' }));
  expect(server.count(POST)).toBe(0);
});

test.each([
  ['[LESS-38]', 'Start', 'Start time is required'],
  ['[LESS-39]', 'End', 'End time is required'],
])('%s requires the time field %s', async (_, label, message) => {
  const { chooseStudentAndSubject, fill, save, field, server } = await openNewLessonDialog();
  await chooseStudentAndSubject();
  await fill(field(label), '');
  await save();
  expect(screen.getByText(message)).toBeTruthy();
  expect(server.count(POST)).toBe(0);
});

test.each(['09:00', '8.30'])(
  '[LESS-44] rejects an end time of %s that is not after the start',
  async (end) => {
    const { chooseStudentAndSubject, fill, save, field, server } = await openNewLessonDialog();
    await chooseStudentAndSubject();
    await fill(field('End'), end);
    await save();
    expect(screen.getByText('End time must be after start time')).toBeTruthy();
    expect(server.count(POST)).toBe(0);
  },
);

test('[LESS-43] sends null for an empty fee and shows Free lesson', async () => {
  const { chooseStudentAndSubject, fill, text, save, server, sentBody } =
    await openNewLessonDialog();
  await chooseStudentAndSubject();
  await fill(text('Fee'), '');
  expect(screen.getByText('Free lesson')).toBeTruthy();
  await save();
  await waitFor(() => expect(server.count(POST)).toBe(1));
  expect(sentBody().fee).toBeNull();
});

test('[API-16, API-17, API-18] sends the fields and the duration, with ids as numbers', async () => {
  const { chooseStudentAndSubject, fill, field, text, save, sentBody, onSaved, onClose } =
    await openNewLessonDialog();
  await chooseStudentAndSubject();
  await fill(field('Start'), '1630');
  expect(field('End').value).toBe('17:30');
  await fill(text('Location'), 'Library');
  await fill(text('Notes'), 'Bring the book');
  await save();
  expect(await screen.findByText('Lesson created successfully')).toBeTruthy();
  expect(sentBody()).toMatchObject({
    studentId: 3,
    subjectId: 4,
    title: 'Maya - Maths',
    date: '2026-11-15',
    startTime: '16:30',
    endTime: '17:30',
    duration: 60,
    fee: 35,
    currency: 'EUR',
    place: 'Library',
    notes: 'Bring the book',
    isRecurring: false,
    acceptOverlaps: false,
  });
  expect(onSaved).toHaveBeenCalledWith({ lessonId: 8, sessionId: 9, date: '2026-11-15' });
  expect(onClose).toHaveBeenCalledOnce();
});

test('[CONST-19] preselects Weekly when Recurring is checked and shows the next dates', async () => {
  const { user, dialog, chooseStudentAndSubject, save, sentBody, server, field } =
    await openNewLessonDialog();
  await chooseStudentAndSubject();
  await user.click(within(dialog).getByLabelText('Recurring Lesson'));
  expect(field('Repeat').value).toBe('Weekly');
  expect(
    screen.getByText(/Next: Sun 22 Nov, Sun 29 Nov, Sun 6 Dec, with no end date/),
  ).toBeTruthy();
  await save();
  await waitFor(() => expect(server.count(POST)).toBe(1));
  expect(sentBody()).toMatchObject({ isRecurring: true, recurringPattern: 'weekly' });
});

test('F101 starts a recurrence from today if its first date is in the past, unless earlier lessons are included', async () => {
  const { user, dialog, chooseStudentAndSubject, save, sentBody, server } =
    await openNewLessonDialog({}, { date: '2026-09-07' });
  await chooseStudentAndSubject();
  await user.click(within(dialog).getByLabelText('Recurring Lesson'));
  expect(screen.getByLabelText<HTMLInputElement>('Start from today').checked).toBe(true);
  await user.click(screen.getByLabelText('Mark earlier lessons as completed and paid'));
  await user.click(screen.getByLabelText('Mark earlier lessons as completed, not yet paid'));
  await save();
  await waitFor(() => expect(server.count(POST)).toBe(1));
  expect(sentBody().pastSessions).toBe('unpaid');
});

test('creates a student who is not in the list', async () => {
  const lena = { ...maya, id: 5, name: 'Lena' };
  const { user, field, server, text } = await openNewLessonDialog({
    'POST /api/students': () => {
      server.handlers['GET /api/students'] = () => json(200, [maya, lena]);
      return json(201, lena);
    },
  });
  await selectOption(user, field('Subject'), 'Maths');
  await user.type(field('Student'), 'Lena{Enter}');
  await waitFor(() => expect(text(/^Lesson Title/).value).toBe('Lena - Maths'));
  expect(server.last('POST /api/students')?.body).toEqual({ name: 'Lena' });
  expect(field('Student').value).toBe('Lena');
  expect(server.count(POST)).toBe(0);
});

test('Save and add another keeps the subject and starts at the previous end time', async () => {
  const { user, dialog, chooseStudentAndSubject, field, text, server, onClose } =
    await openNewLessonDialog();
  await chooseStudentAndSubject();
  await user.click(within(dialog).getByRole('button', { name: 'Save and add another' }));
  await waitFor(() => expect(field('Start').value).toBe('10:00'));
  expect([field('End').value, field('Subject').value]).toEqual(['11:00', 'Maths']);
  expect([field('Student').value, text(/^Lesson Title/).value]).toEqual(['', '']);
  expect(server.count(POST)).toBe(1);
  expect(onClose).not.toHaveBeenCalled();
});

const overlap = {
  code: 'overlap',
  message: 'This overlaps with Noah - Art.',
  overlaps: [
    {
      date: '2026-11-15',
      startTime: '09:00',
      endTime: '10:00',
      withSessionId: 12,
      withTitle: 'Noah - Art',
      withStartTime: '09:30',
      withEndTime: '10:30',
    },
  ],
};

test('asks the tutor to confirm an overlap and saves with a new idempotency key', async () => {
  const { user, field, chooseStudentAndSubject, save, sentBody, server } =
    await openNewLessonDialog({
      [POST]: ({ body }) =>
        (body as { acceptOverlaps: boolean }).acceptOverlaps
          ? json(201, saved)
          : json(409, overlap),
    });
  await chooseStudentAndSubject();
  await save();
  const question = { name: 'This lesson overlaps another' };
  await user.click(
    within(await screen.findByRole('dialog', question)).getByRole('button', { name: 'Go back' }),
  );
  await waitFor(() => expect(document.activeElement).toBe(field('Start')));
  await save();
  const modal = await screen.findByRole('dialog', question);
  expect(modal.textContent).toContain('Sun 15 Nov, 09:30–10:30');
  expect(modal.textContent).toContain('Noah - Art');
  await user.click(within(modal).getByRole('button', { name: 'Save anyway' }));
  expect(await screen.findByText('Lesson created successfully')).toBeTruthy();
  expect(sentBody().acceptOverlaps).toBe(true);
  const keys = server.calls
    .filter(({ name }) => name === POST)
    .map(({ init }) => new Headers(init.headers).get('Idempotency-Key'));
  expect(keys).toHaveLength(3);
  expect(keys[2]).not.toBe(keys[1]);
});

test('[ERR-19] shows an error when the lesson cannot be created, and retries with the same idempotency key', async () => {
  const { chooseStudentAndSubject, save, server } = await openNewLessonDialog({
    [POST]: () => json(500, {}),
  });
  await chooseStudentAndSubject();
  await save();
  expect(await screen.findByText('Failed to create lesson. Please try again.')).toBeTruthy();
  await save();
  await waitFor(() => expect(server.count(POST)).toBe(2));
  const keys = server.calls
    .filter(({ name }) => name === POST)
    .map(({ init }) => new Headers(init.headers).get('Idempotency-Key'));
  expect(keys[0]).toBeTruthy();
  expect(keys[0]).toBe(keys[1]);
});

const halfTerm = {
  id: 6,
  fromDate: '2026-12-21',
  toDate: '2027-01-01',
  startTime: null,
  endTime: null,
  reason: 'Christmas',
  restorableSessions: 0,
};

test('F104 asks before a lesson is saved during time off', async () => {
  const { user, server, dialog, chooseStudentAndSubject, save, onClose } =
    await openNewLessonDialog(
      { 'GET /api/time-off': () => json(200, [halfTerm]) },
      { date: '2026-12-22' },
    );
  await chooseStudentAndSubject();
  await save();
  const question = await screen.findByRole('dialog', { name: 'You have time off then' });
  expect(question.textContent).toContain('Christmas, Mon 21 Dec to Fri 1 Jan 2027');
  expect(server.count(POST)).toBe(0);
  await user.click(within(question).getByRole('button', { name: 'Go back' }));
  expect(dialog.isConnected).toBe(true);
  await save();
  await user.click(await screen.findByRole('button', { name: 'Save anyway' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.last(POST)?.body).toMatchObject({ date: '2026-12-22', acceptOverlaps: false });
});

test('F132 the preview of a weekly lesson says which dates are skipped because of time off', async () => {
  const { user, dialog, chooseStudentAndSubject, save } = await openNewLessonDialog(
    {
      'GET /api/time-off': () => json(200, [halfTerm]),
      [POST]: () =>
        json(201, {
          ...saved,
          consequences: {
            ...saved.consequences,
            skipped: [
              { sessionId: 10, date: '2026-12-22' },
              { sessionId: 11, date: '2026-12-29' },
            ],
          },
        }),
    },
    { date: '2026-11-17' },
  );
  await chooseStudentAndSubject();
  await user.click(within(dialog).getByLabelText('Recurring Lesson'));
  expect(
    await screen.findByText('Skips your time off: 2 lessons, the first on Tue 22 Dec (Christmas)'),
  ).toBeTruthy();
  await save();
  expect(await screen.findByText('2 lessons are skipped because of your time off.')).toBeTruthy();
});

test('F120 a mistyped start does not shorten the lesson', async () => {
  const { field, fill } = await openNewLessonDialog({}, { startTime: '16:00' });
  await fill(field('Start'), '23:30');
  expect(field('End').value).toBe('23:59');
  await fill(field('Start'), '16:30');
  expect(field('End').value).toBe('17:30');
});
