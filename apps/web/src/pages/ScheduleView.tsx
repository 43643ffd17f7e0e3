import { addDaysToDate } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBeach,
  IconDotsVertical,
  IconNotebook,
  IconPlus,
  IconSnowflake,
  IconUsers,
  IconVideo,
} from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useRef, useState } from 'react';
import { DropdownMenu } from '../components/DropdownMenu.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError } from '../components/ListStates.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { SegmentedControl } from '../components/SegmentedControl.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { CalendarHeader } from '../features/lessons/CalendarHeader.tsx';
import { isSameMonth, stepMonth, weekDays } from '../features/lessons/calendar-and-series-dates.ts';
import { DayPanel, WeekAgenda } from '../features/lessons/DayPanel.tsx';
import { MonthGrid } from '../features/lessons/MonthGrid.tsx';
import {
  type LessonSlot,
  NewLessonDialogHost,
  type NewLessonHandle,
} from '../features/lessons/NewLessonDialogHost.tsx';
import { sumFees, takesPlace } from '../features/lessons/session-totals.ts';
import { timeOffOn } from '../features/lessons/time-off-in-calendar.ts';
import { useMonthSessions } from '../features/lessons/use-month-sessions.ts';
import { useSessionColors } from '../features/lessons/use-session-colors.ts';
import { WeekStrip } from '../features/lessons/WeekStrip.tsx';
import { formatAmount, pluralize } from '../lib/format.ts';
import { useLocalFlag } from '../lib/use-local-flag.ts';
import { useOneTimeParam } from '../lib/use-one-time-param.ts';
import classes from './ScheduleView.module.css';

export interface ScheduleSearch {
  view?: 'students' | 'subjects';
  /** Omitted if it is the default for the width of the screen. */
  board?: 'week' | 'month';
  date?: string;
}

function ScheduleMenu({ today, onChangeDay }: { today: string; onChangeDay: () => void }) {
  return (
    <DropdownMenu
      width={200}
      target={
        <ActionIcon variant="default" size={44} radius="md" aria-label="More views">
          <IconDotsVertical size={20} stroke={1.8} />
        </ActionIcon>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item
            leftSection={<IconUsers size={18} stroke={1.8} />}
            renderRoot={(props) => <Link to="/schedule" search={withStudentsView} {...props} />}
          >
            View Students
          </Menu.Item>
          <Menu.Item
            leftSection={<IconNotebook size={18} stroke={1.8} />}
            renderRoot={(props) => <Link to="/schedule" search={withSubjectsView} {...props} />}
          >
            View Subjects
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconSnowflake size={18} stroke={1.8} />} onClick={onChangeDay}>
            Change a day
          </Menu.Item>
          <Menu.Item
            leftSection={<IconBeach size={18} stroke={1.8} />}
            renderRoot={(props) => <Link to="/settings/time-off" {...props} />}
          >
            Time off
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlus size={18} stroke={1.8} />}
            renderRoot={(props) => (
              <Link to="/settings/time-off" search={{ date: today }} {...props} />
            )}
          >
            Add time off
          </Menu.Item>
        </>
      )}
    </DropdownMenu>
  );
}

/* The selected day stays in the URL for the back link. */
const withStudentsView = (search: ScheduleSearch) => ({ ...search, view: 'students' as const });
const withSubjectsView = (search: ScheduleSearch) => ({ ...search, view: 'subjects' as const });

const DayChangeDialog = lazy(async () => ({
  default: (await import('../features/lessons/DayChangeDialog.tsx')).DayChangeDialog,
}));

const WeekView = lazy(async () => ({
  default: (await import('../features/lessons/WeekView.tsx')).WeekView,
}));

/** A legend of the symbols, and totals such as '17 lessons, £710'. */
function WeekSummary({ sessions }: { sessions: readonly SessionRow[] }) {
  const count = sessions.filter(takesPlace).length;
  const fees = sumFees(sessions).map(({ minor, currency }) => formatAmount(minor, currency));
  return (
    <p className={classes.summary}>
      <span className={classes.legend}>
        <IconVideo size={15} stroke={1.8} aria-hidden="true" /> Online
      </span>
      <span className={classes.legend}>
        <IconUsers size={15} stroke={1.8} aria-hidden="true" /> Group
      </span>
      <span className={classes.legend}>
        <i className={classes.hatch} /> Time off
      </span>
      {count > 0 && <span>{[pluralize(count, 'lesson'), ...fees].join(', ')}</span>}
    </p>
  );
}

const BOARDS = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
] as const;

