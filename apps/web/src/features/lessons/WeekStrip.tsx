import { addDaysToDate } from '@lessonbook/contract/dates';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { type TouchEvent, useRef } from 'react';
import { formatLongDate, shortWeekdayName } from '../../lib/format.ts';
import { isSameMonth, type SessionsByDay, weekDays } from './calendar-and-series-dates.ts';
import { countSessions } from './session-totals.ts';
import { timeOffOn, timeOffSuffix } from './time-off-in-calendar.ts';
import classes from './WeekStrip.module.css';

/** A shorter movement counts as a tap. */
const SWIPE_PX = 48;

interface Props {
  date: string;
  today: string;
  days: SessionsByDay;
  timeOff: readonly TimeOff[];
  onPick: (date: string) => void;
}

/** The selected day's week, from Monday. Swiping shows the previous or next week. */
export function WeekStrip({ date, today, days, timeOff, onPick }: Props) {
  const touchStartX = useRef<number | null>(null);

  function onTouchEnd(event: TouchEvent) {
    const from = touchStartX.current;
    const to = event.changedTouches[0]?.clientX;
    touchStartX.current = null;
    if (from === null || to === undefined || Math.abs(to - from) < SWIPE_PX) return;
    onPick(addDaysToDate(date, to < from ? 7 : -7));
  }

  return (
    <div
      className={classes.strip}
      role="group"
      aria-label="Week"
      onTouchStart={(event) => {
        touchStartX.current = event.touches[0]?.clientX ?? null;
      }}
      onTouchEnd={onTouchEnd}
    >
      {weekDays(date).map((day) => {
        const lessonCount = countSessions(days, day);
        const dayTimeOff = timeOffOn(timeOff, day);
        return (
          <button
            key={day}
            type="button"
            className={classes.day}
            aria-pressed={day === date}
            aria-current={day === today ? 'date' : undefined}
            data-outside={!isSameMonth(day, date) || undefined}
            data-off={dayTimeOff.some(({ startTime }) => startTime === null) || undefined}
            onClick={() => onPick(day)}
          >
            <small>{shortWeekdayName(day)}</small>
            <b>{Number(day.slice(8))}</b>
            <span className={classes.visuallyHidden}>
              {`, ${day === today ? 'today, ' : ''}${formatLongDate(day)}, `}
            </span>
            <span className={classes.count}>
              {lessonCount > 0 && lessonCount}
              <span className={classes.visuallyHidden}>
                {countSuffix(lessonCount)}
                {timeOffSuffix(dayTimeOff)}
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The text after the visible number, for screen readers. */
function countSuffix(lessonCount: number): string {
  if (lessonCount === 0) return 'no lessons';
  return lessonCount === 1 ? ' lesson' : ' lessons';
}
