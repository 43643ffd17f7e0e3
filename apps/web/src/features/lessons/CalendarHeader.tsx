import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { formatMonthYear } from '../../lib/format.ts';
import classes from './CalendarHeader.module.css';

interface Props {
  date: string;
  /** How far the arrows step. */
  stepUnit: 'month' | 'week';
  onStep: (step: 1 | -1) => void;
  /** Set only if today is not in view. */
  onToday?: (() => void) | undefined;
  /** On phones the month name toggles the month grid. */
  monthToggle?: { opened: boolean; onToggle: () => void } | undefined;
}

export function CalendarHeader({ date, stepUnit, onStep, onToday, monthToggle }: Props) {
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
        <h2 aria-live="polite">{formatMonthYear(date)}</h2>
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
    </div>
  );
}
