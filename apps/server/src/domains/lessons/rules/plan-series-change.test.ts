import { describe, expect, test } from 'vitest';
import {
  firstAffectedDate,
  horizonOf,
  lastGeneratedDate,
  nextSeriesRule,
  occurrencesBetween,
  planSeries,
  type SeriesRow,
  unchangedReason,
} from './plan-series-change.ts';

test.each([
  ['2026-11-16', '2027-11-16'],
  ['2027-02-28', '2028-02-28'],
  ['2028-02-29', '2029-02-28'],
])('on %s, sessions are generated up to %s', (today, horizon) => {
  expect(horizonOf(today)).toBe(horizon);
});

test('sessions are generated up to the end of the lesson or the horizon, whichever is earlier', () => {
  expect(lastGeneratedDate(null, '2027-11-16')).toBe('2027-11-16');
  expect(lastGeneratedDate('2027-11-15', '2027-11-16')).toBe('2027-11-15');
  expect(lastGeneratedDate('2027-11-16', '2027-11-16')).toBe('2027-11-16');
  expect(lastGeneratedDate('2027-11-17', '2027-11-16')).toBe('2027-11-16');
});

const row = (id: number, seriesDate: string, overrides: Partial<SeriesRow> = {}): SeriesRow => ({
  id,
  seriesDate,
  occurrenceDate: seriesDate,
  date: seriesDate,
  status: 'scheduled',
  isOverride: false,
  endsAt: new Date(`${seriesDate}T17:00:00Z`),
  ...overrides,
});

const TUESDAYS = ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08'];
const THURSDAYS = ['2026-11-19', '2026-11-26', '2026-12-03', '2026-12-10'];

describe('planSeries', () => {
  const rows = TUESDAYS.map((date, index) => row(index + 1, date));
  const plan = (overrides: Partial<Parameters<typeof planSeries>[0]>) =>
    planSeries({
      oldDates: TUESDAYS,
      newDates: THURSDAYS,
      rows,
      chosenId: 1,
      includeEdited: false,
      ...overrides,
    });

  test('removes sessions whose new dates are outside the terms, and adds new dates that are within a term', () => {
    const oldTerms = [{ fromDate: '2026-11-16', toDate: '2026-11-26' }];
    // In the week of 24 November only the Thursday is off; the term starts again on Thursday 3 December.
    const newTerms = [
      { fromDate: '2026-11-16', toDate: '2026-11-25' },
      { fromDate: '2026-12-03', toDate: '2026-12-18' },
    ];
    const inOldTerms = rows.slice(0, 2);
    expect(plan({ rows: inOldTerms, oldTerms, newTerms })).toEqual({
      moves: [{ id: 1, seriesDate: '2026-11-19' }],
      appended: ['2026-12-03', '2026-12-10'],
      removals: [2],
      unchanged: [],
      chosenIsDetached: false,
    });
  });

  test('the chosen session keeps its date outside the terms, and a deleted session does not return', () => {
    const terms = [{ fromDate: '2026-11-23', toDate: '2026-12-09' }];
    const withoutSecond = rows.filter(({ id }) => id !== 2);
    expect(plan({ rows: withoutSecond, newTerms: terms })).toEqual({
      moves: [
        { id: 1, seriesDate: '2026-11-19' },
        { id: 3, seriesDate: '2026-12-03' },
      ],
      appended: [],
      removals: [4],
      unchanged: [],
      chosenIsDetached: false,
    });
  });

  test('gives each session the date at the same index in the new series', () => {
    expect(plan({})).toEqual({
      moves: THURSDAYS.map((seriesDate, index) => ({ id: index + 1, seriesDate })),
      appended: [],
      removals: [],
      unchanged: [],
      chosenIsDetached: false,
    });
  });

  test('removes sessions without a new date and appends additional dates', () => {
    expect(plan({ newDates: THURSDAYS.slice(0, 2) })).toMatchObject({
      moves: [{ id: 1 }, { id: 2 }],
      removals: [3, 4],
    });
    expect(plan({ newDates: [...THURSDAYS, '2026-12-17'] })).toMatchObject({
      appended: ['2026-12-17'],
      removals: [],
    });
  });

  test('leaves completed, cancelled, moved and edited sessions unchanged and does not fill any date twice', () => {
    const unchangedRows = [
      row(1, TUESDAYS[0] as string, { status: 'completed' }),
      row(2, TUESDAYS[1] as string, { status: 'rescheduled' }),
      row(3, TUESDAYS[2] as string, { status: 'cancelled' }),
      row(4, TUESDAYS[3] as string, { isOverride: true }),
      row(5, TUESDAYS[1] as string, { seriesDate: null, date: '2026-11-25' }),
    ];
    expect(plan({ rows: unchangedRows, chosenId: 99 })).toEqual({
      moves: [],
      appended: [],
      removals: [],
      unchanged: [
        { id: 1, reason: 'completed', hasSeriesDate: true },
        { id: 2, reason: 'moved', hasSeriesDate: true },
        { id: 3, reason: 'cancelled', hasSeriesDate: true },
        { id: 4, reason: 'edited', hasSeriesDate: true },
      ],
      chosenIsDetached: false,
    });
    expect(plan({ rows: unchangedRows, chosenId: 99, includeEdited: true }).moves).toEqual([
      { id: 4, seriesDate: THURSDAYS[3] },
    ]);
  });

  test('changes the chosen session even if it was edited before', () => {
    const overridden = rows.map((entry) => ({ ...entry, isOverride: entry.id === 2 }));
    expect(plan({ rows: overridden, chosenId: 2 }).moves).toContainEqual({
      id: 2,
      seriesDate: THURSDAYS[1],
    });
  });

  test('does not refill the date of a deleted session', () => {
    expect(plan({ rows: rows.filter(({ id }) => id !== 2) })).toMatchObject({ appended: [] });
  });
});

