import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';
import { unsavedForms } from './use-unsaved-changes.ts';

const book = {
  'GET /api/me': () => json(200, ada),
  'GET /api/subjects': () => json(200, []),
  'GET /api/students': () => json(200, []),
  'GET /api/carers': () => json(200, []),
  'GET /api/sessions': () => json(200, [sessionRow()]),
};

const leaving = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented ? 'asks first' : 'goes';
};

const loseNetwork = () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);

test('a subject typed without a network stays in its form, with clear words, and can be saved afterwards', async () => {
  const server = mockApi(book);
  const { user } = renderApp('/schedule?view=subjects');
  await user.click(await screen.findByRole('button', { name: /New Subject|Create Subject|Add/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(leaving()).toBe('goes');
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Chemistry');
  expect(leaving()).toBe('asks first');

  const network = loseNetwork();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('Not saved: you are offline')).toBeTruthy();
  expect(screen.getByText('Your words are kept here; press Save when you are back.')).toBeTruthy();
  const name = dialog.getByRole('textbox', { name: /Name/ }) as HTMLInputElement;
  expect(name.value).toBe('Chemistry');
  expect(leaving()).toBe('asks first');

  network.mockRestore();
  server.answers['POST /api/subjects'] = () => json(201, { id: 1, name: 'Chemistry' });
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(unsavedForms.size).toBe(0);
  expect(leaving()).toBe('goes');
});

test('without anything typed the words are about the act alone', async () => {
  mockApi(book);
  loseNetwork();
  const { user } = renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByText('Not done: you are offline')).toBeTruthy();
  expect(screen.getByText('Please try again when you are back.')).toBeTruthy();
});

test('a profile that was saved is no longer in danger, one that was changed again is', async () => {
  mockApi({ ...book, 'PUT /api/me': () => json(200, ada) });
  const { user } = renderApp('/profile-edit');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(name, ' King');
  expect(leaving()).toBe('asks first');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Profile Updated');
  expect(leaving()).toBe('goes');
  await user.type(name, '!');
  expect(leaving()).toBe('asks first');
});

test('what is typed to come in is no work: leaving the login page asks nothing', async () => {
  mockApi({ 'GET /api/me': () => json(401, { code: 'unauthenticated', message: 'No' }) });
  const { user } = renderApp('/login');
  await user.type(await screen.findByRole('textbox', { name: /Username/ }), 'ada');
  expect(leaving()).toBe('goes');
});

test('a bar says since when the screen is not fresh, and what was on it stays', async () => {
  // On the day of the book: on another its name would stand before the time.
  vi.setSystemTime(`${ada.today}T12:00:00Z`);
  const server = mockApi(book);
  const { queryClient } = renderApp('/schedule?date=2026-11-15');
  await screen.findByText('Maya Okafor');
  expect(screen.queryByText(/What you see is from/)).toBeNull();
  loseNetwork();
  const { 'GET /api/me': me, ...rest } = server.answers;
  for (const name of [...Object.keys(rest), 'GET /api/me']) delete server.answers[name];
  await queryClient.refetchQueries();
  expect(await screen.findByText('You are offline.')).toBeTruthy();
  expect(
    screen.getByText(/What you see is from \d\d:\d\d\./).closest('[role=status]'),
  ).toBeTruthy();
  expect(screen.getByText('Maya Okafor')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/No lessons scheduled|£0/);

  Object.assign(server.answers, rest, { 'GET /api/me': me });
  await queryClient.refetchQueries({ queryKey: ['/api/me'] });
  await vi.waitFor(() => expect(screen.queryByText(/What you see is from/)).toBeNull());
});
