import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import type { Rate } from '@lessonbook/contract/rates';
import { describe, expect, test } from 'vitest';
import {
  joinRoster,
  leaveRoster,
  type RosterEntry,
  resolveSeatFee,
  rosterFee,
  rosterOn,
  totalFee,
} from './seat-fees-and-rosters.ts';

describe('resolveSeatFee', () => {
  const prices = { session: 5000, student: 4000, lesson: 3000, rate: 2000, subject: 1000 };

  test.each([
    ['session', prices, 5000],
    ['student', { ...prices, session: null }, 4000],
    ['lesson', { ...prices, session: null, student: null }, 3000],
    ['rate', { rate: 2000, subject: 1000 }, 2000],
    ['subject', { rate: null, subject: 1000 }, 1000],
  ] as const)(
    'uses the price from the %s if nothing more specific was entered',
    (source, given, fee) => {
      expect(resolveSeatFee(given)).toEqual({ fee, feeSource: source });
    },
  );

  test.each(['session', 'student', 'lesson', 'rate', 'subject'] as const)(
    'a price of 0 for the %s is free and is not replaced by a more general price',
    (source) => {
      const sources = ['session', 'student', 'lesson', 'rate', 'subject'] as const;
      const moreGeneral = sources.slice(sources.indexOf(source) + 1);
      const given = Object.fromEntries(moreGeneral.map((each) => [each, 1000]));
      expect(resolveSeatFee({ ...given, [source]: 0 })).toEqual({ fee: null, feeSource: source });
    },
  );

  test('is free if no price was entered anywhere', () => {
    expect(resolveSeatFee({})).toEqual({ fee: null, feeSource: 'subject' });
    expect(resolveSeatFee({ session: null, student: null, lesson: null })).toEqual({
      fee: null,
      feeSource: 'subject',
    });
  });
});

describe('totalFee', () => {
  test('adds the fees of the students who are expected', () => {
    expect(
      totalFee([
        { fee: 3117, state: 'expected' },
        { fee: 4229, state: 'cancelled' },
        { fee: null, state: 'expected' },
        { fee: 5341, state: 'expected' },
      ]),
    ).toBe(8458);
  });

  test('is null if the session is free for everybody who is expected', () => {
    expect(totalFee([])).toBeNull();
    expect(totalFee([{ fee: null, state: 'expected' }])).toBeNull();
    expect(
      totalFee([
        { fee: null, state: 'expected' },
        { fee: 3500, state: 'cancelled' },
      ]),
    ).toBeNull();
  });
});

const entry = (studentId: number, overrides: Partial<RosterEntry> = {}): RosterEntry => ({
  studentId,
  position: studentId - 1,
  fee: null,
  fromDate: EARLIEST_DATE,
  toDate: null,
  ...overrides,
});

describe('rosterFee', () => {
  const session = { subjectId: 7, date: '2027-01-05', startTime: '16:00', endTime: '17:30' };
  const rate = (overrides: Partial<Rate> = {}) => ({
    studentId: 1,
    subjectId: 7,
    amount: 4000,
    currency: 'GBP' as const,
    unit: 'hour' as const,
    validFrom: '2027-01-01',
    ...overrides,
  });
  const resolve = (
    own: number | null,
    lesson: { fee: number | null; usesRates?: boolean },
    rates = [rate()],
  ) => {
    const { fee, feeSource } = rosterFee(
      entry(1, { fee: own }),
      { usesRates: false, currency: 'GBP', ...lesson },
      session,
      rates,
    );
    return [feeSource, fee];
  };

  test("the student's own price replaces the lesson's price, and 0 is free", () => {
    expect(resolve(4229, { fee: 3500 })).toEqual(['student', 4229]);
    expect(resolve(0, { fee: 3500 })).toEqual(['student', null]);
    expect(resolve(0, { fee: 3500, usesRates: true })).toEqual(['student', null]);
  });

  test('a price that was entered is not replaced by a rate, and a lesson without a price is free', () => {
    expect(resolve(null, { fee: 3500 })).toEqual(['lesson', 3500]);
    expect(resolve(null, { fee: null })).toEqual(['lesson', null]);
  });

  test('a lesson that uses rates is charged at the latest valid rate, per hour or per lesson', () => {
    const lesson = { fee: 3500, usesRates: true };
    expect(resolve(null, lesson)).toEqual(['rate', 6000]);
    expect(resolve(null, lesson, [rate({ unit: 'lesson' })])).toEqual(['rate', 4000]);
    const rates = [
      rate({ amount: 5000, validFrom: '2027-01-05' }),
      rate(),
      rate({ amount: 9000, validFrom: '2027-01-06' }),
    ];
    expect(resolve(null, lesson, rates)).toEqual(['rate', 7500]);
  });

  test('rates of other students, subjects, dates and currencies do not apply', () => {
    const others = [
      rate({ studentId: 2 }),
      rate({ subjectId: 8 }),
      rate({ validFrom: '2027-01-06' }),
      rate({ currency: 'USD' }),
    ];
    expect(resolve(null, { fee: 3500, usesRates: true }, others)).toEqual(['subject', 3500]);
  });
});

