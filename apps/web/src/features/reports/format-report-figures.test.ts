import type { EarningsReport, LessonReport } from '@lessonbook/contract/reports';
import { expect, test } from 'vitest';
import { earningsBars, lessonBars } from './chart-bars.ts';
import {
  addAmounts,
  compareEarnings,
  compareHours,
  formatAttendance,
  formatBooked,
  formatRefunds,
} from './format-report-figures.ts';

const total = {
  currency: 'GBP',
  net: 30000,
  received: 32000,
  refunded: 2000,
  payments: 4,
  previousNet: 18000,
} as const;

test('compares a period with the previous one', () => {
  expect(compareEarnings(total, 'last_month')).toBe('£120.00 more than the month before');
  expect(compareEarnings({ ...total, previousNet: 30050 }, 'last_quarter')).toBe(
    '£0.50 less than the quarter before',
  );
  expect(compareEarnings({ ...total, previousNet: 30000 }, 'this_month')).toBe(
    'The same as last month',
  );
  expect(compareEarnings({ ...total, previousNet: null }, 'all_time')).toBeNull();
});

test('shows refunds only when there are any', () => {
  expect(formatRefunds(total)).toBe('Received £320.00, refunded £20.00');
  expect(formatRefunds({ ...total, refunded: 0 })).toBeNull();
});

const report = (overrides: Partial<EarningsReport>): EarningsReport => ({
  period: 'last_month',
  from: '2026-10-01',
  to: '2026-10-31',
  student: null,
  subject: null,
  booked: { lessons: 0, minutes: 0, fees: [] },
  writtenOff: [],
  totals: [],
  months: [],
  students: [],
  subjects: [],
  ...overrides,
});
const allTime = report({
  period: 'all_time',
  from: null,
  to: null,
  months: [
    { month: '2025-12', currency: 'GBP', net: 100 },
    { month: '2026-01', currency: 'EUR', net: 999 },
    { month: '2026-08', currency: 'GBP', net: 300 },
    { month: '2026-10', currency: 'GBP', net: 500 },
    { month: '2026-11', currency: 'GBP', net: 700 },
  ],
});

test('shows a single month with the five before it, including months without earnings', () => {
  const shown = earningsBars(report({}), allTime, 'GBP', '2026-11-15');
  expect(shown.map(({ key, value }) => `${key} ${value}`)).toEqual([
    '2026-05 0',
    '2026-06 0',
    '2026-07 0',
    '2026-08 300',
    '2026-09 0',
    '2026-10 500',
  ]);
  expect(shown.filter(({ highlighted }) => highlighted).map(({ key }) => key)).toEqual(['2026-10']);
});

test('starts the all-time chart at the first earnings and highlights the current month', () => {
  const shown = earningsBars(allTime, allTime, 'GBP', '2026-11-15');
  expect(shown).toHaveLength(12);
  expect(shown[0]).toMatchObject({ key: '2025-12', value: 100, highlighted: false });
  expect(shown.at(-1)).toMatchObject({ key: '2026-11', value: 700, highlighted: true });
});

test('ends the current tax year at the current month, and shows no chart without earnings', () => {
  const taxYear = report({ period: 'this_tax_year', from: '2026-04-06', to: '2027-04-05' });
  expect(earningsBars(taxYear, allTime, 'GBP', '2026-11-15').at(-1)?.key).toBe('2026-11');
  expect(earningsBars(taxYear, allTime, 'USD', '2026-11-15')).toEqual([]);
});

test('F143 shows a period of more than three years by year', () => {
  const years = report({
    period: 'all_time',
    from: null,
    to: null,
    months: [
      { month: '2023-09', currency: 'GBP', net: 100 },
      { month: '2023-12', currency: 'GBP', net: 50 },
      { month: '2026-11', currency: 'GBP', net: 700 },
    ],
  });
  const bars = earningsBars(years, years, 'GBP', '2026-11-15');
  expect(bars.map(({ key, value }) => `${key} ${value}`)).toEqual([
    '2023 150',
    '2024 0',
    '2025 0',
    '2026 700',
  ]);
});

test('F143 shows no bars for a period without earnings', () => {
  const before = report({ period: 'custom', from: '2020-01-01', to: '2020-12-31' });
  expect(earningsBars(before, allTime, 'GBP', '2026-11-15')).toEqual([]);
});

const lessonReport: LessonReport = {
  period: 'this_month',
  from: '2026-11-01',
  to: '2026-11-30',
  student: null,
  subject: null,
  taught: { lessons: 3, minutes: 210, previousMinutes: 300 },
  booked: { lessons: 1, minutes: 45, fees: [{ currency: 'GBP', amount: 3500 }] },
  toComplete: 0,
  charged: [],
  attendance: { attended: 5, late: 2, absent: 1, cancelled: 1 },
  months: [
    { month: '2026-09', lessons: 2, minutes: 120, bookedMinutes: 0 },
    { month: '2026-11', lessons: 1, minutes: 90, bookedMinutes: 45 },
  ],
  students: [],
  subjects: [],
};

test('F143 hours by month include months without lessons, and booked hours', () => {
  expect(lessonBars(lessonReport, '2026-11-15')).toEqual([
    { key: '2026-09', value: 120, booked: 0, highlighted: false },
    { key: '2026-10', value: 0, booked: 0, highlighted: false },
    { key: '2026-11', value: 90, booked: 45, highlighted: true },
  ]);
});

test('F143 formats hours, attendance and bookings as text', () => {
  expect(compareHours(lessonReport)).toBe('1 hr 30 mins less than last month');
  expect(formatAttendance(lessonReport.attendance)).toBe('Attended 7 of 8, 1 cancelled');
  expect(formatBooked(lessonReport.booked)).toBe('1 lesson, 45 mins, £35.00');
});

test('F143 never adds amounts in different currencies together', () => {
  const charged = [{ currency: 'GBP', amount: 100 }] as const;
  const booked = [
    { currency: 'EUR', amount: 300 },
    { currency: 'GBP', amount: 20 },
  ] as const;
  expect(addAmounts(charged, booked)).toEqual([
    { currency: 'GBP', amount: 120 },
    { currency: 'EUR', amount: 300 },
  ]);
});
