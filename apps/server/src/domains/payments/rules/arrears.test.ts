import { expect, test } from 'vitest';
import { countReminders, isInArrears } from './arrears.ts';

test('a family is in arrears after three reminders or 60 days', () => {
  expect(isInArrears('2026-11-02', 2, '2026-11-16')).toBe(false);
  expect(isInArrears('2026-11-02', 3, '2026-11-16')).toBe(true);
  expect(isInArrears('2026-09-18', 0, '2026-11-16')).toBe(false);
  expect(isInArrears('2026-09-17', 0, '2026-11-16')).toBe(true);
  expect(isInArrears(null, 9, '2026-11-16')).toBe(false);
});

test('reminders on several channels on one day count once, and reminders before the debt was overdue do not count', () => {
  const dates = ['2026-11-14', '2026-11-07', '2026-11-07', '2026-10-30'];
  expect(countReminders(dates, '2026-11-02')).toBe(2);
  expect(countReminders(dates, null)).toBe(0);
});
