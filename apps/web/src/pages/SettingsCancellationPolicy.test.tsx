import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { policySettings } from '../test/cancellation-policy-fixtures.ts';
import { createDeferredReply, json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const POLICY = 'GET /api/settings/cancellation-policy';
const SAVE = 'PUT /api/settings/cancellation-policy';
const WITHDRAW = 'DELETE /api/settings/cancellation-policy/planned';

const { current } = policySettings();
const tier = { noticeHours: 24, dayBeforeTime: null, feePercent: 50 };
const open = policySettings({ isPortalOpen: true, earliestStart: '2026-12-15' });
const planned = {
  ...current,
  tiers: [tier, { noticeHours: 12, dayBeforeTime: null, feePercent: 100 }],
  startsOn: '2026-12-18',
};

async function openPage(settings = policySettings(), handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [POLICY]: () => json(200, settings),
    [SAVE]: ({ body }) =>
      server.saved(POLICY, { ...settings, current: { ...current, ...(body as object) } }),
    ...handlers,
  });
  const app = renderApp('/settings/cancellation-policy');
  await screen.findByRole('button', { name: 'Save changes' });
  return { ...app, server };
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

async function fill(user: UserEvent, name: string, text: string) {
  await user.clear(field(name));
  if (text) await user.type(field(name), text);
}

