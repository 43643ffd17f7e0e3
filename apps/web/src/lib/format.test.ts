import { expect, test } from 'vitest';
import { firstName, initials, longDate, monthDay, weekday } from './format.ts';

test('dates are written out, whatever the zone of the machine', () => {
  expect(longDate('2026-11-14')).toBe('Saturday, 14 November 2026');
  expect(longDate('2026-09-01')).toBe('Tuesday, 1 September 2026');
  expect(monthDay('2026-11-05')).toBe('November 5');
  expect(weekday('2026-11-15')).toBe('Sunday');
});

test('names are shortened to first name and initials', () => {
  expect(firstName('  Ada  Fenwick ')).toBe('Ada');
  expect(initials('Ada Mary Fenwick')).toBe('AM');
  expect(initials('ada')).toBe('A');
});
