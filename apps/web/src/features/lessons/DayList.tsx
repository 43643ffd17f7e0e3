import { dayNumber } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LessonRow } from '../../components/LessonRow.tsx';
import { RowLink } from '../../components/RowLink.tsx';
import { FreeDay } from '../../components/Spot.tsx';
import { clock, hours, money, shortDate, shortWeekday } from '../../lib/format.ts';
import { sessionQuery } from './api.ts';
import classes from './DayList.module.css';
import { teachingMinutes, worth } from './day.ts';
import type { ToneOf } from './tones.ts';

interface Props {
  sessions: readonly SessionRow[];
  toneOf: ToneOf;
  onNew: () => void;
}

/** The lessons of one day, beside the month and below the week strip alike. */
export function DayList({ sessions, toneOf, onNew }: Props) {
  if (sessions.length === 0) {
    return (
      <EmptyState
        drawing={<FreeDay />}
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
          <DayRow key={session.id} session={session} toneOf={toneOf} />
        ))}
      </ul>
      <DaySum sessions={sessions} />
    </>
  );
}

function DayRow({ session, toneOf }: { session: SessionRow; toneOf: ToneOf }) {
  return (
    <LessonRow
      session={session}
      tone={toneOf(session)}
      movedTo={useMovedTo(session)}
      action={
        <RowLink
          to="/sessions/$id"
          params={{ id: String(session.id) }}
          label="Details"
          of={session.title}
        />
      }
    />
  );
}

/** A row does not carry its new time; moved ones are few, and their details are what a tap opens next. */
function useMovedTo({ id, status, date }: SessionRow): string | undefined {
  const { data } = useQuery({ ...sessionQuery(id), enabled: status === 'rescheduled' });
  const to = data?.rescheduledTo;
  if (!to) return undefined;
  const days = dayNumber(to.date) - dayNumber(date);
  if (days === 0) return clock(to.startTime);
  // Within the week its name is enough.
  const day = Math.abs(days) < 7 ? shortWeekday(to.date) : shortDate(to.date, date);
  return `${day} ${clock(to.startTime)}`;
}

/** How long, and what it is worth; amounts of several currencies stand beside each other. */
function DaySum({ sessions }: { sessions: readonly SessionRow[] }) {
  const minutes = teachingMinutes(sessions);
  if (minutes === 0) return null;
  return (
    <p className={classes.sum}>
      <span>{hours(minutes)} of teaching</span>
      <b>
        {worth(sessions).map(({ currency, minor }) => (
          <span key={currency}>{money(minor, currency)}</span>
        ))}
      </b>
    </p>
  );
}
