import { minuteOfDay } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';

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
