import { addDaysToDate, addMonthsToDate, startOfWeek, weekday } from '@lessonbook/contract/dates';
import { groupSize, isGroup, shortLessonName } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { TimeOff } from '@lessonbook/contract/time-off';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import {
  formatLongDate,
  formatMonthYear,
  formatTime,
  pluralize,
  WEEKDAYS,
} from '../../lib/format.ts';
import { subjectColorStyle } from '../subjects/shared/SubjectAvatar.tsx';
import { isSameMonth, monthDays, type SessionsByDay } from './calendar-and-series-dates.ts';
import classes from './MonthGrid.module.css';
import { takesPlace } from './session-totals.ts';
import { TimeOffTag } from './TimeOffTag.tsx';
import { timeOffOn, timeOffSuffix } from './time-off-in-calendar.ts';
import type { ColorOf } from './use-session-colors.ts';

/** In pixels, matching the stylesheet: the height of an event with its gap, and of the rest of a cell. */
const EVENT_HEIGHT = 19;
const CELL_EXTRA_HEIGHT = 26;
const MIN_ROW_HEIGHT = 102;
/** The height of everything above and below the rows. */
const PAGE_EXTRA_HEIGHT = 196;

const subscribeToResize = (onChange: () => void) => {
  window.addEventListener('resize', onChange);
  return () => window.removeEventListener('resize', onChange);
};

/** The row height with which the weeks fill the window. */
const useRowHeight = (weekCount: number): number => {
  const height = useSyncExternalStore(subscribeToResize, () => window.innerHeight);
  return Math.max(MIN_ROW_HEIGHT, Math.floor((height - PAGE_EXTRA_HEIGHT) / weekCount));
};

interface MonthEventsProps {
  sessions: readonly SessionRow[];
  colorOf: ColorOf;
  /** If there are more lessons, the last line shows how many are hidden. */
  maxEvents: number;
}

/**
 * A rescheduled lesson is shown only on its new day; a cancelled one is struck through. Uses plain links, because the
 * router's links would slow down a full month; the table handles their clicks.
 */
function MonthEvents({ sessions, colorOf, maxEvents }: MonthEventsProps) {
  const all = sessions.filter(({ status }) => status !== 'rescheduled');
  const visibleSessions = all.slice(0, all.length > maxEvents ? maxEvents - 1 : maxEvents);
  return (
    <span className={classes.events}>
      {visibleSessions.map((session) => (
        <a
          key={session.id}
          href={`/sessions/${session.id}`}
          data-session={session.id}
          // Not a tab stop: the arrow keys move between days, and the list of the chosen day has the same links.
          tabIndex={-1}
          className={classes.event}
          style={subjectColorStyle(colorOf(session))}
          data-group={isGroup(session) || undefined}
          data-cancelled={session.status === 'cancelled' || undefined}
        >
          <span>{formatTime(session.startTime)}</span>{' '}
          {isGroup(session) ? (
            <>
              <b>{shortLessonName(session)}</b> <i>· {groupSize(session)}</i>
            </>
          ) : (
            shortLessonName(session)
          )}
        </a>
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
  timeOff?: readonly TimeOff[];
  /** If omitted, the days show only counts, as on phones. */
  colorOf?: ColorOf | undefined;
  onPick: (date: string) => void;
  /** Handles keyboard navigation; by default it picks the day, like a click. */
  onKeyboardSelect?: (date: string) => void;
  onOpenSession?: (id: number) => void;
}

/** A month grid with weeks from Monday. The day number is a button that covers its cell; arrow keys move the selection. */
export function MonthGrid({
  date,
  today,
  days,
  timeOff = [],
  colorOf,
  onPick,
  onKeyboardSelect = onPick,
  onOpenSession,
}: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const movedByKey = useRef(false);

  // A key can select a day in a month that is not rendered yet, so focus moves after the render.
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

  function onClick(event: MouseEvent<HTMLElement>) {
    const link = (event.target as Element).closest<HTMLElement>('a[data-session]');
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || !onOpenSession) return;
    event.preventDefault();
    onOpenSession(Number(link.dataset['session']));
  }

  const gridDays = monthDays(date);
  const weeks = Array.from({ length: gridDays.length / 7 }, (_, week) =>
    gridDays.slice(week * 7, week * 7 + 7),
  );
  const rowHeight = useRowHeight(weeks.length);
  return (
    <table
      ref={grid}
      className={classes.grid}
      style={{ '--row': `${rowHeight}px` } as CSSProperties}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table of buttons is a grid
      role="grid"
      aria-label={formatMonthYear(date)}
      data-events={colorOf ? '' : undefined}
      onClick={onClick}
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
                <DayCell
                  {...{ day, date, today, colorOf, onPick }}
                  sessions={days.get(day) ?? NO_SESSIONS}
                  timeOff={timeOffOn(timeOff, day)}
                  maxEvents={Math.floor((rowHeight - CELL_EXTRA_HEIGHT) / EVENT_HEIGHT)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NO_SESSIONS: readonly SessionRow[] = [];

interface DayCellProps extends Omit<MonthEventsProps, 'colorOf'> {
  day: string;
  date: string;
  today: string;
  timeOff: readonly TimeOff[];
  colorOf: ColorOf | undefined;
  onPick: (date: string) => void;
}

function DayCell({
  day,
  date,
  today,
  sessions,
  timeOff,
  colorOf,
  maxEvents,
  onPick,
}: DayCellProps) {
  const lessonCount = sessions.filter(takesPlace).length;
  const [entry] = timeOff;
  return (
    <div
      className={classes.cell}
      data-selected={day === date || undefined}
      data-today={day === today || undefined}
      data-outside={!isSameMonth(day, date) || undefined}
      data-off={timeOff.some(({ startTime }) => startTime === null) || undefined}
    >
      <div className={classes.top}>
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
            }${timeOffSuffix(timeOff)}`}
          </span>
        </button>
        {colorOf && entry && (
          // The reason is shown only on the first day and on Mondays.
          <TimeOffTag entry={entry} iconOnly={entry.fromDate !== day && weekday(day) !== 1} />
        )}
      </div>
      {colorOf ? (
        <MonthEvents sessions={sessions} colorOf={colorOf} maxEvents={maxEvents} />
      ) : (
        <small className={classes.count} aria-hidden="true">
          {lessonCount || ''}
        </small>
      )}
    </div>
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
