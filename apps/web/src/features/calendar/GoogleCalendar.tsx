import type { CalendarStatus } from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { IconCheck, IconPlug } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/LoadError.tsx';
import { useLeaving } from '../../lib/leaving.ts';
import type { Wall } from '../../lib/moments.ts';
import { calendarStatusQuery, useConnectCalendar } from './api.ts';
import classes from './Calendar.module.css';
import { mustConnectAgain } from './calendar-words.ts';
import { Disconnect } from './Disconnect.tsx';
import { OpenProposals } from './OpenProposals.tsx';
import { SyncState } from './SyncState.tsx';

export function GoogleCalendar({ wall }: { wall: Wall }) {
  const status = useQuery(calendarStatusQuery);
  return (
    <section className={classes.part} aria-label="Google Calendar">
      <div className={classes.head}>
        <h3>Google Calendar</h3>
        {/* Not while it only could not be asked: that is neither. */}
        {(status.data || status.isPending) && <State status={status.data} />}
      </div>
      {status.isError && !status.data && (
        <LoadError onRetry={() => void status.refetch()}>
          Whether your calendar is connected could not be loaded.
        </LoadError>
      )}
      {status.data && <Known status={status.data} wall={wall} />}
    </section>
  );
}

/** 'Checking', 'Connected' or 'Not connected' */
function State({ status }: { status: CalendarStatus | undefined }) {
  const Icon = status?.connected ? IconCheck : IconPlug;
  const words = status ? (status.connected ? 'Connected' : 'Not connected') : 'Checking';
  return (
    <p className={classes.state} data-on={status?.connected || undefined} role="status">
      <Icon size={18} stroke={2} />
      {words}
    </p>
  );
}

function Known({ status, wall }: { status: CalendarStatus; wall: Wall }) {
  const connect = useConnectCalendar();
  const { leaving, leaveFor } = useLeaving();
  const { connected, offered, problem } = status;
  if (!offered && !connected) {
    return (
      <p className={classes.hint}>
        This Lessonbook cannot connect to Google. Google Calendar can still show your lessons by
        their address, as any other calendar can.
      </p>
    );
  }
  const isBusy = connect.isPending || leaving;
  const label = mustConnectAgain(problem) ? 'Connect again' : 'Connect';
  return (
    <>
      {connected || problem ? (
        <SyncState status={status} wall={wall} />
      ) : (
        <p className={classes.hint}>
          Your lessons in a calendar of their own at Google, called Lessons and kept in step.
          Lessonbook sees no other calendar of yours.
        </p>
      )}
      <OpenProposals today={wall.today} />
      <div className={classes.actions}>
        <Button
          variant="light"
          disabled={connected || isBusy}
          onClick={() => connect.mutate(undefined, { onSuccess: leaveFor })}
        >
          {isBusy ? 'Connecting...' : label}
        </Button>
        {(connected || problem) && <Disconnect />}
      </div>
    </>
  );
}
