import { expect, test } from 'vitest';
import { formatRecurrencePreview } from './calendar-and-series-dates.ts';

const today = '2026-11-15';
const weekly = { date: '2026-11-17', recurringPattern: 'weekly', recurringEndDate: '' } as const;

const preview = (fields: Partial<Parameters<typeof formatRecurrencePreview>[0]>) =>
  formatRecurrencePreview({ ...weekly, ...fields }, today);

test('lists the next dates and the end, if any', () => {
  expect(preview({})).toBe('Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, with no end date');
  expect(preview({ recurringEndDate: '2026-12-22' })).toBe(
    'Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, … until Tue 22 Dec',
  );
  expect(preview({ recurringEndDate: '2026-12-01' })).toBe('Next: Tue 24 Nov, Tue 1 Dec');
});

test('counts months from the first date and uses the last day of a shorter month', () => {
  expect(preview({ date: '2026-12-31', recurringPattern: 'monthly' })).toBe(
    'Next: Sun 31 Jan 2027, Sun 28 Feb 2027, Wed 31 Mar 2027, with no end date',
  );
});

test('starts from today if the first date is in the past, and reports an end date before the first repeat', () => {
  expect(preview({ date: '2026-09-01' })).toContain('Next: Tue 17 Nov');
  expect(preview({ recurringEndDate: '2026-11-20' })).toBe(
    "This lesson won't repeat: the end date is before the next date.",
  );
});
