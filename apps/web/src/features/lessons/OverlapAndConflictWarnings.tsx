import { isDate } from '@lessonbook/contract/dates';
import type { Overlap } from '@lessonbook/contract/errors';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatShortDate, formatTimeRange } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useToday } from '../accounts/api.ts';
import { sessionsByDateQuery } from './api.ts';
import classes from './OverlapAndConflictWarnings.module.css';
import { TimeOffDetails } from './TimeOffNotice.tsx';
import type { TimeSlot } from './time-off-in-calendar.ts';

/** Scheduled sessions that overlap a new time, checked before submitting. The server checks again. */
export function useOverlaps(session: Pick<SessionRow, 'id'>, slot: TimeSlot): Overlap[] {
  const { date, startTime, endTime } = slot;
  const { data } = useQuery({ ...sessionsByDateQuery(date), enabled: isDate(date) });
  return (data ?? [])
    .filter(
      (other) =>
        other.id !== session.id &&
        other.status === 'scheduled' &&
        other.startTime < endTime &&
        other.endTime > startTime,
    )
    .map((other) => ({
      date,
      startTime,
      endTime,
      withSessionId: other.id,
      withTitle: lessonLabel(other),
      withStartTime: other.startTime,
      withEndTime: other.endTime,
    }));
}

/** The overlaps reported by the server, if any. */
export const overlapsOf = (error: Error | null): Overlap[] =>
  error instanceof ApiError ? (error.overlaps ?? []) : [];

/** The message that a group is full, if the server refused because of that. */
export const groupFullMessage = (error: Error | null): string | undefined =>
  error instanceof ApiError && error.code === 'group_full' ? error.message : undefined;

/** Overlaps are allowed, but the tutor sees them before submitting. */
export function OverlapHint({ overlaps }: { overlaps: readonly Overlap[] }) {
  if (overlaps.length === 0) return null;
  return (
    <div className={classes.warning} role="status">
      <p>
        <IconAlertTriangle size={18} stroke={1.8} />
        At the same time as:
      </p>
      <OverlapList overlaps={overlaps} />
    </div>
  );
}

const MAX_SHOWN = 3;

export function OverlapList({ overlaps }: { overlaps: readonly Overlap[] }) {
  const today = useToday();
  const hiddenCount = overlaps.length - MAX_SHOWN;
  return (
    <ul className={classes.list}>
      {overlaps.slice(0, MAX_SHOWN).map((overlap) => (
        <li key={`${overlap.withSessionId} ${overlap.date} ${overlap.startTime}`}>
          <span className={classes.date}>
            {formatShortDate(overlap.date, today)},{' '}
            {formatTimeRange(overlap.withStartTime, overlap.withEndTime)}
          </span>{' '}
          <b>{overlap.withTitle}</b>
        </li>
      ))}
      {hiddenCount > 0 && <li className={classes.date}>and {hiddenCount} more</li>}
    </ul>
  );
}

/** What conflicts with the lesson being saved. */
export interface Conflicts {
  overlaps: readonly Overlap[];
  timeOff: readonly TimeOff[];
  /** The server's message if the group has more students than places. */
  groupFull?: string | undefined;
}

interface Props {
  /** Null closes the modal. */
  conflicts: Conflicts | null;
  confirmLabel?: string;
  onClose: () => void;
  onAccept: () => void;
}

const NO_CONFLICTS: Conflicts = { overlaps: [], timeOff: [] };

function formatTitle({ overlaps, groupFull }: Pick<Conflicts, 'overlaps' | 'groupFull'>): string {
  if (groupFull) return 'This group is full';
  return overlaps.length > 0 ? 'This lesson overlaps another' : 'You have time off then';
}

/** Asks for confirmation, so that overlaps and lessons during time off are allowed but never accidental. */
export function ConflictModal({ conflicts, confirmLabel = 'Save anyway', ...props }: Props) {
  const { overlaps, timeOff, groupFull } = useLastValue(conflicts) ?? NO_CONFLICTS;
  return (
    <ResponsiveModal
      title={formatTitle({ overlaps, groupFull })}
      opened={conflicts !== null}
      onClose={props.onClose}
    >
      {groupFull && <p className={classes.text}>{groupFull}</p>}
      {overlaps.length > 0 && (
        <>
          <p className={classes.text}>
            You already have{' '}
            {overlaps.length === 1 ? 'a lesson at this time' : 'lessons at these times'}:
          </p>
          <OverlapList overlaps={overlaps} />
        </>
      )}
      {timeOff.length > 0 && (
        <>
          <p className={classes.text}>This lesson is during your time off:</p>
          <TimeOffDetails timeOff={timeOff} />
        </>
      )}
      <ModalActions
        cancelLabel="Go back"
        onCancel={props.onClose}
        confirmLabel={confirmLabel}
        busyLabel="Saving..."
        isBusy={false}
        onConfirm={props.onAccept}
      />
    </ResponsiveModal>
  );
}
