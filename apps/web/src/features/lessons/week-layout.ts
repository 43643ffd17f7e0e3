import { minuteOfDay } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { CSSProperties } from 'react';

const DAY_START = 8 * 60;
const DAY_END = 20 * 60;

/** Whole hours: 8 to 20, extended for earlier or later lessons. */
export function visibleHours(sessions: readonly SessionRow[]): { from: number; to: number } {
  const firstMinute = Math.min(
    DAY_START,
    ...sessions.map(({ startTime }) => minuteOfDay(startTime)),
  );
  const to = Math.max(DAY_END, ...sessions.map(({ endTime }) => minuteOfDay(endTime)));
  return { from: Math.floor(firstMinute / 60) * 60, to: Math.ceil(to / 60) * 60 };
}

export interface PlacedSession {
  session: SessionRow;
  /** The lane index, from 0 to `laneCount - 1`. */
  lane: number;
  laneCount: number;
}

/** Overlapping lessons form a group whose lanes are equally wide. */
export function layoutDay(sessions: readonly SessionRow[]): PlacedSession[] {
  const placedSessions: PlacedSession[] = [];
  let group: PlacedSession[] = [];
  let laneEnds: string[] = [];

  const closeGroup = () => {
    for (const item of group) item.laneCount = laneEnds.length;
    placedSessions.push(...group);
    group = [];
    laneEnds = [];
  };

  const sorted = sessions.toSorted((a, b) => a.startTime.localeCompare(b.startTime));
  for (const session of sorted) {
    if (laneEnds.every((end) => end <= session.startTime)) closeGroup();
    const freeLane = laneEnds.findIndex((end) => end <= session.startTime);
    const lane = freeLane === -1 ? laneEnds.length : freeLane;
    laneEnds[lane] = session.endTime;
    group.push({ session, lane, laneCount: 1 });
  }
  closeGroup();
  return placedSessions;
}

/** The top and height of a box in hours, as CSS variables. */
export function boxStyle(
  { startTime, endTime }: Pick<SessionRow, 'startTime' | 'endTime'>,
  firstMinute: number,
): CSSProperties {
  const start = minuteOfDay(startTime);
  return {
    '--start': (start - firstMinute) / 60,
    '--length': (minuteOfDay(endTime) - start) / 60,
  } as CSSProperties;
}
