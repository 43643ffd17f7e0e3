import type { SessionRow } from '@lessonbook/contract/sessions';
import type { CSSProperties } from 'react';

/* Minutes of the day, as the board measures them. */

export const minuteOf = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const DAY_START = 8 * 60;
const DAY_END = 20 * 60;
const LAST_MINUTE = 23 * 60 + 59;

/** Whole hours: the usual day, and more where lessons begin earlier or end later. */
export function hoursInView(sessions: readonly SessionRow[]): { from: number; to: number } {
  const from = Math.min(DAY_START, ...sessions.map(({ startTime }) => minuteOf(startTime)));
  const to = Math.max(DAY_END, ...sessions.map(({ endTime }) => minuteOf(endTime)));
  return { from: Math.floor(from / 60) * 60, to: Math.ceil(to / 60) * 60 };
}

export interface Placed {
  session: SessionRow;
  /** Which of how many lanes beside each other. */
  lane: number;
  lanes: number;
}

/** Lessons at the same time share the width; a group that overlaps in any way has lanes of equal width. */
export function placeDay(sessions: readonly SessionRow[]): Placed[] {
  const placed: Placed[] = [];
  let group: Placed[] = [];
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
export function landing(
  session: Pick<SessionRow, 'startTime' | 'endTime'>,
  minutesMoved: number,
): { startTime: string; endTime: string } {
  const start = minuteOf(session.startTime);
  const length = minuteOf(session.endTime) - start;
  const wanted = start + Math.round(minutesMoved / 15) * 15;
  const to = Math.max(0, Math.min(wanted, LAST_MINUTE - length));
  return { startTime: timeOf(to), endTime: timeOf(to + length) };
}

/** The half hour that was pressed, and an hour from there. */
export function slotAt(minute: number): { startTime: string; endTime: string } {
  const start = Math.min(Math.floor(minute / 30) * 30, LAST_MINUTE - 60);
  return { startTime: timeOf(start), endTime: timeOf(start + 60) };
}

/** Top and height of a box in hours, for the style sheet. */
export function boxStyle(
  { startTime, endTime }: Pick<SessionRow, 'startTime' | 'endTime'>,
  from: number,
): CSSProperties {
  const start = minuteOf(startTime);
  return {
    '--start': (start - from) / 60,
    '--length': (minuteOf(endTime) - start) / 60,
  } as CSSProperties;
}
