import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatMonthYear } from '../../lib/format.ts';
import classes from './CalendarHeader.module.css';
import { weekDays } from './calendar-and-series-dates.ts';

interface Props {
  date: string;
  /** How far the arrows step. */
  stepUnit: 'month' | 'week';
  onStep: (step: 1 | -1) => void;
  /** Set only if today is not in view. */
  onToday?: (() => void) | undefined;
  /** On phones the month name toggles the month grid. */
  monthToggle?: { opened: boolean; onToggle: () => void } | undefined;
  /** Shown on the right. */
  children?: ReactNode;
}

/** '16 to 22 November', or '30 November to 6 December' */
function formatWeek(date: string): string {
  const [first = date, ...rest] = weekDays(date);
  const last = rest.at(-1) ?? date;
  const monthOf = (day: string) => formatMonthYear(day).split(' ')[0] ?? '';
  const start = `${Number(first.slice(8))}${monthOf(first) === monthOf(last) ? '' : ` ${monthOf(first)}`}`;
  return `${start} to ${Number(last.slice(8))} ${monthOf(last)}`;
}

export function CalendarHeader(props: Props) {
  const { date, stepUnit, onStep, onToday, monthToggle } = props;
  return (
    <div className={classes.header}>
      {monthToggle ? (
        <h2>
          <button type="button" aria-expanded={monthToggle.opened} onClick={monthToggle.onToggle}>
            {formatMonthYear(date)}
            <IconChevronDown size={18} stroke={2} aria-hidden="true" />
          </button>
        </h2>
      ) : (
        <h2 aria-live="polite">{stepUnit === 'week' ? formatWeek(date) : formatMonthYear(date)}</h2>
      )}
      {onToday && (
        <Button variant="subtle" size="compact-md" onClick={onToday}>
          Today
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        radius="md"
        aria-label={`Previous ${stepUnit}`}
        onClick={() => onStep(-1)}
      >
        <IconChevronLeft size={21} stroke={1.8} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        radius="md"
        aria-label={`Next ${stepUnit}`}
        onClick={() => onStep(1)}
      >
        <IconChevronRight size={21} stroke={1.8} />
      </ActionIcon>
      {props.children}
    </div>
  );
}
