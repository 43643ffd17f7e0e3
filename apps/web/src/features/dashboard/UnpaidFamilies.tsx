import type { Dashboard } from '@lessonbook/contract/dashboard';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Avatar } from '../../components/Avatar.tsx';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, RowSkeleton } from '../../components/ListStates.tsx';
import { firstName, formatAmount, formatList, initials, pluralize } from '../../lib/format.ts';
import classes from './DashboardLists.module.css';

interface Props {
  /** Undefined while loading. */
  home: Dashboard | undefined;
  onRemind: (familyId: number) => void;
}

/** One row per family. Reminders are offered for overdue amounts. */
export function UnpaidFamilies({ home, onRemind }: Props) {
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
        {!home && <RowSkeleton rows={2} />}
        {home?.unpaid.length === 0 && (
          <EmptyState illustration={<Illustration name="pay" size={88} />}>
            No one owes you anything.
          </EmptyState>
        )}
        {home && home.unpaid.length > 0 && (
          <ul>
            {home.unpaid.map((family) => (
              <UnpaidFamily
                key={family.session.id}
                family={family}
                onRemind={() => onRemind(family.familyId)}
              />
            ))}
          </ul>
        )}
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
