import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { groupByDay } from './calendar-days.ts';
import { MonthGrid } from './MonthGrid.tsx';

const at = (startTime: string, title: string) =>
  sessionRow({ date: '2026-11-18', startTime, title: `${title} - Maths` });
const days = groupByDay([
  at('16:00', 'Theo Lindqvist'),
  at('09:30', 'Maya Okafor'),
  at('11:00', 'Isla Brennan'),
  at('13:00', 'Amira Haddad'),
  sessionRow({ date: '2026-11-20', status: 'cancelled' }),
  sessionRow({ date: '2026-11-20', status: 'rescheduled', title: 'Sam - Maths' }),
]);

function Month({ start = '2026-11-14', chips = true }: { start?: string; chips?: boolean }) {
  const [date, setDate] = useState(start);
  return (
    <MonthGrid
      date={date}
      today="2026-11-15"
      days={days}
      colorOf={chips ? () => 'pine' : undefined}
      onPick={setDate}
    />
  );
}

const cellOf = (date: string) =>
  document.querySelector(`[data-day="${date}"]`)?.closest('td') as HTMLElement;
const chosen = () =>
  document.querySelector<HTMLElement>('td[aria-selected="true"] button')?.dataset['day'];

test('[CONST-12] the month begins its weeks on Monday', () => {
  render(<Month />);
  const names = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(names[0]).toContain('Monday');
  expect(names[6]).toContain('Sunday');
  const first = document.querySelector<HTMLElement>('tbody button');
  expect(first?.dataset['day']).toBe('2026-10-26');
});

test('a cell shows at most three lessons, or two and how many more', () => {
  render(<Month />);
  const chips = [...cellOf('2026-11-18').querySelectorAll('[aria-hidden] > span')];
  expect(chips.map(({ textContent }) => textContent)).toEqual([
    '09:30 Maya',
    '11:00 Isla',
    '2 more',
  ]);
});

test('a moved lesson stands on its new day alone, a cancelled one stays and is not counted', () => {
  render(<Month />);
  const cell = cellOf('2026-11-20');
  expect(cell.querySelectorAll('[data-cancelled]')).toHaveLength(1);
  expect(cell.textContent).not.toContain('Sam');
  expect(cell.textContent).toContain('no lessons');
});

test('without chips there is a count for each day', () => {
  render(<Month chips={false} />);
  expect(cellOf('2026-11-18').querySelector('small')?.textContent).toBe('4');
});

test('today has a word and is marked as the current date', () => {
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
])('%s moves the day to %s, and the focus with it', (key, date) => {
  render(<Month />);
  fireEvent.keyDown(screen.getByRole('grid'), { key });
  expect(chosen()).toBe(date);
  expect((document.activeElement as HTMLElement).dataset['day']).toBe(date);
});

test('only the chosen day is a stop for the tab key', () => {
  render(<Month />);
  const stops = [...document.querySelectorAll<HTMLElement>('tbody button')].filter(
    ({ tabIndex }) => tabIndex === 0,
  );
  expect(stops.map(({ dataset }) => dataset['day'])).toEqual(['2026-11-14']);
});
