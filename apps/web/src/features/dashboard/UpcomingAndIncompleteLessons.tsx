import type { Dashboard } from '@lessonbook/contract/dashboard';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { FreeDayIllustration, Illustration } from '../../components/Illustration.tsx';
import { EmptyState, RowSkeleton } from '../../components/ListStates.tsx';
import { formatRelativeDate } from '../../lib/format.ts';
import { LessonRow, RowAction } from '../lessons/shared/LessonRow.tsx';
import { StudentNotArrivedButton } from '../messages/shared/StudentNotArrivedButton.tsx';
import classes from './DashboardLists.module.css';
import { LessonCompletionLink } from './TodaySummary.tsx';

interface Props {
  /** Undefined while loading. */
  home: Dashboard | undefined;
  today: string;
  colorOf: (session: SessionRow) => SubjectColor;
}

export function UpcomingLessons({ home, today, colorOf }: Props) {
  const upcoming = home?.upcoming ?? [];
  const dates = [...new Set(upcoming.map(({ date }) => date))];
  return (
    <Card
      heading="Upcoming Lessons"
      aside={
        <Link to="/schedule" className={classes.headLink}>
          Schedule
        </Link>
      }
    >
      {!home && <RowSkeleton rows={5} />}
      {home?.upcoming.length === 0 && (
        <EmptyState
          illustration={<FreeDayIllustration />}
          action={
            <ButtonLink to="/schedule" variant="light">
              Go to schedule
            </ButtonLink>
          }
        >
          {home.week.total === 0 ? 'Your next lessons will appear here.' : 'No upcoming lessons.'}
        </EmptyState>
      )}
      {dates.map((date) => (
        <Fragment key={date}>
          {date !== today && <h3 className={classes.day}>{formatDay(date, today)}</h3>}
          <ul>
            {upcoming
              .filter((session) => session.date === date)
              .map((session) => (
                <LessonRow
                  key={session.id}
                  session={session}
                  color={colorOf(session)}
                  inProgressAction={<StudentNotArrivedButton session={session} />}
                  action={
                    <RowAction
                      to="/lessons/$id"
                      params={{ id: String(session.lessonId) }}
                      search={{ session: session.id }}
                      label="View Details"
                      itemName={lessonLabel(session)}
                    />
                  }
                />
              ))}
          </ul>
        </Fragment>
      ))}
    </Card>
  );
}

/** 'Tomorrow', 'Thu 19 Nov' */
function formatDay(date: string, today: string): string {
  const day = formatRelativeDate(date, today);
  return day.charAt(0).toUpperCase() + day.slice(1);
}

export function IncompleteLessons({ home, today, colorOf }: Props) {
  return (
    <Card
      heading="Incomplete Lessons"
      aside={
        home !== undefined &&
        home.incomplete.length > 0 && (
          <span className={classes.badge} data-color="marker">
            Mark as Complete
          </span>
        )
      }
    >
      {!home && <RowSkeleton rows={2} />}
      {home?.incomplete.length === 0 && (
        <EmptyState illustration={<Illustration name="register" size={88} />}>
          You're all caught up: there are no lessons to complete.
        </EmptyState>
      )}
      {home && home.incomplete.length > 0 && (
        <ul>
          {home.incomplete.map((session) => (
            <LessonRow
              key={session.id}
              session={session}
              color={colorOf(session)}
              when={formatRelativeDate(session.date, today)}
              action={
                <RowAction
                  to="/lessons/$lessonId/complete"
                  params={{ lessonId: String(session.lessonId) }}
                  search={{ session: session.id }}
                  label="Complete"
                  itemName={lessonLabel(session)}
                  variant="light"
                  isCompactOnPhone={false}
                />
              }
            />
          ))}
        </ul>
      )}
      {home && home.incompleteCount > 1 && (
        <p className={classes.more}>
          <LessonCompletionLink home={home}>
            Complete all ({home.incompleteCount})
          </LessonCompletionLink>
        </p>
      )}
    </Card>
  );
}
