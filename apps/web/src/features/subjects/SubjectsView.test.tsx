import type { Subject } from '@lessonbook/contract/subjects';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, neverReplies } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { ada } from '../../test/user-fixtures.ts';
import { SubjectsView } from './SubjectsView.tsx';

const subject = (fields: Partial<Subject> = {}): Subject => ({
  id: 1,
  name: 'Maths',
  description: null,
  defaultFee: 35,
  currency: 'GBP',
  color: 'pine',
  ...fields,
});

async function openSubjects(list: Subject[], handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, list),
    ...handlers,
  });
  const app = await renderComponentSignedIn(
    <SubjectsView back={{ link: { to: '/' }, label: 'Back' }} />,
  );
  return { ...app, server };
}

async function openNew(handlers: Parameters<typeof mockApi>[0] = {}) {
  const app = await openSubjects([subject()], handlers);
  await app.user.click(await screen.findByRole('button', { name: 'Add Subject' }));
  const dialog = await screen.findByRole('dialog', { name: 'Create Subject' });
  const name = within(dialog).getByLabelText(/^Name/);
  const fee = within(dialog).getByLabelText<HTMLInputElement>('Default Fee');
  const save = () => app.user.click(within(dialog).getByRole('button', { name: 'Create' }));
  return { ...app, dialog, name, fee, save };
}

test('[SUBJ-06] shows the default fee in its currency in British format', async () => {
  await openSubjects([
    subject(),
    subject({ id: 2, name: 'Piano', defaultFee: 1032.5, currency: 'EUR' }),
    subject({ id: 3, name: 'Art', defaultFee: 40, currency: 'USD' }),
  ]);
  const rows = await screen.findAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('£35.00');
  expect(rows[1]?.textContent).toContain('€1,032.50');
  expect(rows[2]?.textContent).toContain('US$40.00');
});

test('shows the empty state if there are no subjects, and an error state if loading fails', async () => {
  const { user, server } = await openSubjects([], { 'GET /api/subjects': () => json(500, {}) });
  expect(await screen.findByText("We couldn't load your subjects.")).toBeTruthy();
  server.handlers['GET /api/subjects'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/No subjects yet/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add Subject' })).toBeTruthy();
});

test('[SUBJ-17] closes the dialog on Cancel after asking, without sending a request', async () => {
  const { user, server, dialog, name } = await openNew();
  await user.type(name, 'Piano');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.count('POST /api/subjects')).toBe(0);
});

test('[SUBJ-20] rejects an empty name and focuses the field', async () => {
  const { name, save, server } = await openNew();
  await save();
  expect(screen.getByText('Name is required')).toBeTruthy();
  expect(document.activeElement).toBe(name);
  expect(server.count('POST /api/subjects')).toBe(0);
});

test('[SUBJ-21] rejects a fee below 1 and accepts 1', async () => {
  const { user, name, fee, save, server } = await openNew({ 'POST /api/subjects': neverReplies });
  await user.type(name, 'Piano');
  for (const tooSmall of ['0', '0.50', '0,99', '-5']) {
    await user.clear(fee);
    await user.type(fee, tooSmall);
    await save();
    expect(screen.getByText('Fee must be greater than 0')).toBeTruthy();
  }
  expect(server.count('POST /api/subjects')).toBe(0);
  await user.clear(fee);
  await user.type(fee, '1');
  await save();
  expect(server.last('POST /api/subjects')?.body).toMatchObject({ defaultFee: 1 });
});

test('[SUBJ-22] rejects an empty fee, which becomes 0', async () => {
  const { user, name, fee, save, server } = await openNew();
  await user.type(name, 'Piano');
  await user.clear(fee);
  await save();
  expect(screen.getByText('Fee must be greater than 0')).toBeTruthy();
  expect(server.count('POST /api/subjects')).toBe(0);
});

test('[SUBJ-23, SUBJ-24] defaults a new subject to 30 and GBP', async () => {
  const { user, name, fee, save, dialog, server } = await openNew({
    'POST /api/subjects': neverReplies,
  });
  expect(fee.value).toBe('30');
  const currency = within(dialog).getByRole<HTMLInputElement>('combobox', { name: 'Currency' });
  expect(currency.value).toBe('GBP');
  await user.type(name, 'Piano');
  await save();
  expect(server.last('POST /api/subjects')?.body).toEqual({
    name: 'Piano',
    description: '',
    defaultFee: 30,
    currency: 'GBP',
  });
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeTruthy();
});

test('F144 saves the colour chosen for a subject', async () => {
  const { user, server } = await openSubjects([subject()], {
    'PUT /api/subjects/1': neverReplies,
  });
  await user.click(await screen.findByRole('button', { name: /^Edit / }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit Subject' });
  const color = within(dialog).getByRole('combobox', { name: 'Colour' });
  await selectOption(user, color, 'Plum');
  await user.click(within(dialog).getByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(server.last('PUT /api/subjects/1')?.body).toMatchObject({ color: 'plum' }),
  );
});

test('[ERR-23] shows an error when the subject cannot be created', async () => {
  const { user, name, save } = await openNew({ 'POST /api/subjects': () => json(500, {}) });
  await user.type(name, 'Piano');
  await save();
  expect(await screen.findByText('Failed to create subject. Please try again.')).toBeTruthy();
});

test('[ERR-24] shows an error when the subject cannot be updated', async () => {
  const { user } = await openSubjects([subject()], { 'PUT /api/subjects/1': () => json(500, {}) });
  await user.click(await screen.findByRole('button', { name: 'Edit Maths' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit Subject' });
  await user.click(within(dialog).getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Failed to update subject. Please try again.')).toBeTruthy();
});

test('[ERR-25] shows an error when the subject cannot be deleted', async () => {
  const handlers = { 'DELETE /api/subjects/1': () => json(500, {}) };
  const { user } = await openSubjects([subject()], handlers);
  await user.click(await screen.findByRole('button', { name: 'Delete Maths' }));
  const modal = await screen.findByRole('dialog', {
    name: 'Are you sure you want to delete this subject?',
  });
  await user.click(within(modal).getByRole('button', { name: 'Delete subject' }));
  expect(await screen.findByText('Failed to delete subject. Please try again.')).toBeTruthy();
});
