import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { UseQueryResult } from '@tanstack/react-query';
import { Checkbox } from '../../components/Checkbox.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { formatShortDate, formatTime, pluralize } from '../../lib/format.ts';
import classes from './SessionsDuringTimeOff.module.css';

interface Props {
  /** Null while the dates are invalid. */
  affectedSessions: UseQueryResult<SessionRow[]> | null;
  /** Ids of the lessons that will still go ahead. */
  keptIds: ReadonlySet<number>;
  today: string;
  onKeptIdsChange: (kept: ReadonlySet<number>) => void;
}

/** The lessons during the time off, preselected for cancellation, and the effect of cancelling them. */
export function SessionsDuringTimeOff({
  affectedSessions,
  keptIds,
  today,
  onKeptIdsChange,
}: Props) {
  if (!affectedSessions) return null;
  if (affectedSessions.isError) {
    return (
      <LoadError onRetry={() => void affectedSessions.refetch()}>
        We couldn't load the lessons during this time off.
      </LoadError>
    );
  }
  const sessions = affectedSessions.data ?? [];
  const cancelled = sessions.filter(({ id }) => !keptIds.has(id)).length;

  function toggle(id: number, cancel: boolean) {
    const next = new Set(keptIds);
    if (cancel) next.delete(id);
    else next.add(id);
    onKeptIdsChange(next);
  }

  return (
    <div className={classes.box}>
      <p role="status">{formatImpact(sessions.length, cancelled, affectedSessions.isPending)}</p>
      {sessions.length > 0 && (
        <ul>
          {sessions.map((session) => (
            <li key={session.id}>
              <label className={classes.row}>
                <Checkbox
                  checked={!keptIds.has(session.id)}
                  onChange={(cancel) => toggle(session.id, cancel)}
                />
                <span className={classes.date}>
                  {formatShortDate(session.date, today)}, {formatTime(session.startTime)}
                </span>
                <span className={classes.title}>{lessonLabel(session)}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function formatImpact(affected: number, cancelled: number, isLoading: boolean): string {
  if (isLoading) return 'Counting...';
  if (affected === 0)
    return 'There are no lessons during this time. New repeating lessons will skip it.';
  const kept = affected - cancelled;
  const rest = kept > 0 ? ` ${pluralize(kept, 'lesson')} will still go ahead.` : '';
  if (cancelled === 0) return `No lessons will be cancelled.${rest}`;
  return `${pluralize(cancelled, 'lesson')} will be cancelled free of charge.${rest}`;
}
