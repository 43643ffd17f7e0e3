import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';
import { hasUnsavedChanges } from './unsaved-changes.ts';

const handlers = {
  'GET /api/me': () => json(200, ada),
  'GET /api/subjects': () => json(200, []),
  'GET /api/students': () => json(200, []),
  'GET /api/carers': () => json(200, []),
  'GET /api/sessions': () => json(200, [sessionRow()]),
};

const dispatchBeforeUnload = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented ? 'prompts' : 'leaves';
};

const goOffline = () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);

test('offline, the input stays in its form, a toast says so, and it can be saved later', async () => {
  const server = mockApi(handlers);
  const { user } = renderApp('/schedule?view=subjects');
  await user.click(await screen.findByRole('button', { name: /New Subject|Create Subject|Add/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dispatchBeforeUnload()).toBe('leaves');
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Chemistry');
  expect(dispatchBeforeUnload()).toBe('prompts');

  const network = goOffline();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText("Not saved: you're offline")).toBeTruthy();
  expect(
    screen.getByText("Your changes are still here. Save again once you're online."),
  ).toBeTruthy();
  const name = dialog.getByRole('textbox', { name: /Name/ }) as HTMLInputElement;
  expect(name.value).toBe('Chemistry');
  expect(dispatchBeforeUnload()).toBe('prompts');

  network.mockRestore();
  server.handlers['POST /api/subjects'] = () => json(201, { id: 1, name: 'Chemistry' });
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(hasUnsavedChanges()).toBe(false);
  expect(dispatchBeforeUnload()).toBe('leaves');
});

test('if there is no unsaved input, the offline message does not mention any', async () => {
  mockApi(handlers);
  goOffline();
  const { user } = renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByText("Not done: you're offline")).toBeTruthy();
  expect(screen.getByText("Please try again once you're online.")).toBeTruthy();
});

test('the browser prompts before leaving only while the profile has unsaved changes', async () => {
  mockApi({ ...handlers, 'PUT /api/me': () => json(200, ada) });
  const { user } = renderApp('/profile-edit');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(name, ' King');
  expect(dispatchBeforeUnload()).toBe('prompts');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Profile Updated');
  expect(dispatchBeforeUnload()).toBe('leaves');
  await user.type(name, '!');
  expect(dispatchBeforeUnload()).toBe('prompts');
});

test('leaving the login page after typing does not prompt', async () => {
  mockApi({ 'GET /api/me': () => json(401, { code: 'unauthenticated', message: 'No' }) });
  const { user } = renderApp('/login');
  await user.type(await screen.findByRole('textbox', { name: /Username/ }), 'ada');
  expect(dispatchBeforeUnload()).toBe('leaves');
});

test('offline, a bar shows the age of the data, and the data stays visible', async () => {
  // On the tutor's current day; otherwise the bar would also show the date.
  vi.setSystemTime(`${ada.today}T12:00:00Z`);
  const server = mockApi(handlers);
  const { queryClient } = renderApp('/schedule?date=2026-11-15');
  await screen.findByText('Maya Okafor');
  expect(screen.queryByText(/Last updated/)).toBeNull();
  goOffline();
  const { 'GET /api/me': me, ...rest } = server.handlers;
  for (const name of [...Object.keys(rest), 'GET /api/me']) delete server.handlers[name];
  await queryClient.refetchQueries();
  expect(await screen.findByText("You're offline.")).toBeTruthy();
  expect(screen.getByText(/Last updated \d\d:\d\d\./).closest('[role=status]')).toBeTruthy();
  expect(screen.getByText('Maya Okafor')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/No lessons scheduled|£0/);

  Object.assign(server.handlers, rest, { 'GET /api/me': me });
  await queryClient.refetchQueries({ queryKey: ['/api/me'] });
  await vi.waitFor(() => expect(screen.queryByText(/Last updated/)).toBeNull());
});
