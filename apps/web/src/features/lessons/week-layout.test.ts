import { expect, test } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { dropTime, layoutDay, slotAt, visibleHours } from './week-layout.ts';

const at = (startTime: string, endTime: string) => sessionRow({ startTime, endTime });
const lanes = (sessions: Parameters<typeof layoutDay>[0]) =>
  layoutDay(sessions).map(({ session, lane, lanes: of }) => `${session.startTime} ${lane}/${of}`);

test('lessons at the same time share the width, others have it to themselves', () => {
  expect(lanes([at('16:00', '17:00'), at('17:00', '18:00')])).toEqual(['16:00 0/1', '17:00 0/1']);
  expect(
    lanes([at('16:00', '17:00'), at('16:30', '17:30'), at('17:00', '18:00'), at('18:00', '19:00')]),
  ).toEqual(['16:00 0/2', '16:30 1/2', '17:00 0/2', '18:00 0/1']);
  expect(lanes([])).toEqual([]);
});

test('the board shows the usual day, and more where lessons need it', () => {
  expect(visibleHours([])).toEqual({ from: 480, to: 1200 });
  expect(visibleHours([at('07:15', '08:00'), at('20:30', '21:15')])).toEqual({
    from: 420,
    to: 1320,
  });
});

test('a dragged lesson lands on a quarter of an hour, keeps its length and stays in its day', () => {
  expect(dropTime(at('16:00', '17:00'), 67)).toEqual({ startTime: '17:00', endTime: '18:00' });
  expect(dropTime(at('16:00', '16:45'), -38)).toEqual({ startTime: '15:15', endTime: '16:00' });
  expect(dropTime(at('22:00', '23:00'), 600)).toEqual({ startTime: '22:59', endTime: '23:59' });
  expect(dropTime(at('01:00', '02:00'), -600)).toEqual({ startTime: '00:00', endTime: '01:00' });
});

test('a free slot gives the half hour that was pressed, and an hour from there', () => {
  expect(slotAt(16 * 60 + 44)).toEqual({ startTime: '16:30', endTime: '17:30' });
  expect(slotAt(23 * 60 + 50)).toEqual({ startTime: '22:59', endTime: '23:59' });
});