describe('unchangedReason', () => {
  test('is "moved" for a replacement session', () => {
    expect(unchangedReason(row(1, '2026-11-17', { seriesDate: null }), true)).toBe('moved');
    expect(unchangedReason(row(1, '2026-11-17'), false)).toBeNull();
  });
});

describe('firstAffectedDate', () => {
  const rows = TUESDAYS.map((date, index) => row(index + 1, date));
  const now = new Date('2026-11-26T12:00:00Z');
  const chosen = rows[3] as SeriesRow;

  test('is the date of the chosen session for "this and following"', () => {
    expect(firstAffectedDate({ rows, chosen, scope: 'following', now })).toBe('2026-12-08');
  });

  test('is the date of the first session that has not ended for "all", or of the chosen session if earlier', () => {
    expect(firstAffectedDate({ rows, chosen, scope: 'all', now })).toBe('2026-12-01');
    expect(firstAffectedDate({ rows, chosen: rows[1] as SeriesRow, scope: 'all', now })).toBe(
      '2026-11-24',
    );
  });
});

describe('nextSeriesRule', () => {
  const lesson = {
    isRecurring: true,
    pattern: 'weekly' as const,
    recurrenceStart: '2026-11-17',
    endDate: null,
    firstDate: '2026-11-17',
  };
  const requested = {
    date: '2026-11-24',
    isRecurring: true,
    recurringPattern: 'weekly' as const,
    recurringEndDate: '2026-12-08',
  };
  const next = (overrides: Partial<Parameters<typeof nextSeriesRule>[0]['requested']>) =>
    nextSeriesRule({
      lesson,
      chosen: row(2, '2026-11-24'),
      pivot: '2026-11-24',
      requested: { ...requested, ...overrides },
      horizon: '2027-11-16',
    });

  test('keeps the recurrence start when the date is unchanged', () => {
    expect(next({})).toMatchObject({
      recurrenceStart: '2026-11-17',
      dates: ['2026-11-24', '2026-12-01', '2026-12-08'],
    });
  });

  test('starts from the new day when the date changes', () => {
    expect(next({ date: '2026-11-26' })).toMatchObject({
      recurrenceStart: '2026-11-26',
      dates: ['2026-11-26', '2026-12-03'],
    });
  });

  test('starts from the chosen session when the pattern changes', () => {
    expect(next({ recurringPattern: 'biweekly' }).dates).toEqual(['2026-11-24', '2026-12-08']);
    expect(next({ recurringPattern: 'monthly', recurringEndDate: '2027-01-31' }).dates).toEqual([
      '2026-11-24',
      '2026-12-24',
      '2027-01-24',
    ]);
  });

  test('ends with the chosen session if the lesson is no longer recurring', () => {
    expect(next({ isRecurring: false })).toMatchObject({
      endDate: '2026-11-24',
      dates: ['2026-11-24'],
    });
  });

  test('occurrencesBetween includes both boundary dates', () => {
    expect(occurrencesBetween('weekly', '2026-11-17', '2026-11-24', '2026-12-01')).toEqual([
      '2026-11-24',
      '2026-12-01',
    ]);
  });
});
