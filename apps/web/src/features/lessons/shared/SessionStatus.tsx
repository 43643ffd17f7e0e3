import type { SessionRow } from '@lessonbook/contract/sessions';
import { IconArrowRight, IconCheck, IconClock, IconPoint, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatAmount } from '../../../lib/format.ts';
import classes from './SessionStatus.module.css';

const knownStatuses = {
  scheduled: { label: 'Scheduled', Icon: IconClock },
  completed: { label: 'Completed', Icon: IconCheck },
  cancelled: { label: 'Cancelled', Icon: IconX },
  rescheduled: { label: 'Moved', Icon: IconArrowRight },
} as const;

/** An unknown status, which a newer server may send, has the kind 'other'. */
export function sessionStatusLabel(status: string) {
  const known = knownStatuses[status as keyof typeof knownStatuses];
  return known
    ? { ...known, kind: status }
    : { label: humanize(status), Icon: IconPoint, kind: 'other' };
}

/** The status as a badge. An unknown value is shown in grey, in readable form. */
export function SessionStatusBadge({ status }: { status: string }) {
  const { label, Icon, kind } = sessionStatusLabel(status);
  return (
    <span className={classes.badge} data-status={kind}>
      <Icon size={14} stroke={2.2} />
      {label}
    </span>
  );
}

function humanize(status: string): string {
  const text = status.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Props {
  session: SessionRow;
  movedTo?: string | undefined;
}

/** The outcome and payment, with icons and text. Empty for a scheduled lesson that has a fee. */
export function SessionStatus({ session, movedTo }: Props) {
  const parts = [renderOutcome(session, movedTo), renderPayment(session)].filter(
    (part) => part !== null,
  );
  if (parts.length === 0) return null;
  return <p className={classes.state}>{parts}</p>;
}

function renderOutcome({ status }: SessionRow, movedTo: string | undefined): ReactNode {
  switch (status) {
    case 'completed':
      return (
        <span key="state" className={classes.done}>
          <IconCheck size={14} stroke={2.6} />
          Completed
        </span>
      );
    case 'cancelled':
      return (
        <span key="state">
          <IconX size={14} stroke={2.2} />
          Cancelled
        </span>
      );
    case 'rescheduled':
      return (
        <span key="state">
          <IconArrowRight size={14} stroke={2.2} />
          {movedTo ? `Moved to ${movedTo}` : 'Moved'}
        </span>
      );
    case 'scheduled':
      return null;
    // A newer server may send an unknown status.
    default:
      return null;
  }
}

function renderPayment({ status, fee, currency, charged, outstanding }: SessionRow): ReactNode {
  if (charged !== null && outstanding !== null && outstanding > 0) {
    return (
      <span key="money" className={classes.unpaid}>
        {formatAmount(outstanding, currency)} unpaid
      </span>
    );
  }
  if (charged !== null && charged > 0) {
    return (
      <span key="money" className={classes.done}>
        <IconCheck size={14} stroke={2.6} />
        {formatAmount(charged, currency)} paid
      </span>
    );
  }
  if (charged === 0) return <span key="money">Written off</span>;
  if (fee === null && (status === 'scheduled' || status === 'completed')) {
    return <span key="money">Free lesson</span>;
  }
  return null;
}
