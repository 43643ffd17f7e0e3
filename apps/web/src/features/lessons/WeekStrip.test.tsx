import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { groupByDay } from './calendar-and-series-dates.ts';
import { WeekStrip } from './WeekStrip.tsx';

function renderStrip(date: string, today = '2026-11-15') {
  const days = groupByDay([
    sessionRow({ date: '2026-11-17' }),
    sessionRow({ date: '2026-11-17', startTime: '18:00', endTime: '19:00' }),
    sessionRow({ date: '2026-11-17', status: 'cancelled' }),
    sessionRow({ date: '2026-11-17', status: 'rescheduled' }),
  ]);
  const onPick = vi.fn();
  render(<WeekStrip date={date} today={today} days={days} timeOff={[]} onPick={onPick} />);
  const strip = screen.getByRole('group', { name: 'Week' });
  return { onPick, strip, buttons: within(strip).getAllByRole('button') };
}

const weekdayOf = (button: HTMLElement) => button.querySelector('small')?.textContent;
const dayOf = (button: HTMLElement) => button.querySelector('b')?.textContent;

test('[SCHED-13, CONST-12] shows seven days starting on Monday', () => {
  const { buttons } = renderStrip('2026-11-18');
  expect(buttons.map(weekdayOf)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  expect(buttons.map(dayOf)).toEqual(['16', '17', '18', '19', '20', '21', '22']);
});

test('[SCHED-13] shows a Sunday in the week of the previous Monday', () => {
  const { buttons } = renderStrip('2026-11-15');
  expect(buttons.map(dayOf)).toEqual(['9', '10', '11', '12', '13', '14', '15']);
});

test('[SCHED-14] highlights only the selected day', () => {
  const { buttons } = renderStrip('2026-11-18');
  const pressed = buttons.filter((button) => button.getAttribute('aria-pressed') === 'true');
  expect(pressed.map(dayOf)).toEqual(['18']);
});

test('[SCHED-15] outlines today and labels it for screen readers', () => {
  const { buttons } = renderStrip('2026-11-12');
  const [today, ...others] = buttons.filter((button) => button.getAttribute('aria-current'));
  expect(others).toEqual([]);
  expect(today && dayOf(today)).toBe('15');
  expect(today?.textContent).toContain('today');
});

test("[SCHED-15] outlines nothing when the tutor's current date is in another week", () => {
  const { buttons } = renderStrip('2026-11-18');
  expect(buttons.filter((button) => button.getAttribute('aria-current'))).toEqual([]);
});

test("[SCHED-16] greys out days outside the selected day's month", () => {
  const { buttons } = renderStrip('2026-12-01');
  const grey = buttons.filter((button) => button.dataset['outside'] !== undefined);
  expect(grey.map(dayOf)).toEqual(['30']);
});

test('counts the lessons that take place on each day', () => {
  const { buttons } = renderStrip('2026-11-18');
  expect(buttons[1]?.textContent).toContain('2 lessons');
  expect(buttons[2]?.textContent).toContain('no lessons');
});

test('a click picks a day, and a swipe moves to the next or previous week', () => {
  const { onPick, strip, buttons } = renderStrip('2026-11-18');
  fireEvent.click(buttons[4] as HTMLElement);
  expect(onPick).toHaveBeenLastCalledWith('2026-11-20');
  fireEvent.touchStart(strip, { touches: [{ clientX: 200 }] });
  fireEvent.touchEnd(strip, { changedTouches: [{ clientX: 100 }] });
  expect(onPick).toHaveBeenLastCalledWith('2026-11-25');
  fireEvent.touchStart(strip, { touches: [{ clientX: 100 }] });
  fireEvent.touchEnd(strip, { changedTouches: [{ clientX: 200 }] });
  expect(onPick).toHaveBeenLastCalledWith('2026-11-11');
  fireEvent.touchStart(strip, { touches: [{ clientX: 100 }] });
  fireEvent.touchEnd(strip, { changedTouches: [{ clientX: 120 }] });
  expect(onPick).toHaveBeenCalledTimes(3);
});
