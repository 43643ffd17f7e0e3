import { expect, test } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { nextEventForKey } from './week-keyboard-navigation.ts';

const sessionAt = (startTime: string, endTime: string) => sessionRow({ startTime, endTime });

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
