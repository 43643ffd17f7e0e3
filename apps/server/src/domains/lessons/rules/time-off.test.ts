import { describe, expect, test } from 'vitest';
import { coversSession, planTimeOff } from './time-off.ts';

const week = { fromDate: '2026-12-21', toDate: '2026-12-25', startTime: null, endTime: null };
const mornings = { ...week, startTime: '09:00', endTime: '12:00' };
const at = (date: string, startTime = '16:00', endTime = '17:00') => ({ date, startTime, endTime });

test.each(['2026-12-21', '2026-12-23', '2026-12-25'])('time off covers %s', (date) => {
  expect(coversSession(week, at(date))).toBe(true);
});

test.each(['2026-12-20', '2026-12-26', '2027-12-23'])('time off does not cover %s', (date) => {
  expect(coversSession(week, at(date))).toBe(false);
});

test.each([
  ['09:00', '10:00', true],
  ['08:30', '09:01', true],
  ['11:59', '13:00', true],
  ['08:00', '13:00', true],
  ['08:00', '09:00', false],
  ['12:00', '13:00', false],
])('time off in the mornings covers a lesson from %s to %s: %s', (start, end, covered) => {
  expect(coversSession(mornings, at('2026-12-22', start, end))).toBe(covered);
});

test('a pause without a last day covers every later date', () => {
  expect(coversSession({ ...week, toDate: null }, at('2030-01-01'))).toBe(true);
  expect(coversSession({ ...week, toDate: null }, at('2026-12-20'))).toBe(false);
});

describe('planTimeOff', () => {
  const pauseOf = (studentId: number, id: number) => ({ ...week, id, studentId, toDate: null });
  const plan = (timeOffRanges: Parameters<typeof planTimeOff>[0], students: number[]) =>
    planTimeOff(timeOffRanges, at('2026-12-22'), students);

  test('the tutor’s time off also cancels the session of a paused student', () => {
    const timeOffRanges = [pauseOf(1, 8), { ...week, id: 9, studentId: null }];
    expect(plan(timeOffRanges, [1, 2])).toEqual({ timeOffId: 9, pausedSeats: [] });
  });

  test('a pause cancels the seat, and the session if no other student is expected', () => {
    const pausedSeats = [{ studentId: 1, timeOffId: 8 }];
    expect(plan([pauseOf(1, 8)], [1, 2])).toEqual({ timeOffId: null, pausedSeats });
    expect(plan([pauseOf(1, 8)], [1])).toEqual({ timeOffId: 8, pausedSeats });
    expect(plan([pauseOf(1, 8), pauseOf(2, 7)], [1, 2])).toEqual({
      timeOffId: 8,
      pausedSeats: [...pausedSeats, { studentId: 2, timeOffId: 7 }],
    });
  });

  test('pauses of other students and other dates cancel nothing', () => {
    const nothing = { timeOffId: null, pausedSeats: [] };
    expect(plan([pauseOf(3, 8)], [1, 2])).toEqual(nothing);
    expect(plan([{ ...pauseOf(1, 8), fromDate: '2026-12-23' }], [1, 2])).toEqual(nothing);
  });
});
