import { describe, expect, test } from 'vitest';
import { endTimeIfMovedTo, findFreeTimes, moveRange, type Schedule } from './find-free-times.ts';
import { toInstants } from './local-to-utc.ts';

/* 18 November 2026 is a Wednesday. */
const lesson = { date: '2026-11-18', startTime: '16:15', endTime: '17:15' };
const timeZone = 'Europe/London';

const onWednesdays = { weekday: 3, startTime: '15:00', endTime: '18:00' };

const schedule = (overrides: Partial<Schedule> = {}): Schedule => ({
  timeZone,
  now: new Date('2026-11-16T12:00:00Z'),
  today: '2026-11-16',
  hours: [onWednesdays],
  busy: [],
  timeOffRanges: [],
  ...overrides,
});

const everyDay = Array.from({ length: 7 }, (_, index) => ({
  weekday: index + 1,
  startTime: '08:00',
  endTime: '20:00',
}));

const slot = (date: string, startTime: string, endTime: string) =>
  toInstants(timeZone, { date, startTime, endTime });

describe('free times', () => {
  test('start on the hour, on the half hour or at the usual time of the lesson, within the usual hours of the weekday', () => {
    expect(findFreeTimes(lesson, schedule())).toEqual({
      days: [
        {
          date: '2026-11-18',
          startTimes: ['15:00', '15:30', '16:00', '16:30', '17:00'],
        },
        {
          date: '2026-11-25',
          startTimes: ['15:00', '15:30', '16:00', '16:15', '16:30', '17:00'],
        },
        {
          date: '2026-12-02',
          startTimes: ['15:00', '15:30', '16:00', '16:15', '16:30', '17:00'],
        },
      ],
      closest: { date: '2026-11-18', startTime: '16:00' },
    });
  });

  test('do not overlap other lessons or time off, but may be directly before or after them', () => {
    const { days } = findFreeTimes(
      lesson,
      schedule({
        busy: [slot('2026-11-25', '16:00', '17:00')],
        timeOffRanges: [
          { fromDate: '2026-11-18', toDate: '2026-11-18', startTime: null, endTime: null },
          { fromDate: '2026-12-02', toDate: '2026-12-02', startTime: '15:30', endTime: '17:00' },
        ],
      }),
    );
    expect(days).toEqual([
      { date: '2026-11-25', startTimes: ['15:00', '17:00'] },
      { date: '2026-12-02', startTimes: ['17:00'] },
    ]);
  });

  test('are at least twelve hours away', () => {
    const hours = [{ ...onWednesdays, startTime: '09:00', endTime: '12:00' }];
    const now = new Date('2026-11-17T22:30:00Z');
    const { days } = findFreeTimes(lesson, schedule({ now, today: '2026-11-17', hours }));
    expect(days[0]).toEqual({ date: '2026-11-18', startTimes: ['10:30', '11:00'] });
  });

  test('are limited to the ten days closest to the lesson, and to the twelve closest times on each', () => {
    const far = { ...lesson, date: '2027-02-10' };
    const { days, closest } = findFreeTimes(far, schedule({ hours: everyDay }));
    expect(days.map(({ date }) => date)).toEqual([
      '2027-02-05',
      '2027-02-06',
      '2027-02-07',
      '2027-02-08',
      '2027-02-09',
      '2027-02-10',
      '2027-02-11',
      '2027-02-12',
      '2027-02-13',
      '2027-02-14',
    ]);
    expect(days[0]?.startTimes).toEqual([
      '13:30',
      '14:00',
      '14:30',
      '15:00',
      '15:30',
      '16:00',
      '16:15',
      '16:30',
      '17:00',
      '17:30',
      '18:00',
      '18:30',
    ]);
    expect(closest).toEqual({ date: '2027-02-10', startTime: '16:00' });
  });

  test('do not include a weekday on which the tutor does not teach', () => {
    expect(findFreeTimes(lesson, schedule({ hours: [] }))).toEqual({ days: [], closest: null });
  });

  test('leave out times that a clock change skips, and are compared with other lessons as instants', () => {
    // On 28 March 2027, a Sunday, 1am is followed by 2am.
    const night = { date: '2027-03-27', startTime: '01:00', endTime: '01:30' };
    const sunday = { weekday: 7, startTime: '00:00', endTime: '04:00' };
    const change = { now: new Date('2027-03-20T12:00:00Z'), today: '2027-03-20', hours: [sunday] };
    const [, changeNight] = findFreeTimes(night, schedule(change)).days;
    expect(changeNight).toEqual({
      date: '2027-03-28',
      startTimes: ['00:00', '00:30', '02:00', '02:30', '03:00', '03:30'],
    });
    // A lesson at the skipped 1:30 takes place at 2:30.
    const busy = [slot('2027-03-28', '01:30', '02:30')];
    const [, withLesson] = findFreeTimes(night, schedule({ ...change, busy })).days;
    expect(withLesson?.startTimes).toEqual(['00:00', '00:30', '02:00', '03:30']);
  });
});

test('the range begins tomorrow or four weeks before the lesson, whichever is later, and ends two weeks after it', () => {
  expect(moveRange('2026-11-18', '2026-11-16')).toEqual({ from: '2026-11-17', to: '2026-12-02' });
  expect(moveRange('2027-02-10', '2026-11-16')).toEqual({ from: '2027-01-13', to: '2027-02-24' });
});

test('a moved lesson keeps its length and must end on the same day', () => {
  expect(endTimeIfMovedTo(lesson, '09:30')).toBe('10:30');
  expect(endTimeIfMovedTo(lesson, '22:59')).toBe('23:59');
  expect(endTimeIfMovedTo(lesson, '23:00')).toBeNull();
});
