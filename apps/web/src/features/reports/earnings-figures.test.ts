import type { EarningsReport } from '@lessonbook/contract/reports';
import { expect, test } from 'vitest';
import { chartMonths, formatComparison, formatRefunds } from './earnings-figures.ts';

const total = {
  currency: 'GBP',
  net: 30000,
  received: 32000,
  refunded: 2000,
  payments: 4,
  previousNet: 18000,
} as const;

test('compares a period with the previous one', () => {
  expect(formatComparison(total, 'last_month')).toBe('£120.00 more than the month before');
  expect(formatComparison({ ...total, previousNet: 30050 }, 'last_quarter')).toBe(
    '£0.50 less than the quarter before',
  );
  expect(formatComparison({ ...total, previousNet: 30000 }, 'this_month')).toBe(
    'As much as last month',
  );
  expect(formatComparison({ ...total, previousNet: null }, 'all_time')).toBeNull();
});

test('shows refunds only when there are any', () => {
  expect(formatRefunds(total)).toBe('Received £320.00, refunded £20.00');
  expect(formatRefunds({ ...total, refunded: 0 })).toBeNull();
});

const report = (change: Partial<EarningsReport>): EarningsReport => ({
  period: 'last_month',
  from: '2026-10-01',
  to: '2026-10-31',
  totals: [],
  months: [],
  students: [],
  subjects: [],
  ...change,
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
  const shown = chartMonths(report({}), allTime, 'GBP', '2026-11-15');
  expect(shown.map(({ month, net }) => `${month} ${net}`)).toEqual([
    '2026-05 0',
    '2026-06 0',
    '2026-07 0',
    '2026-08 300',
    '2026-09 0',
    '2026-10 500',
  ]);
  expect(shown.filter(({ highlighted }) => highlighted).map(({ month }) => month)).toEqual([
    '2026-10',
  ]);
});

test('starts all time at the first earnings and highlights the current month', () => {
  const shown = chartMonths(allTime, allTime, 'GBP', '2026-11-15');
  expect(shown).toHaveLength(12);
  expect(shown[0]).toEqual({ month: '2025-12', net: 100, highlighted: false });
  expect(shown.at(-1)).toEqual({ month: '2026-11', net: 700, highlighted: true });
});

test('ends the current tax year at the current month, and shows no chart without earnings', () => {
  const taxYear = report({ period: 'this_tax_year', from: '2026-04-06', to: '2027-04-05' });
  expect(chartMonths(taxYear, allTime, 'GBP', '2026-11-15').at(-1)?.month).toBe('2026-11');
  expect(chartMonths(taxYear, allTime, 'USD', '2026-11-15')).toEqual([]);
});
