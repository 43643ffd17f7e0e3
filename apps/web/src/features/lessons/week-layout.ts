import { minuteOfDay } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { CSSProperties } from 'react';
import type { TimeSlot } from './calendar-days.ts';

export const toTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const DAY_START = 8 * 60;
const DAY_END = 20 * 60;
const LAST_MINUTE = 23 * 60 + 59;

/** Whole hours: 8 to 20, extended for earlier or later lessons. */
export function visibleHours(sessions: readonly SessionRow[]): { from: number; to: number } {
  const firstMinute = Math.min(
    DAY_START,
    ...sessions.map(({ startTime }) => minuteOfDay(startTime)),
  );
  const to = Math.max(DAY_END, ...sessions.map(({ endTime }) => minuteOfDay(endTime)));
  return { from: Math.floor(firstMinute / 60) * 60, to: Math.ceil(to / 60) * 60 };
}

/** A lesson that is being dragged, and where it would land. */
export interface DraggedLesson {
  session: SessionRow;
  to: TimeSlot;
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

/** The new time of a dragged lesson, in 15-minute steps and never past midnight. */
export function dropTime(
  session: Pick<SessionRow, 'startTime' | 'endTime'>,
  minutesMoved: number,
): { startTime: string; endTime: string } {
  const start = minuteOfDay(session.startTime);
  const duration = minuteOfDay(session.endTime) - start;
  const target = start + Math.round(minutesMoved / 15) * 15;
  const to = Math.max(0, Math.min(target, LAST_MINUTE - duration));
  return { startTime: toTime(to), endTime: toTime(to + duration) };
}

const MIN_DURATION_MINUTES = 15;

/** The new end of a lesson whose lower edge is dragged, in 15-minute steps and never past midnight. */
export function resizeTime(
  { startTime, endTime }: Pick<SessionRow, 'startTime' | 'endTime'>,
  minutesMoved: number,
): { startTime: string; endTime: string } {
  const target = Math.round((minuteOfDay(endTime) + minutesMoved) / 15) * 15;
  const to = Math.max(minuteOfDay(startTime) + MIN_DURATION_MINUTES, Math.min(target, LAST_MINUTE));
  return { startTime, endTime: toTime(to) };
}

/** The slot for a new lesson dragged from one minute to another, rounded outwards to 15-minute steps. */
export function slotBetween(a: number, b: number): { startTime: string; endTime: string } {
  const start = Math.max(0, Math.floor(Math.min(a, b) / 15) * 15);
  const end = Math.max(start + MIN_DURATION_MINUTES, Math.ceil(Math.max(a, b) / 15) * 15);
  return { startTime: toTime(start), endTime: toTime(Math.min(end, LAST_MINUTE)) };
}

/** One hour, starting at the half hour that was clicked. */
export function slotAt(minute: number): { startTime: string; endTime: string } {
  const start = Math.min(Math.floor(minute / 30) * 30, LAST_MINUTE - 60);
  return { startTime: toTime(start), endTime: toTime(start + 60) };
}

/**
 * The event that a key moves to: Up and Down within a day, Left and Right to the event closest in time on the nearest day that
 * has events, Home and End to the first and last.
 */
export function nextEventForKey(
  columns: readonly (readonly SessionRow[])[],
  currentId: number,
  key: string,
): SessionRow | undefined {
  const column = columns.findIndex((day) => day.some(({ id }) => id === currentId));
  const day = columns[column] ?? [];
  const index = day.findIndex(({ id }) => id === currentId);
  const current = day[index];
  if (!current) return undefined;
  const nonEmpty = columns.filter(({ length }) => length > 0);
  switch (key) {
    case 'ArrowUp':
      return day[index - 1];
    case 'ArrowDown':
      return day[index + 1];
    case 'ArrowLeft':
      return closestInTime(
        columns.slice(0, column).findLast(({ length }) => length > 0),
        current,
      );
    case 'ArrowRight':
      return closestInTime(
        columns.slice(column + 1).find(({ length }) => length > 0),
        current,
      );
    case 'Home':
      return nonEmpty[0]?.[0];
    case 'End':
      return nonEmpty.at(-1)?.at(-1);
    default:
      return undefined;
  }
}

const closestInTime = (day: readonly SessionRow[] = [], { startTime }: SessionRow) =>
  day.toSorted((a, b) => distance(a, startTime) - distance(b, startTime))[0];

const distance = (session: SessionRow, time: string): number =>
  Math.abs(minuteOfDay(session.startTime) - minuteOfDay(time));

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
