import { plusDays } from '@lessonbook/contract/dates';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useRef } from 'react';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Segments } from '../components/Segments.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { CalendarHeader } from '../features/lessons/CalendarHeader.tsx';
import { DayPanel } from '../features/lessons/DayPanel.tsx';
import { MonthGrid } from '../features/lessons/MonthGrid.tsx';
import { besideMonth, isSameMonth, weekDays } from '../features/lessons/month.ts';
import { useMonthSessions } from '../features/lessons/month-sessions.ts';
import { type LessonOpener, NewLesson, type Slot } from '../features/lessons/NewLesson.tsx';
import { useTones } from '../features/lessons/tones.ts';
import { WeekStrip } from '../features/lessons/WeekStrip.tsx';
import { useArrival } from '../lib/arrival.ts';
import { useRemembered } from '../lib/remembered.ts';
import { ScheduleMenu } from './ScheduleMenu.tsx';
import classes from './ScheduleView.module.css';

const WeekBoard = lazy(async () => ({
  default: (await import('../features/lessons/WeekBoard.tsx')).WeekBoard,
}));

const BOARDS = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
] as const;

export function ScheduleView() {
  const { today } = useTutor();
  const { date = today, board } = useSearch({ from: '/frame/tutor/schedule' });
  const navigate = useNavigate();
  const wide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const [monthOpen, setMonthOpen] = useRemembered('lessonbook-schedule-month');
  // From the icon of the installed app: 'New lesson'.
  const asked = useArrival('new');
  const opener = useRef<LessonOpener>(null);
  const month = useMonthSessions(date);
  const toneOf = useTones();

  const week = wide && board === 'week';
  const by = week || (!wide && !monthOpen) ? 'week' : 'month';
  const add = (slot: Slot) => opener.current?.open(slot);
  const addLesson = () => add({ date });
  const toggleMonth = () => startTransition(() => setMonthOpen(!monthOpen));

  /** Days follow each other too fast to be steps of the way back. Today is not named, so that it moves on at midnight. */
  function go(to: string) {
    void navigate({
      to: '/schedule',
      search: { ...(to !== today && { date: to }), ...(board && { board }) },
      replace: true,
      resetScroll: false,
    });
  }

  const step = (by_: 1 | -1) =>
    go(by === 'week' ? plusDays(date, 7 * by_) : besideMonth(date, by_, today));
  const todayInView = by === 'week' ? weekDays(date).includes(today) : isSameMonth(date, today);

  return (
    <>
      <PageHeader
        title="Schedule"
        action={
          <div className={classes.actions}>
            {wide && (
              <Segments
                label="Board"
                value={week ? 'week' : 'month'}
                options={BOARDS}
                onChange={(chosen) =>
                  void navigate({
                    to: '/schedule',
                    search: {
                      ...(date !== today && { date }),
                      ...(chosen === 'week' && { board: chosen }),
                    },
                    replace: true,
                  })
                }
              />
            )}
            <Button leftSection={<IconPlus size={18} stroke={2.4} />} onClick={addLesson}>
              New Lesson
            </Button>
            <ScheduleMenu />
          </div>
        }
      />
      <div className={classes.desk} data-week={week || undefined}>
        <section aria-label="Calendar" className={classes.calendar}>
          <CalendarHeader
            date={date}
            by={by}
            onStep={step}
            onToday={todayInView ? undefined : () => go(today)}
            month={wide ? undefined : { opened: monthOpen, onToggle: toggleMonth }}
          />
          {week ? (
            <Suspense fallback={<div className={classes.wait} />}>
              <WeekBoard date={date} today={today} days={month.days} toneOf={toneOf} onNew={add} />
            </Suspense>
          ) : wide || monthOpen ? (
            <MonthGrid
              date={date}
              today={today}
              days={month.days}
              toneOf={wide ? toneOf : undefined}
              onPick={go}
            />
          ) : (
            <WeekStrip date={date} today={today} days={month.days} onPick={go} />
          )}
          {week && month.failed && (
            <LoadError onRetry={month.retry}>Your lessons could not be loaded.</LoadError>
          )}
        </section>
        {!week && (
          <div className={classes.day}>
            <DayPanel
              date={date}
              today={today}
              sessions={
                month.failed
                  ? 'failed'
                  : month.isKnown(date)
                    ? (month.days.get(date) ?? [])
                    : 'loading'
              }
              toneOf={toneOf}
              onNew={addLesson}
              onRetry={month.retry}
            />
          </div>
        )}
      </div>
      <NewLesson opener={opener} first={asked === 'lesson' ? { date } : null} />
    </>
  );
}
