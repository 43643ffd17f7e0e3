import { isDate } from '@lessonbook/contract/dates';
import type { Overlap } from '@lessonbook/contract/errors';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatShortDate, formatTimeRange } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useToday } from '../accounts/api.ts';
import { sessionsByDateQuery } from './api.ts';
import classes from './Overlaps.module.css';

interface TimeSlot {
  date: string;
  startTime: string;
  endTime: string;
}

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
      withTitle: other.title,
      withStartTime: other.startTime,
      withEndTime: other.endTime,
    }));
}

/** The overlaps reported by the server, if any. */
export const overlapsOf = (error: Error | null): Overlap[] =>
  error instanceof ApiError ? (error.overlaps ?? []) : [];

/** Overlaps are allowed, but shown before submitting. */
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

interface Props {
  /** Null closes the modal. */
  overlaps: readonly Overlap[] | null;
  confirmLabel?: string;
  onClose: () => void;
  onAccept: () => void;
}

/** Asks for confirmation, so that overlaps are allowed but never accidental. */
export function OverlapModal({ overlaps, confirmLabel = 'Save anyway', onClose, onAccept }: Props) {
  const lastOverlaps = useLastValue(overlaps);
  return (
    <ResponsiveModal title="This overlaps" opened={overlaps !== null} onClose={onClose}>
      <p className={classes.text}>
        {lastOverlaps?.length === 1 ? 'Another lesson is' : 'Other lessons are'} at the same time:
      </p>
      <OverlapList overlaps={lastOverlaps ?? []} />
      <ModalActions
        cancelLabel="Go back"
        onCancel={onClose}
        confirmLabel={confirmLabel}
        busyLabel="Saving..."
        isBusy={false}
        onConfirm={onAccept}
      />
    </ResponsiveModal>
  );
}
