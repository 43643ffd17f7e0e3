import { plusDays } from '@lessonbook/contract/dates';
import { type TouchEvent, useRef } from 'react';
import { longDate, shortWeekday } from '../../lib/format.ts';
import { countSessions, isSameMonth, type SessionsByDay, weekDays } from './calendar-days.ts';
import classes from './WeekStrip.module.css';

/** A shorter movement counts as a tap. */
const SWIPE_PX = 48;

interface Props {
  date: string;
  today: string;
  days: SessionsByDay;
  onPick: (date: string) => void;
}

/** The selected day's week, from Monday. Swiping shows the previous or next week. */
export function WeekStrip({ date, today, days, onPick }: Props) {
  const start = useRef<number | null>(null);

  function onTouchEnd(event: TouchEvent) {
    const from = start.current;
    const to = event.changedTouches[0]?.clientX;
    start.current = null;
    if (from === null || to === undefined || Math.abs(to - from) < SWIPE_PX) return;
    onPick(plusDays(date, to < from ? 7 : -7));
  }

  return (
    <div
      className={classes.strip}
      role="group"
      aria-label="Week"
      onTouchStart={(event) => {
        start.current = event.touches[0]?.clientX ?? null;
      }}
      onTouchEnd={onTouchEnd}
    >
      {weekDays(date).map((day) => {
        const lessons = countSessions(days, day);
        return (
          <button
            key={day}
            type="button"
            className={classes.day}
            aria-pressed={day === date}
            aria-current={day === today ? 'date' : undefined}
            data-outside={!isSameMonth(day, date) || undefined}
            onClick={() => onPick(day)}
          >
            <small>{shortWeekday(day)}</small>
            <b>{Number(day.slice(8))}</b>
            <span className={classes.spoken}>
              {`, ${day === today ? 'today, ' : ''}${longDate(day)}, `}
            </span>
            <span className={classes.count}>
              {lessons > 0 && lessons}
              <span className={classes.spoken}>{countSuffix(lessons)}</span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The text after the visible number, for screen readers. */
function countSuffix(lessons: number): string {
  if (lessons === 0) return 'no lessons';
  return lessons === 1 ? ' lesson' : ' lessons';
}
