import type { CalendarStatus } from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconPlug } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadError } from '../../components/ListStates.tsx';
import { ConfirmModal } from '../../components/ResponsiveModal.tsx';
import { useExternalRedirect } from '../../lib/external-navigation.ts';
import { formatShortDate, formatTimeRange } from '../../lib/format.ts';
import type { DateContext } from '../../lib/format-timestamp.ts';
import {
  calendarChangesQuery,
  calendarStatusQuery,
  useConnectCalendar,
  useDisconnectCalendar,
} from './api.ts';
import classes from './Calendar.module.css';
import {
  formatChange,
  formatChangeCount,
  formatSyncProblem,
  formatSyncStatus,
  isTemporary,
  needsReconnect,
} from './format-calendar-sync-status.ts';

/** The sync progress, and the problem if there is one. */
function SyncStatus({ status, dateContext }: { status: CalendarStatus; dateContext: DateContext }) {
  const { connected, problem, initialSyncRunning, lessons, waiting } = status;
  const Icon = problem && isTemporary(problem) ? IconClock : IconAlertTriangle;
  return (
    <>
      {problem && (
        <p
          className={classes.problem}
          data-temporary={isTemporary(problem) || undefined}
          role="status"
        >
          <Icon size={20} stroke={1.8} />
          {formatSyncProblem(problem, status, dateContext)}
        </p>
      )}
      {connected && <p className={classes.hint}>{formatSyncStatus(status, dateContext)}</p>}
      {connected && initialSyncRunning && lessons > 0 && (
        <Progress done={lessons - waiting} total={lessons} />
      )}
    </>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div
      className={classes.progress}
      role="progressbar"
      aria-label="Lessons in your calendar"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
    >
      <div style={{ width: `${(100 * done) / total}%` }} />
    </div>
  );
}

const MAX_SHOWN = 3;

/** Unresolved changes made in Google. Each is resolved on the page of its session. */
function PendingCalendarChanges({ today }: { today: string }) {
  const { data: changes = [] } = useQuery(calendarChangesQuery);
  const hiddenCount = changes.length - MAX_SHOWN;
  if (changes.length === 0) return null;
  return (
    <div className={classes.changes}>
      <p>{formatChangeCount(changes.length)}</p>
      <ul>
        {changes.slice(0, MAX_SHOWN).map((change) => (
          <li key={change.id}>
            <Link to="/sessions/$id" params={{ id: String(change.sessionId) }}>
              <span>
                {change.studentName}, {formatShortDate(change.date, today)},{' '}
                {formatTimeRange(change.startTime, change.endTime)}
              </span>{' '}
              <small>{formatChange(change, today)}</small>
            </Link>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Link to="/notifications">and {hiddenCount} more in your notifications</Link>
      )}
    </div>
  );
}

function DisconnectButton() {
  const [opened, setOpened] = useState(false);
  const disconnect = useDisconnectCalendar();
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setOpened(true)}>
        Disconnect
      </Button>
      <ConfirmModal
        title="Disconnect Google Calendar?"
        opened={opened}
        onClose={close}
        confirmLabel="Disconnect"
        busyLabel="Disconnecting..."
        isBusy={disconnect.isPending}
        onConfirm={() => disconnect.mutate(undefined, { onSuccess: close })}
      >
        The lessons already in Google stay there, as they are now. No change to a lesson is sent any
        more, and none made in Google is noticed.
      </ConfirmModal>
    </>
  );
}

export function GoogleCalendar({ dateContext }: { dateContext: DateContext }) {
  const status = useQuery(calendarStatusQuery);
  return (
    <section className={classes.part} aria-label="Google Calendar">
      <div className={classes.head}>
        <h3>Google Calendar</h3>
        {/* Hidden if the status request failed. */}
        {(status.data || status.isPending) && <ConnectionStatus status={status.data} />}
      </div>
      {status.isError && !status.data && (
        <LoadError onRetry={() => void status.refetch()}>
          Whether your calendar is connected could not be loaded.
        </LoadError>
      )}
      {status.isPending && <div className={classes.detailsPlaceholder} />}
      {status.data && <ConnectionDetails status={status.data} dateContext={dateContext} />}
    </section>
  );
}

/** 'Checking', 'Connected' or 'Not connected' */
function ConnectionStatus({ status }: { status: CalendarStatus | undefined }) {
  const Icon = status?.connected ? IconCheck : IconPlug;
  const label = status ? (status.connected ? 'Connected' : 'Not connected') : 'Checking';
  return (
    <p className={classes.state} data-on={status?.connected || undefined} role="status">
      <Icon size={18} stroke={2} />
      {label}
    </p>
  );
}

function ConnectionDetails({
  status,
  dateContext,
}: {
  status: CalendarStatus;
  dateContext: DateContext;
}) {
  const connect = useConnectCalendar();
  const { isRedirecting, redirectTo } = useExternalRedirect();
  const { connected, offered, problem } = status;
  if (!offered && !connected) {
    return (
      <p className={classes.hint}>
        This Lessonbook cannot connect to Google. Google Calendar can still show your lessons by
        their address, as any other calendar can.
      </p>
    );
  }
  const isBusy = connect.isPending || isRedirecting;
  const label = needsReconnect(problem) ? 'Connect again' : 'Connect';
  return (
    <>
      {connected || problem ? (
        <SyncStatus status={status} dateContext={dateContext} />
      ) : (
        <p className={classes.hint}>
          Your lessons in a calendar of their own at Google, called Lessons and kept in step.
          Lessonbook sees no other calendar of yours.
        </p>
      )}
      <PendingCalendarChanges today={dateContext.today} />
      <div className={classes.actions}>
        <Button
          variant="light"
          disabled={connected || isBusy}
          onClick={() => connect.mutate(undefined, { onSuccess: redirectTo })}
        >
          {isBusy ? 'Connecting...' : label}
        </Button>
        {(connected || problem) && <DisconnectButton />}
      </div>
    </>
  );
}
