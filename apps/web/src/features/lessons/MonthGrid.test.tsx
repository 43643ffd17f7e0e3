import type { TimeOff } from '@lessonbook/contract/time-off';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { groupByDay } from './calendar-and-series-dates.ts';
import { MonthGrid } from './MonthGrid.tsx';

const sessionAt = (startTime: string, studentName: string) =>
  sessionRow({ date: '2026-11-18', startTime, studentName, title: 'Mock exam' });
function groupOn(date: string) {
  const { students } = sessionRow();
  const seats = [1, 2, 3].flatMap((studentId) => students.map((seat) => ({ ...seat, studentId })));
  const title = 'Year 11 maths';
  return sessionRow({ date, title, studentName: 'Maya Okafor, Isla Brennan', students: seats });
}
const days = groupByDay([
  sessionAt('16:00', 'Theo Lindqvist'),
  sessionAt('09:30', 'Maya Okafor'),
  sessionAt('11:00', 'Isla Brennan'),
  sessionAt('13:00', 'Amira Haddad'),
  sessionAt('17:15', 'Sam Reid'),
  groupOn('2026-11-19'),
  sessionRow({ date: '2026-11-20', status: 'cancelled' }),
  sessionRow({ date: '2026-11-20', status: 'rescheduled', studentName: 'Sam' }),
]);

const halfTerm: TimeOff = {
  id: 1,
  fromDate: '2026-11-20',
  toDate: '2026-11-23',
  startTime: null,
  endTime: null,
  reason: 'Half-term',
  restorableSessions: 0,
};

interface MonthProps {
  start?: string;
  showEvents?: boolean;
  timeOff?: TimeOff[];
  onOpenSession?: (id: number) => void;
}

function Month({ start = '2026-11-14', showEvents = true, ...props }: MonthProps) {
  const [date, setDate] = useState(start);
  return (
    <MonthGrid
      date={date}
      today="2026-11-15"
      days={days}
      colorOf={showEvents ? () => 'pine' : undefined}
      onPick={setDate}
      {...props}
    />
  );
}

afterEach(() => vi.unstubAllGlobals());

const cellOf = (date: string) =>
  document.querySelector(`[data-day="${date}"]`)?.closest('td') as HTMLElement;
const selectedDay = () =>
  document.querySelector<HTMLElement>('td[aria-selected="true"] button')?.dataset['day'];

test('[CONST-12] starts the weeks on Monday', () => {
  render(<Month />);
  const names = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(names[0]).toContain('Monday');
  expect(names[6]).toContain('Sunday');
  const first = document.querySelector<HTMLElement>('tbody button');
  expect(first?.dataset['day']).toBe('2026-10-26');
});

test('F138 F137 shows all lessons with their students if they fit, otherwise some of them and how many are hidden', () => {
  render(<Month />);
  const events = () =>
    [...(cellOf('2026-11-18').querySelector('a')?.parentElement?.children ?? [])].map(
      ({ textContent }) => textContent,
    );
  expect(events()).toEqual(['09:30 Maya', '11:00 Isla', '13:00 Amira', '2 more']);
  vi.stubGlobal('innerHeight', 1100);
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(events()).toEqual(['09:30 Maya', '11:00 Isla', '13:00 Amira', '16:00 Theo', '17:15 Sam']);
});

test('shows a group with its name, its number of students and a ring', () => {
  render(<Month />);
  const link = screen.getByRole('link', { name: '16:00 Year 11 maths · 3' });
  expect(link.dataset['group']).toBe('true');
  expect(screen.getByRole('link', { name: '09:30 Maya' }).dataset['group']).toBeUndefined();
});

test('F139 a lesson is a link, and a plain click opens it without selecting the day', () => {
  const onOpen = vi.fn();
  render(<Month onOpenSession={onOpen} />);
  const link = screen.getByRole('link', { name: '09:30 Maya' });
  expect(link.getAttribute('href')).toMatch(/^\/sessions\/\d+$/);
  expect(fireEvent.click(link)).toBe(false);
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(Number(link.dataset['session']));
  expect(selectedDay()).toBe('2026-11-14');
});

test('F64 shows time off with its reason on its first day and on Mondays', () => {
  render(<Month timeOff={[halfTerm]} />);
  expect(cellOf('2026-11-20').querySelector('[data-off]')?.textContent).toContain('Half-term');
  expect(cellOf('2026-11-21').textContent).not.toMatch(/^21Half-term/);
  expect(cellOf('2026-11-23').textContent).toContain('Half-term');
  expect(cellOf('2026-11-24').querySelector('[data-off]')).toBeNull();
  expect(screen.getByRole('button', { name: /20 November.*time off: Half-term/ })).toBeTruthy();
});

test('hides a rescheduled lesson on its old day, and shows a cancelled one without counting it', () => {
  render(<Month />);
  const cell = cellOf('2026-11-20');
  expect(cell.querySelectorAll('[data-cancelled]')).toHaveLength(1);
  expect(cell.textContent).not.toContain('Sam');
  expect(cell.textContent).toContain('no lessons');
});

test('shows a count for each day when events are hidden', () => {
  render(<Month showEvents={false} />);
  expect(cellOf('2026-11-18').querySelector('small')?.textContent).toBe('5');
});

test('marks today as the current date and labels it', () => {
  render(<Month />);
  const today = cellOf('2026-11-15').querySelector('button');
  expect(today?.getAttribute('aria-current')).toBe('date');
  expect(today?.textContent).toContain('today');
});

test.each([
  ['ArrowLeft', '2026-11-13'],
  ['ArrowRight', '2026-11-15'],
  ['ArrowUp', '2026-11-07'],
  ['ArrowDown', '2026-11-21'],
  ['Home', '2026-11-09'],
  ['End', '2026-11-15'],
  ['PageUp', '2026-10-14'],
  ['PageDown', '2026-12-14'],
])('%s moves the selection and focus to %s', (key, date) => {
  render(<Month />);
  fireEvent.keyDown(screen.getByRole('grid'), { key });
  expect(selectedDay()).toBe(date);
  expect((document.activeElement as HTMLElement).dataset['day']).toBe(date);
});

test('makes only the selected day reachable by Tab', () => {
  render(<Month />);
  const tabStops = [...document.querySelectorAll<HTMLElement>('tbody button')].filter(
    ({ tabIndex }) => tabIndex === 0,
  );
  expect(tabStops.map(({ dataset }) => dataset['day'])).toEqual(['2026-11-14']);
});
