import { addDaysToDate, addMonthsToDate, startOfWeek } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from 'react';
import {
  firstName,
  formatLongDate,
  formatMonthYear,
  formatTime,
  pluralize,
  WEEKDAYS,
} from '../../lib/format.ts';
import { subjectColorStyle } from '../subjects/shared/SubjectAvatar.tsx';
import { countSessions, isSameMonth, monthDays, type SessionsByDay } from './calendar-days.ts';
import classes from './MonthGrid.module.css';
import type { ColorOf } from './use-session-colors.ts';

/** Lines per cell. If there are more lessons, the last line shows how many. */
const MAX_EVENTS = 3;

/** A rescheduled lesson is shown only on its new day; a cancelled one is struck through. */
function MonthEvents({ sessions, colorOf }: { sessions: readonly SessionRow[]; colorOf: ColorOf }) {
  const all = sessions.filter(({ status }) => status !== 'rescheduled');
  const visibleSessions = all.slice(0, all.length > MAX_EVENTS ? MAX_EVENTS - 1 : MAX_EVENTS);
  return (
    <span className={classes.events} aria-hidden="true">
      {visibleSessions.map((session) => (
        <span
          key={session.id}
          className={classes.event}
          style={subjectColorStyle(colorOf(session))}
          data-cancelled={session.status === 'cancelled' || undefined}
        >
          <span>{formatTime(session.startTime)}</span> {firstName(session.title)}
        </span>
      ))}
      {all.length > visibleSessions.length && (
        <span className={classes.more}>{all.length - visibleSessions.length} more</span>
      )}
    </span>
  );
}

interface Props {
  date: string;
  today: string;
  days: SessionsByDay;
  /** If omitted, the days show only counts, as on phones. */
  colorOf?: ColorOf | undefined;
  onPick: (date: string) => void;
  /** Handles keyboard navigation; by default it picks the day, like a click. */
  onKeyboardSelect?: (date: string) => void;
}

/** A month grid with weeks from Monday. The day number is a button that covers its cell; arrow keys move the selection. */
export function MonthGrid({
  date,
  today,
  days,
  colorOf,
  onPick,
  onKeyboardSelect = onPick,
}: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const movedByKey = useRef(false);

  // A key can select a day in a month that is not rendered yet, so the focus moves after the render.
  useEffect(() => {
    if (!movedByKey.current) return;
    movedByKey.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${date}"]`)?.focus();
  }, [date]);

  function onKeyDown(event: KeyboardEvent) {
    const target = dayForKey(event.key, date);
    if (!target) return;
    event.preventDefault();
    movedByKey.current = true;
    onKeyboardSelect(target);
  }

  const gridDays = monthDays(date);
  const weeks = Array.from({ length: gridDays.length / 7 }, (_, week) =>
    gridDays.slice(week * 7, week * 7 + 7),
  );
  return (
    <table
      ref={grid}
      className={classes.grid}
      style={{ '--weeks': weeks.length } as CSSProperties}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table of buttons is a grid
      role="grid"
      aria-label={formatMonthYear(date)}
      data-events={colorOf ? '' : undefined}
      onKeyDown={onKeyDown}
    >
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col" abbr={name}>
              <span aria-hidden="true">{name.slice(0, colorOf ? 3 : 1)}</span>
              <span className={classes.visuallyHidden}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td key={day} aria-selected={day === date}>
                <div
                  className={classes.cell}
                  data-selected={day === date || undefined}
                  data-today={day === today || undefined}
                  data-outside={!isSameMonth(day, date) || undefined}
                >
                  <DayNumber
                    {...{ day, date, today }}
                    lessonCount={countSessions(days, day)}
                    onPick={onPick}
                  />
                  {colorOf ? (
                    <MonthEvents sessions={days.get(day) ?? []} colorOf={colorOf} />
                  ) : (
                    <small className={classes.count} aria-hidden="true">
                      {countSessions(days, day) || ''}
                    </small>
                  )}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayNumberProps {
  day: string;
  date: string;
  today: string;
  lessonCount: number;
  onPick: (date: string) => void;
}

function DayNumber({ day, date, today, lessonCount, onPick }: DayNumberProps) {
  return (
    <button
      type="button"
      className={classes.number}
      data-day={day}
      tabIndex={day === date ? 0 : -1}
      aria-current={day === today ? 'date' : undefined}
      onClick={() => onPick(day)}
    >
      {Number(day.slice(8))}
      <span className={classes.visuallyHidden}>
        {`, ${day === today ? 'today, ' : ''}${formatLongDate(day)}, ${
          lessonCount === 0 ? 'no lessons' : pluralize(lessonCount, 'lesson')
        }`}
      </span>
    </button>
  );
}

function dayForKey(key: string, date: string): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDaysToDate(date, -1);
    case 'ArrowRight':
      return addDaysToDate(date, 1);
    case 'ArrowUp':
      return addDaysToDate(date, -7);
    case 'ArrowDown':
      return addDaysToDate(date, 7);
    case 'Home':
      return startOfWeek(date);
    case 'End':
      return addDaysToDate(startOfWeek(date), 6);
    case 'PageUp':
      return addMonthsToDate(date, -1);
    case 'PageDown':
      return addMonthsToDate(date, 1);
    default:
      return undefined;
  }
}
