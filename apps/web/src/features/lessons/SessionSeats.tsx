import { groupSize } from '@lessonbook/contract/lesson-names';
import type { Session, SessionStudent } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { Card } from '../../components/Card.tsx';
import { formatAmount, initials, pluralize } from '../../lib/format.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useRestoreSeat } from './group-lessons-api.ts';
import { feeSourceLabels } from './lesson-change-format.ts';
import classes from './SessionSeats.module.css';

const CancelSessionModal = lazy(async () => ({
  default: (await import('./CancelSessionModal.tsx')).CancelSessionModal,
}));

interface Props {
  session: Session;
  /** Cancels the whole session, for the last student who is expected. */
  onCancelSession: () => void;
}

/** The places of a group: who is expected, who came, and what each of them pays. */
export function SessionSeats({ session, onCancelSession }: Props) {
  const [cancelling, setCancelling] = useState<SessionStudent | null>(null);
  const lastCancelling = useLastValue(cancelling);
  const restore = useRestoreSeat();
  const { id, status, students } = session;
  const size = groupSize(session);
  return (
    <Card
      heading="Students"
      aside={<span className={classes.count}>{pluralize(size, 'student')} expected</span>}
    >
      <ul className={classes.list}>
        {students.map((seat) => (
          <li key={seat.studentId} className={classes.seat}>
            <Avatar initials={initials(seat.name)} />
            <p>
              <Link to="/students/$id" params={{ id: String(seat.studentId) }}>
                {seat.name}
              </Link>
              <small>{describeState(session, seat)}</small>
            </p>
            <p className={classes.money}>
              {formatMoney(session, seat)}
              <small>{describeMoney(session, seat)}</small>
            </p>
            {status === 'scheduled' && (
              <Button
                variant="subtle"
                size="compact-md"
                disabled={restore.isPending}
                aria-label={`${seat.state === 'expected' ? 'Cancel place' : 'Restore place'}, ${seat.name}`}
                onClick={() => {
                  if (seat.state === 'cancelled')
                    restore.mutate({ params: { id, studentId: seat.studentId } });
                  else if (size === 1) onCancelSession();
                  else setCancelling(seat);
                }}
              >
                {seat.state === 'expected' ? 'Cancel place' : 'Restore place'}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {lastCancelling && (
        <Suspense fallback={null}>
          <CancelSessionModal
            session={session}
            seat={lastCancelling}
            opened={cancelling !== null}
            onClose={() => setCancelling(null)}
          />
        </Suspense>
      )}
    </Card>
  );
}

const attendanceLabels = { attended: 'Attended', late: 'Late', absent: 'Absent' } as const;

function describeState({ status }: Session, { state, attendance }: SessionStudent): string {
  if (state === 'cancelled') return 'Cancelled';
  if (attendance) return attendanceLabels[attendance];
  return status === 'scheduled' ? 'Expected' : '';
}

function formatMoney({ status, currency }: Session, seat: SessionStudent): string {
  const amount = seat.charged ?? (isExpected(status, seat) ? seat.fee : 0);
  if (amount) return formatAmount(amount, currency, true);
  return seat.fee === null ? 'Free' : 'No charge';
}

/** Before the lesson, where the price comes from; after it, whether the price has been paid. */
function describeMoney({ status, currency }: Session, seat: SessionStudent): string {
  if (seat.charged) {
    if (!seat.outstanding) return 'Paid';
    return seat.outstanding === seat.charged
      ? 'Unpaid'
      : `Part paid, ${formatAmount(seat.outstanding, currency)} left`;
  }
  if (seat.charged === 0) return 'Written off';
  return isExpected(status, seat) && seat.fee !== null ? feeSourceLabels[seat.feeSource] : '';
}

const isExpected = (status: string, { state }: SessionStudent): boolean =>
  status === 'scheduled' && state === 'expected';
