import type { Dashboard } from '@lessonbook/contract/dashboard';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { FreeDayIllustration, Illustration } from '../../components/Illustration.tsx';
import { EmptyState, RowSkeleton } from '../../components/ListStates.tsx';
import {
  firstName,
  formatAmount,
  formatList,
  formatRelativeDate,
  initials,
  pluralize,
} from '../../lib/format.ts';
import { LessonRow, RowAction } from '../lessons/shared/LessonRow.tsx';
import { StudentNotArrivedButton } from '../messages/shared/StudentNotArrivedButton.tsx';
import classes from './LessonLists.module.css';
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
                  whileGoingOn={<StudentNotArrivedButton session={session} />}
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
      <Rows
        count={home?.incomplete.length}
        skeletonRows={2}
        empty={
          <EmptyState illustration={<Illustration name="register" size={88} />}>
            You're all caught up: there are no lessons to complete.
          </EmptyState>
        }
      >
        {home?.incomplete.map((session) => (
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
      </Rows>
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

interface UnpaidLessonsProps extends Pick<Props, 'home'> {
  onRemind: (familyId: number) => void;
}

/** One row per family. A reminder is offered for what is overdue. */
export function UnpaidLessons({ home, onRemind }: UnpaidLessonsProps) {
  return (
    <div id="unpaid" className={classes.target}>
      <Card
        heading="Unpaid Past Lessons"
        aside={
          home !== undefined &&
          home.unpaid.length > 0 && (
            <span className={classes.aside}>
              <span className={classes.badge} data-color="pen">
                Awaiting Payment
              </span>
              <Link to="/messages" search={{ remind: 'overdue' }} className={classes.headLink}>
                Remind all
              </Link>
            </span>
          )
        }
      >
        <Rows
          count={home?.unpaid.length}
          skeletonRows={2}
          empty={
            <EmptyState illustration={<Illustration name="pay" size={88} />}>
              No one owes you anything.
            </EmptyState>
          }
        >
          {home?.unpaid.map((family) => (
            <UnpaidFamily
              key={family.session.id}
              family={family}
              onRemind={() => onRemind(family.familyId)}
            />
          ))}
        </Rows>
        {home && home.unpaid.length > 0 && (
          <p className={classes.more}>
            <Link to="/families">All families</Link>
          </p>
        )}
      </Card>
    </div>
  );
}

interface UnpaidFamilyProps {
  family: Dashboard['unpaid'][number];
  onRemind: () => void;
}

function UnpaidFamily({ family, onRemind }: UnpaidFamilyProps) {
  const { session, familyId, familyName, studentNames, otherLessons, outstanding, overdue } =
    family;
  const { currency } = session;
  const students = studentNames.filter((name) => name !== familyName).map(firstName);
  const lessons = pluralize(otherLessons + 1, 'lesson');
  return (
    <li className={classes.family}>
      <Avatar initials={initials(familyName)} />
      <p className={classes.familyName}>
        <Link to="/families/$id" params={{ id: String(familyId) }}>
          {familyName}
        </Link>
        <small>{students.length > 0 ? `${formatList(students)}, ${lessons}` : lessons}</small>
      </p>
      <p className={classes.owed}>
        <b data-overdue={overdue === outstanding || undefined}>
          {formatAmount(outstanding, currency)}
        </b>
        {overdue > 0 && overdue < outstanding && (
          <small>{formatAmount(overdue, currency)} overdue</small>
        )}
      </p>
      {overdue > 0 && (
        <Button
          variant="light"
          size="sm"
          className={classes.remind}
          aria-label={`Send Reminder, ${familyName}`}
          onClick={onRemind}
        >
          Send Reminder
        </Button>
      )}
    </li>
  );
}

interface RowsProps {
  count: number | undefined;
  skeletonRows: number;
  empty: ReactNode;
  children: ReactNode;
}

function Rows({ count, skeletonRows, empty, children }: RowsProps) {
  if (count === undefined) return <RowSkeleton rows={skeletonRows} />;
  return count === 0 ? empty : <ul>{children}</ul>;
}
