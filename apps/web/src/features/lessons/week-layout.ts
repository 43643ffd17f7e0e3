import type { SessionRow } from '@lessonbook/contract/sessions';
import type { CSSProperties } from 'react';

/* Minutes of the day, as the board measures them. */

export const toMinutes = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

export const toTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const DAY_START = 8 * 60;
const DAY_END = 20 * 60;
const LAST_MINUTE = 23 * 60 + 59;

/** Whole hours: the usual day, and more where lessons begin earlier or end later. */
export function visibleHours(sessions: readonly SessionRow[]): { from: number; to: number } {
  const from = Math.min(DAY_START, ...sessions.map(({ startTime }) => toMinutes(startTime)));
  const to = Math.max(DAY_END, ...sessions.map(({ endTime }) => toMinutes(endTime)));
  return { from: Math.floor(from / 60) * 60, to: Math.ceil(to / 60) * 60 };
}

export interface PlacedSession {
  session: SessionRow;
  /** Which of how many lanes beside each other. */
  lane: number;
  lanes: number;
}

/** Lessons at the same time share the width; a group that overlaps in any way has lanes of equal width. */
export function layoutDay(sessions: readonly SessionRow[]): PlacedSession[] {
  const placed: PlacedSession[] = [];
  let group: PlacedSession[] = [];
  let laneEnds: string[] = [];

  const closeGroup = () => {
    for (const each of group) each.lanes = laneEnds.length;
    placed.push(...group);
    group = [];
    laneEnds = [];
  };

  const sorted = sessions.toSorted((one, other) => one.startTime.localeCompare(other.startTime));
  for (const session of sorted) {
    if (laneEnds.every((end) => end <= session.startTime)) closeGroup();
    const free = laneEnds.findIndex((end) => end <= session.startTime);
    const lane = free === -1 ? laneEnds.length : free;
    laneEnds[lane] = session.endTime;
    group.push({ session, lane, lanes: 1 });
  }
  closeGroup();
  return placed;
}

/** Where a dragged lesson would land: in steps of a quarter of an hour, and never past midnight. */
export function dropTime(
  session: Pick<SessionRow, 'startTime' | 'endTime'>,
  minutesMoved: number,
): { startTime: string; endTime: string } {
  const start = toMinutes(session.startTime);
  const length = toMinutes(session.endTime) - start;
  const wanted = start + Math.round(minutesMoved / 15) * 15;
  const to = Math.max(0, Math.min(wanted, LAST_MINUTE - length));
  return { startTime: toTime(to), endTime: toTime(to + length) };
}

/** The half hour that was pressed, and an hour from there. */
export function slotAt(minute: number): { startTime: string; endTime: string } {
  const start = Math.min(Math.floor(minute / 30) * 30, LAST_MINUTE - 60);
  return { startTime: toTime(start), endTime: toTime(start + 60) };
}

/** Top and height of a box in hours, for the style sheet. */
export function boxStyle(
  { startTime, endTime }: Pick<SessionRow, 'startTime' | 'endTime'>,
  from: number,
): CSSProperties {
  const start = toMinutes(startTime);
  return {
    '--start': (start - from) / 60,
    '--length': (toMinutes(endTime) - start) / 60,
  } as CSSProperties;
}
