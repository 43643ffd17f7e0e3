import { formatTime12 } from '@lessonbook/contract/format-time';
import type { LessonDate } from '@lessonbook/contract/lesson-dates';
import type { Lesson, LessonDetails } from '@lessonbook/contract/lessons';
import type { Session } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { formatAmount, formatDateWithYear, formatDayMonth, weekdayName } from '../../lib/format.ts';
import { lessonQuery } from './api.ts';
import { weekdayOfMonth } from './calendar-and-series-dates.ts';
import classes from './SeriesCard.module.css';

const DATES_BEFORE = 2;
const DATES_AFTER = 3;

interface Props {
  session: Session;
  onEdit: () => void;
}

/** The dates around this one in a series. */
export function SeriesCard({ session, onEdit }: Props) {
  const [showAll, setShowAll] = useState(false);
  const { data: lesson, isError, refetch } = useQuery(lessonQuery(session.lessonId));
  const pattern = lesson ? `${patternLabels[lesson.recurringPattern]} series` : 'series';
  return (
    <Card
      heading={`Part of a ${pattern}`}
      aside={
        <Button variant="subtle" size="compact-md" onClick={onEdit}>
          Edit series
        </Button>
      }
    >
      {isError && !lesson && (
        <LoadError onRetry={() => void refetch()}>We couldn't load the other dates.</LoadError>
      )}
      {!isError && !lesson && <RowSkeleton rows={1} />}
      {lesson && (
        <>
          <ol className={classes.dates}>
            {datesAround(lesson, session, showAll).map((row) => (
              <li key={row.id}>
                <DateLink row={row} isCurrent={row.id === session.id} />
              </li>
            ))}
          </ol>
          <p className={classes.summary}>
            {formatRecurrence(lesson)}. “Move” and “Cancel lesson” only change this date.{' '}
            {formatTotals(lesson)}
          </p>
          <Button
            variant="subtle"
            size="compact-md"
            className={classes.all ?? ''}
            onClick={() => setShowAll(!showAll)}
          >
            {showAll ? 'Show fewer dates' : 'Show all dates'}
          </Button>
        </>
      )}
    </Card>
  );
}

/** A session that was moved is represented by the one on its new date. */
function datesAround(lesson: LessonDetails, session: Session, showAll: boolean): LessonDate[] {
  const rows = [...lesson.past, ...lesson.upcoming]
    .filter(({ id, status }) => id === session.id || status !== 'rescheduled')
    .toSorted((a, b) => (a.date + a.startTime < b.date + b.startTime ? -1 : 1));
  if (showAll) return rows;
  const index = rows.findIndex(({ id }) => id === session.id);
  const start = Math.max(0, Math.min(index - DATES_BEFORE, rows.length - MAX_SHOWN_DATES));
  return rows.slice(start, start + MAX_SHOWN_DATES);
}

const MAX_SHOWN_DATES = DATES_BEFORE + 1 + DATES_AFTER;

function DateLink({ row, isCurrent }: { row: LessonDate; isCurrent: boolean }) {
  return (
    <Link
      to="/sessions/$id"
      params={{ id: String(row.id) }}
      className={classes.date}
      {...(isCurrent && { 'aria-current': 'page' as const })}
      data-status={row.status}
    >
      <b>{formatDayMonth(row.date)}</b>
      <small>{isCurrent ? 'This lesson' : <DateState row={row} />}</small>
    </Link>
  );
}

function DateState({ row: { status, startTime } }: { row: LessonDate }) {
  if (status === 'completed') {
    return (
      <>
        <IconCheck size={13} stroke={2.4} /> Completed
      </>
    );
  }
  if (status === 'cancelled') {
    return (
      <>
        <IconX size={13} stroke={2.2} /> Cancelled
      </>
    );
  }
  return formatTime12(startTime);
}

const patternLabels: Record<Lesson['recurringPattern'], string> = {
  weekly: 'weekly',
  biweekly: 'fortnightly',
  monthly: 'monthly',
  monthly_weekday: 'monthly',
  monthly_last_weekday: 'monthly',
};

type Recurrence = Pick<
  Lesson,
  'date' | 'startTime' | 'endTime' | 'recurringPattern' | 'recurringEndDate'
>;

/** 'Every Tuesday, 4pm to 5pm, until 15 Dec 2026' */
export function formatRecurrence(lesson: Recurrence): string {
  const time = `${formatTime12(lesson.startTime)} to ${formatTime12(lesson.endTime)}`;
  const until = lesson.recurringEndDate
    ? `, until ${formatDateWithYear(lesson.recurringEndDate)}`
    : '';
  return `${patternFormats[lesson.recurringPattern](lesson.date)}, ${time}${until}`;
}

const patternFormats: Record<Lesson['recurringPattern'], (first: string) => string> = {
  weekly: (first) => `Every ${weekdayName(first)}`,
  biweekly: (first) => `Every second ${weekdayName(first)}`,
  monthly: (first) => `Every month on the ${ordinal(Number(first.slice(8)))}`,
  monthly_weekday: (first) => `Every month on ${weekdayOfMonth('monthly_weekday', first)}`,
  monthly_last_weekday: (first) =>
    `Every month on ${weekdayOfMonth('monthly_last_weekday', first)}`,
};

function ordinal(day: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][day % 10];
  return `${day}${day > 10 && day < 14 ? 'th' : (ending ?? 'th')}`;
}

/** 'So far: £105 charged, £35 unpaid.' One part per currency. */
function formatTotals({ money }: LessonDetails): string {
  if (money.length === 0) return '';
  const parts = money.map(({ currency, charged, outstanding }) =>
    outstanding > 0
      ? `${formatAmount(charged, currency)} charged, ${formatAmount(outstanding, currency)} unpaid`
      : `${formatAmount(charged, currency)} charged, all paid`,
  );
  return `So far: ${parts.join('; ')}.`;
}
