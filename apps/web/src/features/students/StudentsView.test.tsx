import type { Carer, Student } from '@lessonbook/contract/students';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { family } from '../../test/family-and-payment-fixtures.ts';
import { json, mockApi, neverReplies } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { student } from '../../test/student-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { StudentsView } from './StudentsView.tsx';

const withRuth = {
  carerId: 7,
  carerName: 'Ruth Hale',
  carerRelationship: 'Mother',
  carerPhone: '+447700900001',
  carerEmail: 'ruth@hale.example',
};
const maya = student({ ...withRuth, subject: 'Maths' });
const noah = student({ id: 2, name: 'Noah Hale', ...withRuth });
const ruth: Carer = {
  id: 7,
  name: 'Ruth Hale',
  relationship: 'Mother',
  phone: '+447700900001',
  email: 'ruth@hale.example',
  students: ['Maya Hale', 'Noah Hale'],
};

async function openStudents(
  list: Student[],
  handlers: Parameters<typeof mockApi>[0] = {},
  carers: Carer[] = [],
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/students': () => json(200, list),
    'GET /api/carers': () => json(200, carers),
    ...handlers,
  });
  const app = await renderComponentSignedIn(
    <StudentsView back={{ link: { to: '/' }, label: 'Back' }} />,
  );
  return { ...app, server };
}