const save = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Save changes' }));
const summary = () =>
  within(screen.getByRole('list', { name: 'Summary' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const preview = () =>
  [...screen.getByRole('region', { name: 'What families see' }).querySelectorAll('dd')].map(
    ({ textContent }) => textContent,
  );

test('steps are shown with an example and in the words of the family portal, then saved', async () => {
  const { user, server } = await openPage();
  expect(screen.getByText('£19 of £38')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add step' }));
  // An incomplete step has no example.
  expect(screen.queryByText('£38 of £38')).toBeNull();
  await fill(user, 'Hours for step 2', '12');
  expect(screen.getByText('£38 of £38')).toBeTruthy();
  expect(summary()).toEqual([
    'Free until 24 hours before',
    '50% less than 24 hours before',
    '100% less than 12 hours before',
  ]);
  expect(preview()).toEqual([
    'Free to cancel until Mon 4:30pm',
    'Cancelling now costs £19, or use your free late cancellation (1 left this term)',
    'Cancelling now costs £38, or use your free late cancellation (1 left this term)',
  ]);
  await save(user);
  expect(await screen.findByText('Cancellation policy saved')).toBeTruthy();
  expect(server.last(SAVE)?.body).toEqual({
    tiers: planned.tiers,
    freeLateCancellations: 1,
    illnessNote: '',
    startsOn: null,
  });
});

test('the cut-off of a step can be a time on the day before', async () => {
  const { user, server } = await openPage();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type for step 1' }), 'After');
  const time = screen.getByRole('combobox', { name: 'Time for step 1' });
  await user.clear(time);
  await user.type(time, '6pm');
  await user.tab();
  expect(preview()[0]).toBe('Free to cancel until Mon 6pm');
  expect(screen.queryByRole('textbox', { name: 'Hours for step 1' })).toBeNull();
  await save(user);
  await vi.waitFor(() =>
    expect(server.last(SAVE)?.body).toMatchObject({
      tiers: [{ noticeHours: null, dayBeforeTime: '18:00', feePercent: 50 }],
    }),
  );
});

test('without steps, cancelling is always free', async () => {
  const { user, server } = await openPage();
  await user.click(screen.getByRole('button', { name: 'Remove step 1' }));
  expect(screen.getByText('Cancelling is always free.')).toBeTruthy();
  await save(user);
  await vi.waitFor(() => expect(server.last(SAVE)?.body).toMatchObject({ tiers: [] }));

  // Cancelling is not shown as free while a step is incomplete.
  await user.click(screen.getByRole('button', { name: 'Add step' }));
  await fill(user, 'Hours for step 1', '');
  expect(screen.queryByText(/always free/)).toBeNull();
});

test('there are at most 4 steps', async () => {
  const { user } = await openPage();
  const add = { name: 'Add step' };
  for (let steps = 1; steps < 4; steps += 1) await user.click(screen.getByRole('button', add));
  expect(screen.getByRole('textbox', { name: 'Hours for step 4' })).toBeTruthy();
  expect(screen.queryByRole('button', add)).toBeNull();
});

test('a message is shown for a step that has no effect', async () => {
  const { user } = await openPage();
  await user.click(screen.getByRole('button', { name: 'Add step' }));
  await fill(user, 'Hours for step 2', '12');
  expect(screen.queryByText(/^This step has no effect/)).toBeNull();
  await fill(user, 'Percentage for step 2', '50');
  expect(screen.getByText(/^This step has no effect/)).toBeTruthy();
});

test.each([
  ['Hours for step 1', '', 'Please enter a number of hours'],
  ['Hours for step 1', '1.5', 'Please enter a number of hours'],
  ['Hours for step 1', '721', 'Please enter 720 or less'],
  ['Percentage for step 1', '', 'Please enter a percentage'],
  ['Percentage for step 1', '101', 'Please enter 0 to 100'],
])('%s cannot be "%s"', async (name, text, message) => {
  const { user, server } = await openPage();
  await fill(user, name, text);
  await save(user);
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(document.activeElement).toBe(field(name));
  expect(server.count(SAVE)).toBe(0);
});

test('free late cancellations are between 0 and 10, and the note about illness is saved', async () => {
  const { user, server } = await openPage();
  const fewer = screen.getByRole('button', { name: 'One fewer free late cancellation' });
  const more = screen.getByRole('button', { name: 'One more free late cancellation' });
  await user.click(fewer);
  expect(fewer.hasAttribute('disabled')).toBe(true);
  expect(preview()[1]).toBe('Cancelling now costs £19');
  for (let count = 0; count < 10; count += 1) await user.click(more);
  expect(more.hasAttribute('disabled')).toBe(true);
  await fill(user, 'If a child is ill', 'Let me know by 9:00.');
  await save(user);
  await vi.waitFor(() =>
    expect(server.last(SAVE)?.body).toMatchObject({
      freeLateCancellations: 10,
      illnessNote: 'Let me know by 9:00.',
    }),
  );
});

test('while the portal is closed, no start date is shown', async () => {
  await openPage();
  expect(screen.queryByRole('region', { name: 'When it applies' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Planned change' })).toBeNull();
});

test('once the portal is open, a change has a start date, and a planned change can be withdrawn', async () => {
  const { user, server } = await openPage(open);
  const notice = screen.getByRole('region', { name: 'When it applies' });
  expect(notice.textContent).toContain(
    "Families can see this policy, so changes can apply to lessons from 15 December at the earliest. Lessons already booked keep the old policy if it's more lenient.",
  );
  expect(field('First lesson date').value).toBe('15 Dec 2026');
  await fill(user, 'First lesson date', '14 Dec 2026');
  await save(user);
  expect(await screen.findByText('Please choose 15 Dec 2026 or later')).toBeTruthy();
  expect(server.count(SAVE)).toBe(0);
  await fill(user, 'First lesson date', '18 Dec 2026');
  await user.click(screen.getByRole('button', { name: 'Add step' }));
  await fill(user, 'Hours for step 2', '12');
  server.handlers[SAVE] = () => server.saved(POLICY, { ...open, planned });
  await save(user);
  const change = await screen.findByRole('region', { name: 'Planned change' });
  expect(server.last(SAVE)?.body).toMatchObject({ tiers: planned.tiers, startsOn: '2026-12-18' });
  expect(change.textContent).toContain('Now: 50% less than 24 hours before');
  expect(change.textContent).toContain(
    'From 18 December: 50% less than 24 hours before, 100% less than 12 hours before',
  );
  expect(field('Hours for step 2').value).toBe('12');

  server.handlers[WITHDRAW] = () => server.saved(POLICY, open);
  await user.click(within(change).getByRole('button', { name: 'Withdraw this change' }));
  expect(await screen.findByText('Change withdrawn')).toBeTruthy();
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Planned change' })).toBeNull(),
  );
  expect(screen.queryByRole('textbox', { name: 'Hours for step 2' })).toBeNull();
});

test('withdrawing a planned change keeps what has been typed', async () => {
  const { user, server } = await openPage({ ...open, planned });
  await fill(user, 'Hours for step 1', '48');
  server.handlers[WITHDRAW] = () => server.saved(POLICY, open);
  await user.click(screen.getByRole('button', { name: 'Withdraw this change' }));
  expect(await screen.findByText('Change withdrawn')).toBeTruthy();
  expect(field('Hours for step 1').value).toBe('48');
});

test('if the planned change starts before the earliest start, the field shows the earliest start', async () => {
  await openPage({ ...open, earliestStart: '2026-12-20', planned });
  expect(field('First lesson date').value).toBe('20 Dec 2026');
});

test("the server's errors are shown, and a second press sends nothing", async () => {
  const saving = createDeferredReply();
  const { user, server } = await openPage(policySettings(), { [SAVE]: saving.handler });
  await fill(user, 'Hours for step 1', '48');
  await save(user);
  const busy = await screen.findByRole('button', { name: 'Saving...' });
  await user.click(busy);
  expect(server.count(SAVE)).toBe(1);
  saving.reply(json(409, { code: 'conflict', message: 'Your portal has just been opened.' }));
  expect(await screen.findByText('Your portal has just been opened.')).toBeTruthy();
  expect(field('Hours for step 1').value).toBe('48');
});

test('loading the policy can be retried after a failure', async () => {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [POLICY]: () => json(500, {}),
  });
  const { user } = renderApp('/settings/cancellation-policy');
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers[POLICY] = () => json(200, policySettings());
  await user.click(retry);
  expect(await screen.findByRole('textbox', { name: 'Hours for step 1' })).toBeTruthy();
});
