import { dayNumber } from '@lessonbook/contract/dates';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { ActionIcon, Button } from '@mantine/core';
import { IconDotsVertical, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { FreeDayIllustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import {
  formatAmount,
  formatDuration,
  formatLongDate,
  formatRelativeDate,
  formatShortDate,
  formatTime,
  shortWeekdayName,
} from '../../lib/format.ts';
import { StudentNotArrivedButton } from '../messages/shared/StudentNotArrivedButton.tsx';
import { sessionQuery } from './api.ts';
import { type SessionsByDay, weekDays } from './calendar-and-series-dates.ts';
import { DayHeading } from './DayHeading.tsx';
import classes from './DayPanel.module.css';
import { sumFees, teachingMinutes } from './session-totals.ts';
import { LessonRow, RowAction } from './shared/LessonRow.tsx';
import { DayTimeOff } from './TimeOffNotice.tsx';
import { timeOffOn } from './time-off-in-calendar.ts';
import type { ColorOf } from './use-session-colors.ts';

interface DayListProps {
  sessions: readonly SessionRow[];
  colorOf: ColorOf;
  onNew: () => void;
}

/** One day's lessons, shown beside the month and below the week strip. */
function DayList({ sessions, colorOf, onNew }: DayListProps) {
  if (sessions.length === 0) {
    return (
      <EmptyState
        illustration={<FreeDayIllustration />}
        action={
          <Button variant="light" onClick={onNew}>
            Add New Lesson
          </Button>
        }
      >
        No lessons scheduled for this day
      </EmptyState>
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {sessions.map((session) => (
          <DayRow key={session.id} session={session} colorOf={colorOf} />
        ))}
      </ul>
      <DayTotals sessions={sessions} />
    </>
  );
}

function DayRow({ session, colorOf }: { session: SessionRow; colorOf: ColorOf }) {
  return (
    <LessonRow
      session={session}
      color={colorOf(session)}
      movedTo={useMovedTo(session)}
      inProgressAction={<StudentNotArrivedButton session={session} />}
      action={
        <RowAction
          to="/sessions/$id"
          params={{ id: String(session.id) }}
          label="Details"
          itemName={lessonLabel(session)}
        />
      }
    />
  );
}

/** The list does not contain the new time, so it is read from the session details, which opening the row would load anyway. */
function useMovedTo({ id, status, date }: SessionRow): string | undefined {
  const { data } = useQuery({ ...sessionQuery(id), enabled: status === 'rescheduled' });
  const to = data?.rescheduledTo;
  if (!to) return undefined;
  const days = dayNumber(to.date) - dayNumber(date);
  if (days === 0) return formatTime(to.startTime);
  // Within a week, the weekday is enough.
  const day = Math.abs(days) < 7 ? shortWeekdayName(to.date) : formatShortDate(to.date, date);
  return `${day} ${formatTime(to.startTime)}`;
}

/** The day's teaching time and fees, with one total per currency. */
function DayTotals({ sessions }: { sessions: readonly SessionRow[] }) {
  const minutes = teachingMinutes(sessions);
  if (minutes === 0) return null;
  return (
    <p className={classes.totals}>
      <span>{formatDuration(minutes)} of teaching</span>
      <b>
        {sumFees(sessions).map(({ currency, minor }) => (
          <span key={currency}>{formatAmount(minor, currency)}</span>
        ))}
      </b>
    </p>
  );
}

interface Props {
  date: string;
  today: string;
  sessions: readonly SessionRow[] | 'loading' | 'failed';
  timeOff: readonly TimeOff[];
  colorOf: ColorOf;
  onNew: () => void;
  onChangeDay: () => void;
  onRetry: () => void;
}

export function DayPanel(props: Props) {
  const { date, today, sessions, timeOff, colorOf, onNew, onChangeDay, onRetry } = props;
  const hasSessions = typeof sessions !== 'string' && sessions.length > 0;
  return (
    <Card>
      <div className={classes.head}>
        <DayHeading
          title={date < today ? 'Lessons' : 'Upcoming Lessons'}
          date={date}
          today={today}
        />
        {hasSessions && (
          <DayMenu date={date} onChangeDay={date < today ? undefined : onChangeDay} />
        )}
        <ActionIcon
          variant="light"
          size={42}
          radius="md"
          aria-label="New lesson on this day"
          onClick={onNew}
        >
          <IconPlus size={20} stroke={2.2} />
        </ActionIcon>
      </div>
      <DayTimeOff timeOff={timeOff} />
      {sessions === 'loading' && <RowSkeleton rows={3} />}
      {sessions === 'failed' && (
        <LoadError onRetry={onRetry}>We couldn't load this day's lessons.</LoadError>
      )}
      {typeof sessions !== 'string' && (
        <DayList sessions={sessions} colorOf={colorOf} onNew={onNew} />
      )}
    </Card>
  );
}

interface AgendaProps {
  date: string;
  today: string;
  days: SessionsByDay;
  timeOff: readonly TimeOff[];
  colorOf: ColorOf;
}

/** The days after the chosen one until Sunday, on phones. Days without lessons or time off are left out. */
export function WeekAgenda({ date, today, days, timeOff, colorOf }: AgendaProps) {
  const agenda = weekDays(date)
    .filter((day) => day > date)
    .map((day) => ({ day, sessions: days.get(day) ?? [], timeOff: timeOffOn(timeOff, day) }))
    .filter((entry) => entry.sessions.length + entry.timeOff.length > 0);
  if (agenda.length === 0) return null;
  return (
    <Card heading="Later this week">
      {agenda.map(({ day, sessions, timeOff: dayOff }) => (
        <section key={day} className={classes.agendaDay} aria-label={formatLongDate(day)}>
          <h3>{formatRelativeDay(day, today)}</h3>
          <DayTimeOff timeOff={dayOff} />
          <ul className={classes.list}>
            {sessions.map((session) => (
              <DayRow key={session.id} session={session} colorOf={colorOf} />
            ))}
          </ul>
        </section>
      ))}
    </Card>
  );
}

/** 'Tomorrow', 'Wed 18 Nov' */
function formatRelativeDay(day: string, today: string): string {
  const text = formatRelativeDate(day, today);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface DayMenuProps {
  date: string;
  /** Undefined for a day in the past. */
  onChangeDay: (() => void) | undefined;
}

function DayMenu({ date, onChangeDay }: DayMenuProps) {
  return (
    <DropdownMenu
      width={180}
      target={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={42}
          radius="md"
          aria-label="More for this day"
        >
          <IconDotsVertical size={19} stroke={1.8} />
        </ActionIcon>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item renderRoot={(props) => <Link to="/sessions" search={{ date }} {...props} />}>
            View as table
          </Menu.Item>
          {onChangeDay && <Menu.Item onClick={onChangeDay}>Change this day</Menu.Item>}
        </>
      )}
    </DropdownMenu>
  );
}
