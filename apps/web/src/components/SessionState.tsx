import type { SessionRow } from '@lessonbook/contract/sessions';
import { IconArrowRight, IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { money } from '../lib/format.ts';
import classes from './SessionState.module.css';

interface Props {
  session: SessionRow;
  movedTo?: string | undefined;
}

/** What has become of a lesson, always as icon and word; one that is simply to come says nothing. */
export function SessionState({ session, movedTo }: Props) {
  const parts = [happened(session, movedTo), owed(session)].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return <p className={classes.state}>{parts}</p>;
}

function happened({ status }: SessionRow, movedTo: string | undefined): ReactNode {
  switch (status) {
    case 'completed':
      return (
        <span key="state" className={classes.taught}>
          <IconCheck size={14} stroke={2.6} />
          Taught
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
    // A value of tomorrow's server is none of ours.
    default:
      return null;
  }
}

function owed({ status, fee, currency, charged, outstanding }: SessionRow): ReactNode {
  if (charged !== null && outstanding !== null && outstanding > 0) {
    return (
      <span key="money" className={classes.unpaid}>
        {money(outstanding, currency)} unpaid
      </span>
    );
  }
  if (charged !== null && charged > 0) {
    return (
      <span key="money" className={classes.taught}>
        <IconCheck size={14} stroke={2.6} />
        {money(charged, currency)} paid
      </span>
    );
  }
  if (fee === null && (status === 'scheduled' || status === 'completed')) {
    return <span key="money">Free lesson</span>;
  }
  return null;
}
