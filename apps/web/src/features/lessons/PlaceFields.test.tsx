import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json } from '../../test/mock-api.ts';
import { maya, openNewLessonDialog } from '../../test/open-new-lesson-dialog.tsx';
import { selectOption } from '../../test/select-option.ts';
import { syncedStatus } from '../../test/session-fixtures.ts';

test("suggests the student's travel fee for an in-person lesson, and keeps one that was typed", async () => {
  const tom = { ...maya, id: 5, name: 'Tom', travelFee: 800 };
  const { user, dialog, field, text, fill, chooseStudentAndSubject, save, sentBody } =
    await openNewLessonDialog({
      'GET /api/students': () => json(200, [{ ...maya, travelFee: 550 }, tom]),
    });
  expect(within(dialog).queryByLabelText('Travel fee')).toBeNull();
  await chooseStudentAndSubject();
  await waitFor(() => expect(text('Travel fee').value).toBe('5.50'));
  await fill(text('Location'), 'Online');
  expect(within(dialog).queryByLabelText('Travel fee')).toBeNull();
  await fill(text('Location'), '12 High Street');
  await fill(text('Travel fee'), '7');
  await selectOption(user, field('Student'), 'Tom');
  expect(text('Travel fee').value).toBe('7');
  await save();
  await waitFor(() => expect(sentBody()).toMatchObject({ studentId: 5, travelFee: 7 }));
});

test('a cleared travel fee is sent as null, even if the student has a default', async () => {
  const { text, fill, chooseStudentAndSubject, save, sentBody } = await openNewLessonDialog({
    'GET /api/students': () => json(200, [{ ...maya, travelFee: 500 }]),
  });
  await chooseStudentAndSubject();
  await waitFor(() => expect(text('Travel fee').value).toBe('5'));
  await fill(text('Location'), 'Library');
  await fill(text('Travel fee'), '');
  await save();
  await waitFor(() => expect(sentBody()).toMatchObject({ travelFee: null }));
});

const STATUS = 'GET /api/google/calendar/status';

test('offers Google Meet, which replaces the location and the travel fee', async () => {
  const { user, dialog, text, fill, chooseStudentAndSubject, save, sentBody } =
    await openNewLessonDialog({
      'GET /api/students': () => json(200, [{ ...maya, travelFee: 500 }]),
      [STATUS]: () => json(200, syncedStatus({ offersMeet: true })),
    });
  await chooseStudentAndSubject();
  await fill(text('Location'), 'Library');
  await user.click(await within(dialog).findByLabelText('Use Google Meet'));
  expect([text('Location').value, text('Location').disabled]).toEqual(['Google Meet', true]);
  expect(within(dialog).queryByLabelText('Travel fee')).toBeNull();
  await user.click(within(dialog).getByLabelText('Use Google Meet'));
  expect(text('Location').value).toBe('Library');
  await user.click(within(dialog).getByLabelText('Use Google Meet'));
  await save();
  await waitFor(() => expect(sentBody()).toMatchObject({ usesGoogleMeet: true }));
});

test('does not offer Google Meet if the connected calendar does not support it', async () => {
  const { server, dialog, chooseStudentAndSubject, save, sentBody } = await openNewLessonDialog({
    [STATUS]: () => json(200, syncedStatus({ offersMeet: false })),
  });
  await chooseStudentAndSubject();
  await waitFor(() => expect(server.count(STATUS)).toBe(1));
  await save();
  await waitFor(() => expect(sentBody()).toMatchObject({ usesGoogleMeet: false }));
  expect(within(dialog).queryByLabelText('Use Google Meet')).toBeNull();
});
