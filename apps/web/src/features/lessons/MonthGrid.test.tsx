import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { groupByDay } from './calendar-days.ts';
import { MonthGrid } from './MonthGrid.tsx';

const sessionAt = (startTime: string, title: string) =>
  sessionRow({ date: '2026-11-18', startTime, title: `${title} - Maths` });
const days = groupByDay([
  sessionAt('16:00', 'Theo Lindqvist'),
  sessionAt('09:30', 'Maya Okafor'),
  sessionAt('11:00', 'Isla Brennan'),
  sessionAt('13:00', 'Amira Haddad'),
  sessionRow({ date: '2026-11-20', status: 'cancelled' }),
  sessionRow({ date: '2026-11-20', status: 'rescheduled', title: 'Sam - Maths' }),
]);

function Month({
  start = '2026-11-14',
  showEvents = true,
}: {
  start?: string;
  showEvents?: boolean;
}) {
  const [date, setDate] = useState(start);
  return (
    <MonthGrid
      date={date}
      today="2026-11-15"
      days={days}
      colorOf={showEvents ? () => 'pine' : undefined}
      onPick={setDate}
    />
  );
}

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

test('shows at most three lessons in a cell, or two and the number of others', () => {
  render(<Month />);
  const events = [...cellOf('2026-11-18').querySelectorAll('[aria-hidden] > span')];
  expect(events.map(({ textContent }) => textContent)).toEqual([
    '09:30 Maya',
    '11:00 Isla',
    '2 more',
  ]);
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
  expect(cellOf('2026-11-18').querySelector('small')?.textContent).toBe('4');
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
])('%s moves the selection and the focus to %s', (key, date) => {
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