export function ScheduleView() {
  const { today, timeZone } = useTutor();
  const { date = today, board } = useSearch({ from: '/tutor/schedule' });
  const navigate = useNavigate();
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const isDesktop = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  // A tablet has no room for a day beside the month, so the week is the default there.
  const defaultBoard = isDesktop ? 'month' : 'week';
  const [monthOpen, setMonthOpen] = useLocalFlag('lessonbook-schedule-month');
  // The 'New lesson' shortcut of the installed app.
  const shortcut = useOneTimeParam('new');
  const [changingDay, setChangingDay] = useState(false);
  const newLessonDialog = useRef<NewLessonHandle>(null);
  const month = useMonthSessions(date);
  const colorOf = useSessionColors();

  const isWeekView = isWide && (board ?? defaultBoard) === 'week';
  const stepUnit = isWeekView || (!isWide && !monthOpen) ? 'week' : 'month';
  const sessionsOn = (day: string) => month.days.get(day) ?? [];
  const openNewLesson = (slot: LessonSlot) => newLessonDialog.current?.open(slot);
  const addLesson = () => openNewLesson({ date });
  const toggleMonth = () => startTransition(() => setMonthOpen(!monthOpen));

  /**
   * Replaces the history entry, because the day changes too often for Back to be useful. Today is omitted from the URL,
   * so that the page shows the new day after midnight.
   */
  function goTo(to: string) {
    void navigate({
      to: '/schedule',
      search: { ...(to !== today && { date: to }), ...(board && { board }) },
      replace: true,
      resetScroll: false,
    });
  }

  const step = (direction: 1 | -1) =>
    goTo(
      stepUnit === 'week' ? addDaysToDate(date, 7 * direction) : stepMonth(date, direction, today),
    );
  const isTodayInView =
    stepUnit === 'week' ? weekDays(date).includes(today) : isSameMonth(date, today);

  return (
    <>
      <PageHeader
        action={
          <div className={classes.actions}>
            {isWide && (
              <SegmentedControl
                label="Calendar view"
                manualActivation
                value={isWeekView ? 'week' : 'month'}
                options={BOARDS}
                onChange={(chosen) =>
                  void navigate({
                    to: '/schedule',
                    search: {
                      ...(date !== today && { date }),
                      ...(chosen !== defaultBoard && { board: chosen }),
                    },
                    replace: true,
                  })
                }
              />
            )}
            <Button leftSection={<IconPlus size={18} stroke={2.4} />} onClick={addLesson}>
              New Lesson
            </Button>
            <ScheduleMenu today={today} onChangeDay={() => setChangingDay(true)} />
          </div>
        }
      />
      <div className={classes.layout} data-week={isWeekView || undefined}>
        <section aria-label="Calendar" className={classes.calendar}>
          <CalendarHeader
            date={date}
            stepUnit={stepUnit}
            onStep={step}
            onToday={isTodayInView ? undefined : () => goTo(today)}
            monthToggle={isWide ? undefined : { opened: monthOpen, onToggle: toggleMonth }}
          >
            {isWeekView && <WeekSummary sessions={weekDays(date).flatMap(sessionsOn)} />}
          </CalendarHeader>
          {isWeekView ? (
            <Suspense fallback={<div className={classes.placeholder} />}>
              <WeekView
                date={date}
                today={today}
                timeZone={timeZone}
                days={month.days}
                timeOff={month.timeOff}
                colorOf={colorOf}
                onNew={openNewLesson}
              />
            </Suspense>
          ) : isWide || monthOpen ? (
            <MonthGrid
              date={date}
              today={today}
              days={month.days}
              timeOff={month.timeOff}
              colorOf={isWide ? colorOf : undefined}
              onPick={goTo}
              onOpenSession={(id) =>
                void navigate({ to: '/sessions/$id', params: { id: String(id) } })
              }
            />
          ) : (
            <WeekStrip
              date={date}
              today={today}
              days={month.days}
              timeOff={month.timeOff}
              onPick={goTo}
            />
          )}
          {isWeekView && month.failed && (
            <LoadError onRetry={month.retry}>We couldn't load your lessons.</LoadError>
          )}
        </section>
        {!isWeekView && (
          <div className={classes.day}>
            <DayPanel
              date={date}
              today={today}
              sessions={
                month.failed ? 'failed' : month.isDayLoaded(date) ? sessionsOn(date) : 'loading'
              }
              timeOff={timeOffOn(month.timeOff, date)}
              colorOf={colorOf}
              onNew={addLesson}
              onChangeDay={() => setChangingDay(true)}
              onRetry={month.retry}
            />
            {!isWide && !monthOpen && month.isDayLoaded(date) && (
              <WeekAgenda
                date={date}
                today={today}
                days={month.days}
                timeOff={month.timeOff}
                colorOf={colorOf}
              />
            )}
          </div>
        )}
      </div>
      <LazyMount opened={changingDay}>
        <DayChangeDialog
          opened={changingDay}
          onClose={() => setChangingDay(false)}
          today={today}
          day={date}
        />
      </LazyMount>
      <NewLessonDialogHost
        handle={newLessonDialog}
        initialSlot={shortcut === 'lesson' ? { date } : null}
      />
    </>
  );
}
