import { expect, test } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { dropTime, resizeTime, slotAt, slotBetween } from './week-drag-times.ts';

const sessionAt = (startTime: string, endTime: string) => sessionRow({ startTime, endTime });

test('snaps a dragged lesson to 15-minute steps, keeps its length and stays within the day', () => {
  expect(dropTime(sessionAt('16:00', '17:00'), 67)).toEqual({
    startTime: '17:00',
    endTime: '18:00',
  });
  expect(dropTime(sessionAt('16:00', '16:45'), -38)).toEqual({
    startTime: '15:15',
    endTime: '16:00',
  });
  expect(dropTime(sessionAt('22:00', '23:00'), 600)).toEqual({
    startTime: '22:59',
    endTime: '23:59',
  });
  expect(dropTime(sessionAt('01:00', '02:00'), -600)).toEqual({
    startTime: '00:00',
    endTime: '01:00',
  });
});

test('starts a slot at the pressed half hour and makes it one hour long', () => {
  expect(slotAt(16 * 60 + 44)).toEqual({ startTime: '16:30', endTime: '17:30' });
  expect(slotAt(23 * 60 + 50)).toEqual({ startTime: '22:59', endTime: '23:59' });
});

test('F139 snaps a dragged lower edge to 15-minute steps, at least 15 minutes after the start and within the day', () => {
  const lesson = sessionAt('16:00', '17:00');
  expect(resizeTime(lesson, 32)).toEqual({ startTime: '16:00', endTime: '17:30' });
  expect(resizeTime(lesson, -500)).toEqual({ startTime: '16:00', endTime: '16:15' });
  expect(resizeTime(lesson, 900)).toEqual({ startTime: '16:00', endTime: '23:59' });
});

test('F139 a lesson dragged over free time covers whole quarters of an hour, in both directions', () => {
  expect(slotBetween(16 * 60 + 2, 17 * 60 + 20)).toEqual({ startTime: '16:00', endTime: '17:30' });
  expect(slotBetween(17 * 60 + 20, 16 * 60 + 2)).toEqual({ startTime: '16:00', endTime: '17:30' });
  expect(slotBetween(600, 600)).toEqual({ startTime: '10:00', endTime: '10:15' });
  expect(slotBetween(23 * 60 + 30, 1500)).toEqual({ startTime: '23:30', endTime: '23:59' });
});
