import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useCloseOnBack } from '../../lib/close-on-back.ts';
import { CalendarHeader } from './CalendarHeader.tsx';
import { stepMonth } from './calendar-and-series-dates.ts';
import { DayHeading } from './DayHeading.tsx';
import classes from './DayPicker.module.css';
import { useMonthSessions } from './use-month-sessions.ts';

const MonthGrid = lazy(async () => ({ default: (await import('./MonthGrid.tsx')).MonthGrid }));

interface Props {
  date: string;
  today: string;
  onPick: (date: string) => void;
  onStep: (step: 1 | -1) => void;
}

/** The day, arrows to the previous and next day, and a calendar popover. */
export function DayPicker({ date, today, onPick, onStep }: Props) {
  return (
    <div className={classes.picker}>
      <DayHeading title="Sessions" date={date} today={today} />
      <div className={classes.controls}>
        {date !== today && (
          <Button variant="subtle" size="compact-md" onClick={() => onPick(today)}>
            Today
          </Button>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          radius="md"
          aria-label="Previous day"
          onClick={() => onStep(-1)}
        >
          <IconChevronLeft size={21} stroke={1.8} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          radius="md"
          aria-label="Next day"
          onClick={() => onStep(1)}
        >
          <IconChevronRight size={21} stroke={1.8} />
        </ActionIcon>
        <Calendar date={date} today={today} onPick={onPick} />
      </div>
    </div>
  );
}

function Calendar({ date, today, onPick }: Omit<Props, 'onStep'>) {
  const [opened, setOpened] = useState(false);
  useCloseOnBack(opened, () => setOpened(false));
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      radius="lg"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={44}
          radius="md"
          aria-label="Choose a day"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <IconCalendar size={20} stroke={1.8} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.calendar}>
        <MonthPicker
          date={date}
          today={today}
          onPick={(day) => {
            setOpened(false);
            onPick(day);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Browsing months does not change the page; picking a day does. */
function MonthPicker({ date, today, onPick }: Omit<Props, 'onStep'>) {
  const [shownDate, setShownDate] = useState(date);
  const month = useMonthSessions(shownDate);
  return (
    <>
      <CalendarHeader
        date={shownDate}
        stepUnit="month"
        onStep={(step) => setShownDate(stepMonth(shownDate, step, today))}
      />
      <Suspense>
        <MonthGrid
          date={shownDate}
          today={today}
          days={month.days}
          onPick={onPick}
          onKeyboardSelect={setShownDate}
        />
      </Suspense>
    </>
  );
}
