import type { StudentReminders } from '@lessonbook/contract/reminder-settings';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, type RecordedCall } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { ada } from '../../test/user-fixtures.ts';
import { StudentRemindersRow } from './StudentRemindersRow.tsx';

const GET = 'GET /api/students/1/reminders';
const SAVE = 'PUT /api/students/1/reminders';
const defaultReminders: StudentReminders = {
  isCustom: false,
  leadMinutes: 1440,
  channels: ['email'],
  recipient: 'carer',
};

test('saves custom reminders for a student and shows them in the row', async () => {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(200, defaultReminders),
    [SAVE]: ({ body }: RecordedCall) => server.saved(GET, body),
  });
  const { user } = await renderComponentSignedIn(
    <StudentRemindersRow student={{ id: 1, name: 'Maya Hale' }} />,
  );
  await user.click(await screen.findByRole('button', { name: /Reminders.*Same as everyone else/ }));
  const modal = within(await screen.findByRole('dialog', { name: 'Reminders for Maya Hale' }));
  await user.click(modal.getByRole('radio', { name: 'Different for this student' }));
  await selectOption(user, modal.getByRole('combobox', { name: 'When' }), 'No reminder');
  await user.click(modal.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('No reminder', { selector: 'button *' })).toBeTruthy();
  expect(server.last(SAVE)?.body).toEqual({
    ...defaultReminders,
    isCustom: true,
    leadMinutes: null,
  });
});
