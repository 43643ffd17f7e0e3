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
} from './series.ts';

test.each([
  ['2026-11-16', '2027-11-16'],
  ['2027-02-28', '2028-02-28'],
  ['2028-02-29', '2029-02-28'],
])('seen on %s, sessions are written down up to %s', (today, horizon) => {
  expect(horizonOf(today)).toBe(horizon);
});

test('a lesson is written down to its end, or to the horizon if it goes on beyond', () => {
  expect(lastGeneratedDate(null, '2027-11-16')).toBe('2027-11-16');
  expect(lastGeneratedDate('2027-11-15', '2027-11-16')).toBe('2027-11-15');
  expect(lastGeneratedDate('2027-11-16', '2027-11-16')).toBe('2027-11-16');
  expect(lastGeneratedDate('2027-11-17', '2027-11-16')).toBe('2027-11-16');
});

const row = (id: number, slot: string, change: Partial<SeriesRow> = {}): SeriesRow => ({
  id,
  slot,
  occurrenceDate: slot,
  date: slot,
  status: 'scheduled',
  edited: false,
  endsAt: new Date(`${slot}T17:00:00Z`),
  ...change,
});

const TUESDAYS = ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08'];
const THURSDAYS = ['2026-11-19', '2026-11-26', '2026-12-03', '2026-12-10'];

describe('laying a changed series over the old one', () => {
  const rows = TUESDAYS.map((date, index) => row(index + 1, date));
  const plan = (change: Partial<Parameters<typeof planSeries>[0]>) =>
    planSeries({
      oldDates: TUESDAYS,
      newDates: THURSDAYS,
      rows,
      chosenId: 1,
      includeEdited: false,
      ...change,
    });

  test('gives each session the same place in the new one', () => {
    expect(plan({})).toEqual({
      moves: THURSDAYS.map((slot, index) => ({ id: index + 1, slot })),
      beyond: [],
      removes: [],
      stays: [],
      chosenBeside: false,
    });
  });

  test('takes away what has no place any more, and adds what is new', () => {
    expect(plan({ newDates: THURSDAYS.slice(0, 2) })).toMatchObject({
      moves: [{ id: 1 }, { id: 2 }],
      removes: [3, 4],
    });
    expect(plan({ newDates: [...THURSDAYS, '2026-12-17'] })).toMatchObject({
      beyond: ['2026-12-17'],
      removes: [],
    });
  });

  test('leaves what was taught, cancelled, moved or edited, and fills no place twice', () => {
    const settled = [
      row(1, TUESDAYS[0] as string, { status: 'completed' }),
      row(2, TUESDAYS[1] as string, { status: 'rescheduled' }),
      row(3, TUESDAYS[2] as string, { status: 'cancelled' }),
      row(4, TUESDAYS[3] as string, { edited: true }),
      row(5, TUESDAYS[1] as string, { slot: null, date: '2026-11-25' }),
    ];
    expect(plan({ rows: settled, chosenId: 99 })).toEqual({
      moves: [],
      beyond: [],
      removes: [],
      stays: [
        { id: 1, reason: 'completed', hasPlace: true },
        { id: 2, reason: 'moved', hasPlace: true },
        { id: 3, reason: 'cancelled', hasPlace: true },
        { id: 4, reason: 'edited', hasPlace: true },
      ],
      chosenBeside: false,
    });
    expect(plan({ rows: settled, chosenId: 99, includeEdited: true }).moves).toEqual([
      { id: 4, slot: THURSDAYS[3] },
    ]);
  });

  test('changes the session the tutor started from, whatever its history', () => {
    const edited = rows.map((each) => ({ ...each, edited: each.id === 2 }));
    expect(plan({ rows: edited, chosenId: 2 }).moves).toContainEqual({ id: 2, slot: THURSDAYS[1] });
  });

  test('leaves an empty place empty', () => {
    expect(plan({ rows: rows.filter(({ id }) => id !== 2) })).toMatchObject({ beyond: [] });
  });
});

describe('why a session stays as it is', () => {
  test('a replacement stands beside the series', () => {
    expect(unchangedReason(row(1, '2026-11-17', { slot: null }), true)).toBe('moved');
    expect(unchangedReason(row(1, '2026-11-17'), false)).toBeNull();
  });
});

describe('where a change begins', () => {
  const rows = TUESDAYS.map((date, index) => row(index + 1, date));
  const now = new Date('2026-11-26T12:00:00Z');
  const chosen = rows[3] as SeriesRow;

  test('"this and following" begins with the chosen session', () => {
    expect(firstAffectedDate({ rows, chosen, scope: 'following', now })).toBe('2026-12-08');
  });

  test('"all" begins with the first that has not ended, or with an earlier one that was chosen', () => {
    expect(firstAffectedDate({ rows, chosen, scope: 'all', now })).toBe('2026-12-01');
    expect(firstAffectedDate({ rows, chosen: rows[1] as SeriesRow, scope: 'all', now })).toBe(
      '2026-11-24',
    );
  });
});

describe('the dates after a change', () => {
  const lesson = {
    isRecurring: true,
    pattern: 'weekly' as const,
    anchorDate: '2026-11-17',
    endDate: null,
    firstDate: '2026-11-17',
  };
  const wanted = {
    date: '2026-11-24',
    isRecurring: true,
    recurringPattern: 'weekly' as const,
    recurringEndDate: '2026-12-08',
  };
  const next = (change: Partial<Parameters<typeof nextSeriesRule>[0]['input']>) =>
    nextSeriesRule({
      lesson,
      chosen: row(2, '2026-11-24'),
      pivot: '2026-11-24',
      input: { ...wanted, ...change },
      horizon: '2027-11-16',
    });

  test('an unmoved series goes on counting from where it did', () => {
    expect(next({})).toMatchObject({
      anchor: '2026-11-17',
      dates: ['2026-11-24', '2026-12-01', '2026-12-08'],
    });
  });

  test('a moved one counts from the new day', () => {
    expect(next({ date: '2026-11-26' })).toMatchObject({
      anchor: '2026-11-26',
      dates: ['2026-11-26', '2026-12-03'],
    });
  });

  test('another pattern counts from the session it was chosen on', () => {
    expect(next({ recurringPattern: 'biweekly' }).dates).toEqual(['2026-11-24', '2026-12-08']);
    expect(next({ recurringPattern: 'monthly', recurringEndDate: '2027-01-31' }).dates).toEqual([
      '2026-11-24',
      '2026-12-24',
      '2027-01-24',
    ]);
  });

  test('unticking the repeat leaves the one session', () => {
    expect(next({ isRecurring: false })).toMatchObject({
      endDate: '2026-11-24',
      dates: ['2026-11-24'],
    });
  });

  test('places lie between two days, both included', () => {
    expect(occurrencesBetween('weekly', '2026-11-17', '2026-11-24', '2026-12-01')).toEqual([
      '2026-11-24',
      '2026-12-01',
    ]);
  });
});
