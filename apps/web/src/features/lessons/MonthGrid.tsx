import { mondayOf, plusDays, plusMonths } from '@lessonbook/contract/dates';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from 'react';
import { count, longDate, monthYear, WEEKDAYS } from '../../lib/format.ts';
import { type ByDay, countOf } from './day.ts';
import { MonthChips } from './MonthChips.tsx';
import classes from './MonthGrid.module.css';
import { isSameMonth, monthDays } from './month.ts';
import type { ToneOf } from './tones.ts';

interface Props {
  date: string;
  today: string;
  days: ByDay;
  /** Without tones the days show counts alone, as on a phone. */
  toneOf?: ToneOf | undefined;
  onPick: (date: string) => void;
  /** Where the keys only move, and a press chooses; without it both choose. */
  onKey?: (date: string) => void;
}

/** A month by weeks from Monday. The number is the button and covers its cell; the keys move the chosen day. */
export function MonthGrid({ date, today, days, toneOf, onPick, onKey = onPick }: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(false);

  // The keys may lead into a month that is not drawn yet: the focus follows once it is.
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${date}"]`)?.focus();
  }, [date]);

  function onKeyDown(event: KeyboardEvent) {
    const target = dayByKey(event.key, date);
    if (!target) return;
    event.preventDefault();
    moved.current = true;
    onKey(target);
  }

  const shown = monthDays(date);
  const weeks = Array.from({ length: shown.length / 7 }, (_, week) =>
    shown.slice(week * 7, week * 7 + 7),
  );
  return (
    <table
      ref={grid}
      className={classes.grid}
      style={{ '--weeks': weeks.length } as CSSProperties}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table of buttons is a grid
      role="grid"
      aria-label={monthYear(date)}
      data-chips={toneOf ? '' : undefined}
      onKeyDown={onKeyDown}
    >
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col" abbr={name}>
              <span aria-hidden="true">{name.slice(0, toneOf ? 3 : 1)}</span>
              <span className={classes.spoken}>{name}</span>
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
                    lessons={countOf(days, day)}
                    onPick={onPick}
                  />
                  {toneOf ? (
                    <MonthChips sessions={days.get(day) ?? []} toneOf={toneOf} />
                  ) : (
                    <small className={classes.count} aria-hidden="true">
                      {countOf(days, day) || ''}
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
  lessons: number;
  onPick: (date: string) => void;
}

function DayNumber({ day, date, today, lessons, onPick }: DayNumberProps) {
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
      <span className={classes.spoken}>
        {`, ${day === today ? 'today, ' : ''}${longDate(day)}, ${
          lessons === 0 ? 'no lessons' : count(lessons, 'lesson')
        }`}
      </span>
    </button>
  );
}

function dayByKey(key: string, date: string): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return plusDays(date, -1);
    case 'ArrowRight':
      return plusDays(date, 1);
    case 'ArrowUp':
      return plusDays(date, -7);
    case 'ArrowDown':
      return plusDays(date, 7);
    case 'Home':
      return mondayOf(date);
    case 'End':
      return plusDays(mondayOf(date), 6);
    case 'PageUp':
      return plusMonths(date, -1);
    case 'PageDown':
      return plusMonths(date, 1);
    default:
      return undefined;
  }
}