describe('rosterOn', () => {
  const roster = [
    entry(1),
    entry(2, { fromDate: '2026-12-01' }),
    entry(3, { toDate: '2026-12-07' }),
  ];
  const idsOn = (date: string) => rosterOn(roster, date).map(({ studentId }) => studentId);

  test('includes the first and the last day', () => {
    expect(idsOn('2026-11-30')).toEqual([1, 3]);
    expect(idsOn('2026-12-01')).toEqual([1, 2, 3]);
    expect(idsOn('2026-12-07')).toEqual([1, 2, 3]);
    expect(idsOn('2026-12-08')).toEqual([1, 2]);
  });
});

describe('joinRoster', () => {
  test('adds the student after the others, from the given date', () => {
    const roster = [entry(1), entry(2, { position: 7 })];
    expect(joinRoster(roster, { studentId: 3, fee: 4229 }, '2026-12-01')).toEqual([
      ...roster,
      { studentId: 3, fee: 4229, position: 8, fromDate: '2026-12-01', toDate: null },
    ]);
    expect(joinRoster([], { studentId: 3, fee: null }, '2026-12-01')).toMatchObject([
      { position: 0 },
    ]);
  });

  test('does not change the roster it is given', () => {
    const roster = [entry(1)];
    joinRoster(roster, { studentId: 2, fee: null }, '2026-12-01');
    expect(roster).toEqual([entry(1)]);
  });

  test.each([
    ['who is in the lesson with no end date', entry(1)],
    ['who leaves on or after that date', entry(1, { toDate: '2026-12-01' })],
    ['who joins later', entry(1, { fromDate: '2027-01-05' })],
  ])('rejects a student %s', (_, existing) => {
    expect(joinRoster([existing], { studentId: 1, fee: null }, '2026-12-01')).toBe(
      'already_in_lesson',
    );
  });

  test('adds a second entry for a student who had left', () => {
    const left = entry(1, { toDate: '2026-11-30' });
    expect(joinRoster([left], { studentId: 1, fee: null }, '2026-12-01')).toMatchObject([
      left,
      { studentId: 1, fromDate: '2026-12-01', toDate: null, position: 1 },
    ]);
  });
});

describe('leaveRoster', () => {
  const leave = (roster: RosterEntry[]) => leaveRoster(roster, 1, '2026-12-01');

  test('ends the entry the day before and keeps the other students', () => {
    expect(leave([entry(1), entry(2)])).toEqual([entry(1, { toDate: '2026-11-30' }), entry(2)]);
  });

  test('brings forward a later end date', () => {
    expect(leave([entry(1, { toDate: '2026-12-24' })])).toEqual([
      entry(1, { toDate: '2026-11-30' }),
    ]);
  });

  test('removes an entry that starts on or after the date', () => {
    expect(leave([entry(1, { fromDate: '2026-12-01' }), entry(2)])).toEqual([entry(2)]);
    expect(leave([entry(1, { fromDate: '2027-01-05' }), entry(2)])).toEqual([entry(2)]);
  });

  test('keeps an entry that has already ended', () => {
    const ended = entry(1, { toDate: '2026-11-30' });
    expect(leave([ended, entry(2)])).toEqual([ended, entry(2)]);
  });

  test('ends the second entry of a student who had rejoined, and keeps the first', () => {
    const first = entry(1, { toDate: '2026-10-31' });
    const second = entry(1, { fromDate: '2026-11-10', position: 4 });
    expect(leave([first, second])).toEqual([first, { ...second, toDate: '2026-11-30' }]);
  });
});
