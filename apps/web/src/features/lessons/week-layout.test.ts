import { expect, test } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import {
  dropTime,
  layoutDay,
  nextEventForKey,
  resizeTime,
  slotAt,
  slotBetween,
  visibleHours,
} from './week-layout.ts';

const sessionAt = (startTime: string, endTime: string) => sessionRow({ startTime, endTime });
const formatLanes = (sessions: Parameters<typeof layoutDay>[0]) =>
  layoutDay(sessions).map(
    ({ session, lane, laneCount: count }) => `${session.startTime} ${lane}/${count}`,
  );

test('splits the width between overlapping lessons', () => {
  expect(formatLanes([sessionAt('16:00', '17:00'), sessionAt('17:00', '18:00')])).toEqual([
    '16:00 0/1',
    '17:00 0/1',
  ]);
  expect(
    formatLanes([
      sessionAt('16:00', '17:00'),
      sessionAt('16:30', '17:30'),
      sessionAt('17:00', '18:00'),
      sessionAt('18:00', '19:00'),
    ]),
  ).toEqual(['16:00 0/2', '16:30 1/2', '17:00 0/2', '18:00 0/1']);
  expect(formatLanes([])).toEqual([]);
});

test('shows the default hours and extends them for early or late lessons', () => {
  expect(visibleHours([])).toEqual({ from: 480, to: 1200 });
  expect(visibleHours([sessionAt('07:15', '08:00'), sessionAt('20:30', '21:15')])).toEqual({
    from: 420,
    to: 1320,
  });
});

test('snaps a dragged lesson to 15 minutes, keeps its length and stays within the day', () => {
  expect(dropTime(sessionAt('16:00', '17:00'), 67)).toEqual({
    startTime: '17:00',
    endTime: '18:00',
  });
  expect(dropTime(sessionAt('16:00', '16:45'), -38)).toEqual({
    startTime: '15:15',
    endTime: '16:00',
  });
  expect(dropTime(sessionAt('22:00', '23:00'), 600)).toEqual({
    startTime: '22:59',
    endTime: '23:59',
  });
  expect(dropTime(sessionAt('01:00', '02:00'), -600)).toEqual({
    startTime: '00:00',
    endTime: '01:00',
  });
});

test('starts a slot at the pressed half hour and makes it one hour long', () => {
  expect(slotAt(16 * 60 + 44)).toEqual({ startTime: '16:30', endTime: '17:30' });
  expect(slotAt(23 * 60 + 50)).toEqual({ startTime: '22:59', endTime: '23:59' });
});

test('F139 snaps a dragged lower edge to 15 minutes, at least 15 after the start and within the day', () => {
  const lesson = sessionAt('16:00', '17:00');
  expect(resizeTime(lesson, 32)).toEqual({ startTime: '16:00', endTime: '17:30' });
  expect(resizeTime(lesson, -500)).toEqual({ startTime: '16:00', endTime: '16:15' });
  expect(resizeTime(lesson, 900)).toEqual({ startTime: '16:00', endTime: '23:59' });
});

test('F139 a lesson dragged over free time covers whole quarters of an hour, in both directions', () => {
  expect(slotBetween(16 * 60 + 2, 17 * 60 + 20)).toEqual({ startTime: '16:00', endTime: '17:30' });
  expect(slotBetween(17 * 60 + 20, 16 * 60 + 2)).toEqual({ startTime: '16:00', endTime: '17:30' });
  expect(slotBetween(600, 600)).toEqual({ startTime: '10:00', endTime: '10:15' });
  expect(slotBetween(23 * 60 + 30, 1500)).toEqual({ startTime: '23:30', endTime: '23:59' });
});

test('F140 the arrow keys move through the lessons of a day and to the closest one on another day', () => {
  const [early, late, other, last] = [
    sessionAt('09:00', '10:00'),
    sessionAt('16:00', '17:00'),
    sessionAt('15:00', '16:00'),
    sessionAt('08:00', '09:00'),
  ] as const;
  const columns = [[early, late], [], [other], [last]];
  const next = (id: number, key: string) => nextEventForKey(columns, id, key)?.id;
  expect(next(early.id, 'ArrowDown')).toBe(late.id);
  expect(next(late.id, 'ArrowDown')).toBeUndefined();
  expect(next(late.id, 'ArrowUp')).toBe(early.id);
  expect(next(early.id, 'ArrowRight')).toBe(other.id);
  expect(next(other.id, 'ArrowLeft')).toBe(late.id);
  expect(next(other.id, 'Home')).toBe(early.id);
  expect(next(other.id, 'End')).toBe(last.id);
  expect(next(other.id, 'Enter')).toBeUndefined();
});
