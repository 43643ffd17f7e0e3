import type { TimeOff } from '@lessonbook/contract/time-off';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { sessionDetails, sessionRow } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { groupByDay } from './calendar-and-series-dates.ts';
import { WeekView } from './WeekView.tsx';

const monday = sessionRow({
  date: '2026-11-16',
  studentName: 'Noah Hale',
  title: 'Noah Hale - Maths GCSE',
});
const tuesday = sessionRow({ date: '2026-11-17', startTime: '09:00', endTime: '10:00' });
const evening = sessionRow({
  date: '2026-11-17',
  startTime: '19:00',
  endTime: '20:00',
  studentName: 'Theo Lind',
  title: 'Theo Lind - Maths GCSE',
  place: 'https://meet.example/theo',
});
const cancelled = sessionRow({
  date: '2026-11-18',
  status: 'cancelled',
  studentName: 'Isla Brennan',
  title: 'Isla Brennan - Maths GCSE',
});

const dentist: TimeOff = {
  id: 1,
  fromDate: '2026-11-19',
  toDate: '2026-11-19',
  startTime: '13:00',
  endTime: '15:45',
  reason: 'Dentist',
  restorableSessions: 0,
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-17T16:20:00Z') });
});

async function openWeek(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({ 'GET /api/me': () => json(200, ada), ...handlers });
  const onNew = vi.fn();
  const { user } = await renderComponentSignedIn(
    <WeekView
      date="2026-11-17"
      today="2026-11-17"
      timeZone="Europe/London"
      days={groupByDay([monday, tuesday, evening, cancelled])}
      timeOff={[dentist]}
      colorOf={() => 'pine'}
      onNew={onNew}
    />,
  );
  return { user, server, onNew };
}

/** The popover has no size in the test environment, so it counts as hidden. */
const findPopover = async (heading: string) =>
  (await screen.findByRole('heading', { name: heading, hidden: true })).closest<HTMLElement>(
    '[role=dialog]',
  ) as HTMLElement;

const event = (name: RegExp) => screen.getByRole('link', { name });

test('F139 marks the current time, and lessons that are over but not completed', async () => {
  await openWeek();
  expect(screen.getByText('16:20')).toBeTruthy();
  expect(event(/^Maya.*not completed yet/)).toBeTruthy();
  expect(event(/^Theo/).textContent).not.toContain('not completed yet');
  expect(event(/^Isla/).textContent).toContain('Cancelled');
});

test('F64 shows time off with its reason', async () => {
  await openWeek();
  expect(screen.getByText('Dentist')).toBeTruthy();
  expect(screen.getByRole('heading', { name: /19 November.*time off: Dentist/ })).toBeTruthy();
});

test('F140 the week is one tab stop, and arrow keys move between lessons', async () => {
  const { user } = await openWeek();
  const tabStops = () =>
    screen.getAllByRole('link').filter((link) => link.tabIndex === 0 && link.dataset['event']);
  expect(tabStops()).toEqual([event(/^Noah/)]);
  event(/^Noah/).focus();
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(event(/^Theo/));
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(event(/^Maya/));
  expect(tabStops()).toEqual([event(/^Maya/)]);
});

test('F139 a lesson opens a popover with complete, move and cancel', async () => {
  const { user } = await openWeek({
    [`GET /api/sessions/${tuesday.id}`]: () => json(200, sessionDetails({ ...tuesday })),
    [`GET /api/sessions/${tuesday.id}/cancellation`]: () => json(200, {}),
  });
  await user.click(event(/^Maya/));
  const popover = await findPopover('Maya Okafor - Maths GCSE');
  expect(within(popover).getByText('Tue 17 Nov, 09:00–10:00')).toBeTruthy();
  expect(within(popover).getByRole('button', { name: 'Complete', hidden: true })).toBeTruthy();
  expect(within(popover).getByRole('button', { name: 'Move', hidden: true })).toBeTruthy();
  expect(within(popover).getByRole('link', { name: 'View lesson', hidden: true })).toBeTruthy();
  await user.click(within(popover).getByRole('button', { name: 'Cancel lesson', hidden: true }));
  expect(await screen.findByText('Who cancelled?')).toBeTruthy();
});

test('F139 Escape closes the popover and returns focus to the lesson', async () => {
  const { user } = await openWeek();
  event(/^Theo/).focus();
  await user.keyboard('{Enter}');
  fireEvent.keyDown(await findPopover('Theo Lind - Maths GCSE'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
  expect(document.activeElement).toBe(event(/^Theo/));
});
