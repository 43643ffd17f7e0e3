import { minuteOfDay } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { TimeSlot } from './time-off-in-calendar.ts';

/** A lesson that is being dragged, and where it would land. */
export interface DraggedLesson {
  session: SessionRow;
  to: TimeSlot;
}

export const toTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const LAST_MINUTE = 23 * 60 + 59;

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
