import { expect, test } from 'vitest';
import { sessionRow } from '../../test/session-fixtures.ts';
import { layoutDay, visibleHours } from './week-layout.ts';

const sessionAt = (startTime: string, endTime: string) => sessionRow({ startTime, endTime });
const formatLanes = (sessions: Parameters<typeof layoutDay>[0]) =>
  layoutDay(sessions).map(
    ({ session, lane, laneCount: count }) => `${session.startTime} ${lane}/${count}`,
  );

test('splits the width between overlapping lessons', () => {
  expect(formatLanes([sessionAt('16:00', '17:00'), sessionAt('17:00', '18:00')])).toEqual([
    '16:00 0/1',
    '17:00 0/1',
  ]);
  expect(
    formatLanes([
      sessionAt('16:00', '17:00'),
      sessionAt('16:30', '17:30'),
      sessionAt('17:00', '18:00'),
      sessionAt('18:00', '19:00'),
    ]),
  ).toEqual(['16:00 0/2', '16:30 1/2', '17:00 0/2', '18:00 0/1']);
  expect(formatLanes([])).toEqual([]);
});

test('shows the default hours and extends them for early or late lessons', () => {
  expect(visibleHours([])).toEqual({ from: 480, to: 1200 });
  expect(visibleHours([sessionAt('07:15', '08:00'), sessionAt('20:30', '21:15')])).toEqual({
    from: 420,
    to: 1320,
  });
});