async function openNew(handlers: Parameters<typeof mockApi>[0] = {}) {
  const app = await openStudents([maya, noah], handlers, [ruth]);
  await app.user.click(await screen.findByRole('button', { name: 'Add Student' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add New Student' });
  const name = within(dialog).getByLabelText(/^Name/);
  const save = () => app.user.click(within(dialog).getByRole('button', { name: 'Add Student' }));
  return { ...app, dialog, name, save };
}

const bodyOf = (call: { body: unknown } | undefined) => call?.body as Record<string, unknown>;

test('[STUD-03] shows the initials of each student', async () => {
  await openStudents([maya, noah]);
  const [first, second] = await screen.findAllByRole('listitem');
  expect(within(first as HTMLElement).getByText('MH')).toBeTruthy();
  expect(within(second as HTMLElement).getByText('NH')).toBeTruthy();
});

test('shows the subject and the carer, or that no subject is assigned', async () => {
  await openStudents([maya, student({ id: 3, name: 'Ivy' })]);
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('No subject assigned');
  expect(first?.textContent).not.toContain('Carer');
  expect(second?.textContent).toContain('Maths');
  expect(second?.textContent).toContain('Carer: Ruth Hale, Mother');
});

test('links to the account and shows what the family owes or has in credit', async () => {
  const balances = [
    family({ id: 3, balances: [{ currency: 'GBP', owed: 6500, credit: 0 }] }),
    family({ id: 4, balances: [{ currency: 'GBP', owed: 0, credit: 500 }] }),
  ];
  await openStudents(
    [
      { ...maya, familyId: 3 },
      student({ id: 3, name: 'Ivy', familyId: 4 }),
      student({ id: 4, name: 'Kit', familyId: 5 }),
      student({ id: 5, name: 'Lou' }),
    ],
    { 'GET /api/families': () => json(200, balances) },
  );
  const accountLink = await screen.findByRole('link', { name: 'Family owes £65, Maya Hale' });
  expect(accountLink.getAttribute('href')).toBe('/families/3');
  expect(screen.getByRole('link', { name: '£5 in credit, Ivy' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Account, Kit' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /, Lou$/ })).toBeNull();
});

test('shows the empty state if there are no students, and an error state if loading fails', async () => {
  const { user, server } = await openStudents([], { 'GET /api/students': () => json(500, {}) });
  expect(await screen.findByText("We couldn't load your students.")).toBeTruthy();
  expect(screen.queryByText(/No students yet/)).toBeNull();
  server.handlers['GET /api/students'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/No students yet/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add Student' }));
  expect(await screen.findByRole('dialog', { name: 'Add New Student' })).toBeTruthy();
});

test('searches a long list, including by carer, and sorts it', async () => {
  const names = ['Ana', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hana'];
  const others = names.map((name, index) => student({ id: 10 + index, name }));
  const { user } = await openStudents([...others, maya]);
  await user.type(await screen.findByLabelText('Search students'), 'ruth');
  expect(
    screen.getAllByRole('listitem').map((row) => row.querySelector('h2')?.textContent),
  ).toEqual(['Maya Hale']);
  await user.clear(screen.getByLabelText('Search students'));
  await selectOption(user, screen.getByRole('combobox', { name: 'Sort' }), 'Recently added');
  expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('Hana');
});

test('[STUD-25] closes the dialog on Cancel after asking, without sending a request', async () => {
  const { user, server, dialog, name } = await openNew();
  await user.type(name, 'Lena');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.count('POST /api/students')).toBe(0);
});

test('[STUD-28, STUD-29] shows Saving... and disables the button while submitting', async () => {
  const { user, name, save } = await openNew({ 'POST /api/students': neverReplies });
  await user.type(name, 'Lena');
  await save();
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Saving...' });
  expect(button.disabled).toBe(true);
});

test('[STUD-30] rejects an empty name and focuses the field', async () => {
  const { name, save, server } = await openNew();
  await save();
  expect(screen.getByText('Name is required')).toBeTruthy();
  expect(document.activeElement).toBe(name);
  expect(server.count('POST /api/students')).toBe(0);
});

test.each([
  ['[STUD-31]', 'Email'],
  ['[STUD-32]', 'Carer Email'],
])('%s rejects an invalid %s and accepts an empty one', async (_, label) => {
  const { user, server, name, save, dialog } = await openNew({
    'POST /api/students': () => json(201, student({})),
  });
  await user.type(name, 'Lena');
  await user.type(within(dialog).getByLabelText(label), 'lena@');
  await save();
  expect(screen.getByText('Invalid email')).toBeTruthy();
  expect(server.count('POST /api/students')).toBe(0);
  await user.clear(within(dialog).getByLabelText(label));
  await save();
  await waitFor(() => expect(server.count('POST /api/students')).toBe(1));
});

test('lets a new student share a carer and names the other students', async () => {
  const { user, name, save, dialog, server } = await openNew({
    'POST /api/students': () => json(201, student({})),
  });
  await user.type(name, 'Lena');
  const carer = within(dialog).getByRole('combobox', { name: 'Carer' });
  await user.click(carer);
  const options = screen.getByRole('listbox', { name: 'Carer', hidden: true });
  const [first] = within(options).getAllByRole('option', { hidden: true });
  expect(first?.textContent).toBe('New carer');
  await user.click(carer);
  await selectOption(user, carer, /Ruth Hale/);
  expect(await screen.findByText(/Also the carer of Maya Hale and Noah Hale/)).toBeTruthy();
  expect(within(dialog).getByLabelText<HTMLInputElement>('Carer Name').value).toBe('Ruth Hale');
  await save();
  await waitFor(() => expect(server.count('POST /api/students')).toBe(1));
  expect(bodyOf(server.last('POST /api/students'))).toMatchObject({ name: 'Lena', ...withRuth });
  expect(await screen.findByText('Student created successfully')).toBeTruthy();
});

async function openEdit(handlers: Parameters<typeof mockApi>[0] = {}) {
  const app = await openStudents([maya, noah], handlers, [ruth]);
  await app.user.click(await screen.findByRole('button', { name: 'Edit Maya Hale' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit Student' });
  await within(dialog).findByRole('combobox', { name: 'Carer' });
  const save = () => app.user.click(within(dialog).getByRole('button', { name: 'Update Student' }));
  return { ...app, dialog, save };
}

const updateHandler = { 'PUT /api/students/1': () => json(200, maya) };

test('F145 keeps the school and year when another field changes, and sends new ones', async () => {
  const pupil = { ...maya, school: 'Highfield School', schoolYear: 'Year 10' };
  const { user, server } = await openStudents([pupil], updateHandler);
  await user.click(await screen.findByRole('button', { name: 'Edit Maya Hale' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit Student' });
  await user.clear(within(dialog).getByLabelText('School year'));
  await user.type(within(dialog).getByLabelText('School year'), 'S4');
  await user.click(within(dialog).getByRole('button', { name: 'Update Student' }));
  await waitFor(() => expect(server.count('PUT /api/students/1')).toBe(1));
  expect(bodyOf(server.last('PUT /api/students/1'))).toMatchObject({
    school: 'Highfield School',
    schoolYear: 'S4',
  });
});

test('unlinks the carer when all carer fields are cleared', async () => {
  const { user, dialog, save, server } = await openEdit(updateHandler);
  for (const label of ['Carer Name', 'Relationship', 'Carer Phone', 'Carer Email']) {
    await user.clear(within(dialog).getByLabelText(label));
  }
  await save();
  await waitFor(() => expect(server.count('PUT /api/students/1')).toBe(1));
  expect(bodyOf(server.last('PUT /api/students/1'))).toMatchObject({
    carerId: null,
    carerName: '',
  });
});

test('does not change a shared carer when a new carer replaces them', async () => {
  const { user, dialog, save, server } = await openEdit(updateHandler);
  expect(screen.getByText(/Also the carer of Noah Hale\./)).toBeTruthy();
  await selectOption(user, within(dialog).getByRole('combobox', { name: 'Carer' }), 'New carer');
  await user.type(within(dialog).getByLabelText('Carer Name'), 'Omar Aziz');
  await save();
  expect(await screen.findByText('Student updated successfully')).toBeTruthy();
  const names = server.calls
    .filter(({ name }) => name === 'PUT /api/students/1')
    .map((call) => [bodyOf(call).carerId, bodyOf(call).carerName]);
  expect(names).toEqual([[null, 'Omar Aziz']]);
});

test('shows a field error from the server next to its field', async () => {
  const reply = { code: 'invalid', message: 'No', fields: { phone: 'That is no phone number' } };
  const { user, name, save } = await openNew({ 'POST /api/students': () => json(400, reply) });
  await user.type(name, 'Lena');
  await save();
  expect(await screen.findByText('That is no phone number')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Phone'));
});

test('[ERR-20] shows an error when the student cannot be created', async () => {
  const { user, name, save } = await openNew({ 'POST /api/students': () => json(500, {}) });
  await user.type(name, 'Lena');
  await save();
  expect(await screen.findByText('Failed to create student. Please try again.')).toBeTruthy();
});

test('[ERR-21] shows an error when the student cannot be updated', async () => {
  const { save } = await openEdit({ 'PUT /api/students/1': () => json(500, {}) });
  await save();
  expect(await screen.findByText('Failed to update student. Please try again.')).toBeTruthy();
});

test("F106 F107 each card links to the student's page", async () => {
  await openStudents([maya]);
  const card = await screen.findByRole('link', { name: 'Maya Hale' });
  expect(card.getAttribute('href')).toBe('/students/1');
});

test('[ERR-22] F144 says what deleting does, and shows an error when the student cannot be deleted', async () => {
  const preview = { sessions: 4, balances: [{ currency: 'GBP', owed: 6500, credit: 0 }] };
  const { user } = await openStudents([maya], {
    'DELETE /api/students/1': () => json(500, {}),
    'GET /api/students/1/delete-preview': () => json(200, preview),
  });
  await user.click(await screen.findByRole('button', { name: 'Delete Maya Hale' }));
  const modal = await screen.findByRole('dialog', {
    name: 'Are you sure you want to delete this student?',
  });
  expect(await within(modal).findByText(/4 upcoming lessons will be cancelled/)).toBeTruthy();
  expect(modal.textContent).toContain("£65 will still be owed for Maya's lessons.");
  await user.click(within(modal).getByRole('button', { name: 'Delete student' }));
  expect(await screen.findByText('Failed to delete student. Please try again.')).toBeTruthy();
});

test('a form opened with old data shows changes saved in a sibling’s form, but keeps what was typed', async () => {
  const { user, server, queryClient } = await openStudents(
    [maya, noah],
    { 'PUT /api/students/1': () => json(200, maya) },
    [ruth],
  );
  await user.click(await screen.findByRole('button', { name: 'Edit Maya Hale' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit Student' });
  const field = (name: string) => within(dialog).getByLabelText<HTMLInputElement>(name);
  await user.clear(field('Carer Phone'));
  await user.type(field('Carer Phone'), '07700 900999');
  const changed = { ...maya, carerEmail: 'ruth@new.example', carerPhone: '+447700900002' };
  server.handlers['GET /api/students'] = () => json(200, [changed, noah]);
  await queryClient.invalidateQueries({ queryKey: ['/api/students'] });
  await waitFor(() => expect(field('Carer Email').value).toBe('ruth@new.example'));
  expect(field('Carer Phone').value).toBe('07700 900999');
  await user.click(within(dialog).getByRole('button', { name: 'Update Student' }));
  await waitFor(() => expect(server.count('PUT /api/students/1')).toBe(1));
  expect(bodyOf(server.last('PUT /api/students/1'))).toMatchObject({
    carerId: 7,
    carerEmail: 'ruth@new.example',
    carerPhone: '07700 900999',
  });
});
