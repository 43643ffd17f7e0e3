import type {
  CalendarProblem,
  CalendarStatus,
  ExternalChange,
} from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconPlug } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { useExternalRedirect } from '../../lib/external-navigation.ts';
import { formatShortDate, formatTimeRange, pluralize } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import {
  calendarChangesQuery,
  calendarStatusQuery,
  useConnectCalendar,
  useDisconnectCalendar,
} from './api.ts';
import classes from './Calendar.module.css';

/** The sync progress, and the problem if there is one. */
function SyncStatus({ status, dateContext }: { status: CalendarStatus; dateContext: DateContext }) {
  const { connected, problem, initialSyncRunning, lessons, waiting, meetFailures } = status;
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
      {meetFailures > 0 && (
        <p className={classes.problem} role="status">
          <IconAlertTriangle size={20} stroke={1.8} />
          {formatMeetFailures(meetFailures)}
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
        Lessons already in Google stay there. Changes will no longer be sent in either direction.
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
          We couldn't load your calendar connection.
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
        Connecting to Google isn't available here. You can still add your lessons to Google Calendar
        with the address below.
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
          Your lessons will appear in a separate Google calendar called “Lessons” and update
          automatically. Lessonbook can't see your other calendars.
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

/** '1,040' */
const formatNumber = (number: number): string => new Intl.NumberFormat('en-GB').format(number);

/** Whether the tutor has to reconnect, because Google revoked access or the calendar was deleted. */
const needsReconnect = (problem: CalendarProblem | null): boolean =>
  problem === 'access_lost' || problem === 'calendar_deleted';

/** Whether the problem resolves without action by the tutor, so that it is not shown as an error. */
const isTemporary = (problem: CalendarProblem): boolean =>
  problem === 'unreachable' || problem === 'busy';

/** The problem and what to do about it. */
function formatSyncProblem(
  problem: CalendarProblem,
  { nextTryAt, waiting }: CalendarStatus,
  dateContext: DateContext,
): string {
  const next = nextTryAt ? `at ${formatTimestamp(nextTryAt, dateContext)}` : 'soon';
  const [lessons, them] =
    waiting > 1 ? [`${formatNumber(waiting)} lessons`, 'them'] : ['a lesson', 'it'];
  const messages: Record<CalendarProblem, string> = {
    access_lost:
      'Lessonbook no longer has access to your Google Calendar. Reconnect to keep syncing your lessons.',
    calendar_deleted:
      'Your “Lessons” calendar was deleted in Google. Connect again to create a new one.',
    unreachable: `We can't reach Google. We'll try again ${next}. You don't need to do anything.`,
    busy: `Google is limiting requests. We'll try again ${next}. You don't need to do anything.`,
    refused: `Google rejected ${lessons}. Edit ${them} to try again. All your other lessons are in your calendar.`,
  };
  return messages[problem];
}

const formatMeetFailures = (count: number): string =>
  `Google couldn't create a Meet link for ${count === 1 ? 'a lesson' : `${formatNumber(count)} lessons`}. Check that your Google account has Google Meet, then disconnect and connect again. Or enter your own link in the lesson.`;

/** The progress while lessons are waiting, otherwise the time of the last sync. */
function formatSyncStatus(status: CalendarStatus, dateContext: DateContext): string {
  const { lessons, waiting, initialSyncRunning, lastSyncAt, problem } = status;
  if (initialSyncRunning) {
    const all = `${formatNumber(lessons)} ${lessons === 1 ? 'lesson is' : 'lessons are'}`;
    return `${formatNumber(lessons - waiting)} of ${all} in your calendar`;
  }
  const last = lastSyncAt
    ? `Last sync ${formatTimestamp(lastSyncAt, dateContext)}`
    : 'Not synced yet';
  // Rejected lessons are not waiting.
  if (waiting === 0 || problem === 'refused') return last;
  return `${last}. ${pluralize(waiting, 'lesson')} still to be sent.`;
}

/** '2 changes in Google to review' */
const formatChangeCount = (number: number): string =>
  `${pluralize(number, 'change')} in Google to review`;

/** 'Moved to Thu 19 Nov, 17:00–18:00' */
function formatChange({ kind, to }: ExternalChange, today: string): string {
  if (kind === 'deleted') return 'Deleted';
  if (!to) return "This change can't be applied to a lesson";
  return `Moved to ${formatShortDate(to.date, today)}, ${formatTimeRange(to.startTime, to.endTime)}`;
}
