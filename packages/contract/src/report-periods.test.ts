import { describe, expect, test } from 'vitest';
import {
  chosenRange,
  type PresetPeriod,
  periodRange,
  previousChosenRange,
  previousPeriodRange,
} from './report-periods.ts';

const formatRange = (range: { from: string | null; to: string | null } | null) =>
  range && `${range.from} ${range.to}`;

describe('[REP-07] date ranges of report periods', () => {
  test.each<[PresetPeriod, string, string, string | null]>([
    ['last_month', '2026-01-15', '2025-12-01 2025-12-31', '2025-11-01 2025-11-30'],
    ['last_month', '2028-03-31', '2028-02-01 2028-02-29', '2028-01-01 2028-01-31'],
    ['this_month', '2026-11-16', '2026-11-01 2026-11-30', '2026-10-01 2026-10-31'],
    ['next_month', '2026-12-31', '2027-01-01 2027-01-31', '2026-12-01 2026-12-31'],
    ['last_quarter', '2026-02-10', '2025-10-01 2025-12-31', '2025-07-01 2025-09-30'],
    ['last_quarter', '2026-04-01', '2026-01-01 2026-03-31', '2025-10-01 2025-12-31'],
    ['last_quarter', '2026-12-31', '2026-07-01 2026-09-30', '2026-04-01 2026-06-30'],
    ['year_to_date', '2028-02-29', '2028-01-01 2028-02-29', '2027-01-01 2027-02-28'],
    ['this_tax_year', '2026-04-05', '2025-04-06 2026-04-05', '2024-04-06 2025-04-05'],
    ['this_tax_year', '2026-04-06', '2026-04-06 2027-04-05', '2025-04-06 2026-04-05'],
    ['last_tax_year', '2026-04-06', '2025-04-06 2026-04-05', '2024-04-06 2025-04-05'],
    ['all_time', '2026-11-16', 'null null', null],
  ])('%s on %s is %s, compared with %s', (period, today, range, before) => {
    expect(formatRange(periodRange(period, today))).toBe(range);
    expect(formatRange(previousPeriodRange(period, today))).toBe(before);
  });
});

test('F143 custom dates are compared with the same number of days before them', () => {
  const dates = { period: 'custom', from: '2026-03-01', to: '2026-03-31' } as const;
  expect(formatRange(chosenRange(dates, '2026-11-16'))).toBe('2026-03-01 2026-03-31');
  expect(formatRange(previousChosenRange(dates, '2026-11-16'))).toBe('2026-01-29 2026-02-28');
});
