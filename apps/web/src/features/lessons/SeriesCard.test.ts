import { expect, test } from 'vitest';
import { formatRecurrence } from './SeriesCard.tsx';

const lesson = {
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
  recurringPattern: 'weekly',
  recurringEndDate: '2026-12-15',
} as const;
const format = (overrides: Partial<Parameters<typeof formatRecurrence>[0]> = {}) =>
  formatRecurrence({ ...lesson, ...overrides });

test('formats a weekly and a fortnightly lesson', () => {
  expect(format()).toBe('Every Tuesday, 4pm to 5pm, until 15 Dec 2026');
  expect(format({ recurringPattern: 'biweekly', recurringEndDate: null })).toBe(
    'Every second Tuesday, 4pm to 5pm',
  );
});

test.each([
  ['2026-11-01', '1st'],
  ['2026-11-02', '2nd'],
  ['2026-11-03', '3rd'],
  ['2026-11-11', '11th'],
  ['2026-11-12', '12th'],
  ['2026-11-13', '13th'],
  ['2026-11-22', '22nd'],
  ['2026-10-31', '31st'],
])('formats a monthly lesson from %s as the %s', (date, day) => {
  expect(format({ date, recurringPattern: 'monthly' })).toContain(`Every month on the ${day}, `);
});

test('F120 formats a monthly lesson by weekday', () => {
  expect(format({ date: '2026-11-10', recurringPattern: 'monthly_weekday' })).toContain(
    'Every month on the second Tuesday, ',
  );
  expect(format({ date: '2026-11-29', recurringPattern: 'monthly_last_weekday' })).toContain(
    'Every month on the last Sunday, ',
  );
});
