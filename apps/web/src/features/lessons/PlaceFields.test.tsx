import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json } from '../../test/mock-api.ts';
import { maya, openNewLessonDialog } from '../../test/open-new-lesson-dialog.tsx';
import { selectOption } from '../../test/select-option.ts';

test('suggests the travel fee of the student for a lesson in person, and keeps one that was typed', async () => {
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

test('a lesson without a travel fee says so, whatever the default of the student', async () => {
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
