import type { Dashboard } from '@lessonbook/contract/dashboard';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { FreeDayIllustration, Illustration } from '../../components/Illustration.tsx';
import { EmptyState, RowSkeleton } from '../../components/ListStates.tsx';
import { createAmountFormatter, formatRelativeDate } from '../../lib/format.ts';
import { LessonRow, RowAction } from '../lessons/shared/LessonRow.tsx';
import classes from './LessonLists.module.css';
import { LessonCompletionLink } from './Summary.tsx';

interface Props {
  /** Undefined while loading. */
  home: Dashboard | undefined;
  today: string;
  colorOf: (session: SessionRow) => SubjectColor;
}

export function UpcomingLessons({ home, today, colorOf }: Props) {
  return (
    <Card heading="Upcoming Lessons">
      <Rows
        count={home?.upcoming.length}
        skeletonRows={5}
        empty={
          <EmptyState
            illustration={<FreeDayIllustration />}
            action={
              <ButtonLink to="/schedule" variant="light">
                Go to schedule
              </ButtonLink>
            }
          >
            {home?.week.total === 0 ? 'No lessons in the book yet.' : 'Nothing more to come.'}
          </EmptyState>
        }
      >
        {home?.upcoming.map((session) => (
          <LessonRow
            key={session.id}
            session={session}
            color={colorOf(session)}
            when={formatRelativeDate(session.date, today)}
            action={
              <RowAction
                to="/lessons/$id"
                params={{ id: String(session.lessonId) }}
                search={{ session: session.id }}
                label="View Details"
                itemName={session.title}
              />
            }
          />
        ))}
      </Rows>
    </Card>
  );
}

export function IncompleteLessons({ home, today, colorOf }: Props) {
  const hiddenCount = home ? home.incompleteCount - home.incomplete.length : 0;
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
            Nothing to tick off: every lesson is dealt with.
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
                itemName={session.title}
                variant="light"
                isCompactOnPhone={false}
              />
            }
          />
        ))}
      </Rows>
      {home && hiddenCount > 0 && (
        <p className={classes.more}>
          <LessonCompletionLink home={home}>
            and {hiddenCount} more to tick off
          </LessonCompletionLink>
        </p>
      )}
    </Card>
  );
}

/** One row per family: its oldest unpaid lesson and the total it owes. */
export function UnpaidLessons({ home, today, colorOf }: Props) {
  const amount = createAmountFormatter(home?.unpaid.map(({ outstanding }) => outstanding) ?? []);
  return (
    <div id="unpaid" className={classes.target}>
      <Card
        heading="Unpaid Past Lessons"
        aside={
          home !== undefined &&
          home.unpaid.length > 0 && (
            <span className={classes.badge} data-color="pen">
              Awaiting Payment
            </span>
          )
        }
      >
        <Rows
          count={home?.unpaid.length}
          skeletonRows={2}
          empty={
            <EmptyState illustration={<Illustration name="pay" size={88} />}>
              Nobody owes you anything.
            </EmptyState>
          }
        >
          {home?.unpaid.map(({ session, familyId, familyName, otherLessons, outstanding }) => (
            <LessonRow
              key={session.id}
              session={session}
              color={colorOf(session)}
              when={formatRelativeDate(session.date, today)}
              note={
                <p className={classes.owed}>
                  <Link to="/families/$id" params={{ id: String(familyId) }}>
                    <b>{amount(outstanding, session.currency)}</b>
                    {otherLessons > 0 && ` for ${otherLessons + 1} lessons`}
                    <span className={classes.hidden}>, account of {familyName}</span>
                  </Link>
                  {session.status === 'cancelled' && ', cancelled late'}
                </p>
              }
              action={
                <RowAction
                  to="/payments/create/$lessonId"
                  params={{ lessonId: String(session.lessonId) }}
                  search={{ session: session.id }}
                  label="Send Reminder"
                  itemName={session.title}
                  variant="light"
                />
              }
            />
          ))}
        </Rows>
        {home && home.unpaid.length > 0 && (
          <p className={classes.more}>
            <Link to="/families">All accounts</Link>
          </p>
        )}
      </Card>
    </div>
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
