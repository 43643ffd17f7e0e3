import type { SessionRow } from '@lessonbook/contract/sessions';
import type { UseQueryResult } from '@tanstack/react-query';
import { Checkbox } from '../../components/Checkbox.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { formatTime, pluralize, shortDate } from '../../lib/format.ts';
import classes from './AffectedSessions.module.css';

interface Props {
  /** Null while the dates are invalid. */
  affected: UseQueryResult<SessionRow[]> | null;
  /** Ids of the lessons that will still take place. */
  kept: ReadonlySet<number>;
  today: string;
  onKeep: (kept: ReadonlySet<number>) => void;
}

/** The lessons during the time off, preselected for cancellation, and the effect of cancelling them. */
export function AffectedSessions({ affected, kept, today, onKeep }: Props) {
  if (!affected) return null;
  if (affected.isError) {
    return (
      <LoadError onRetry={() => void affected.refetch()}>
        The lessons inside could not be loaded.
      </LoadError>
    );
  }
  const sessions = affected.data ?? [];
  const cancelled = sessions.filter(({ id }) => !kept.has(id)).length;

  function toggle(id: number, cancel: boolean) {
    const next = new Set(kept);
    if (cancel) next.delete(id);
    else next.add(id);
    onKeep(next);
  }

  return (
    <div className={classes.box}>
      <p role="status">{formatImpact(sessions.length, cancelled, affected.isPending)}</p>
      {sessions.length > 0 && (
        <ul>
          {sessions.map((session) => (
            <li key={session.id}>
              <label className={classes.row}>
                <Checkbox
                  checked={!kept.has(session.id)}
                  onChange={(cancel) => toggle(session.id, cancel)}
                />
                <span className={classes.when}>
                  {shortDate(session.date, today)}, {formatTime(session.startTime)}
                </span>
                <span className={classes.title}>{session.title}</span>
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
  if (affected === 0) return 'No lessons in this time. New repeating lessons will skip it.';
  const kept = affected - cancelled;
  const rest = kept > 0 ? ` ${pluralize(kept, 'lesson')} ${kept === 1 ? 'stays' : 'stay'}.` : '';
  if (cancelled === 0) return `No lesson is cancelled.${rest}`;
  const verb = cancelled === 1 ? 'is' : 'are';
  return `${pluralize(cancelled, 'lesson')} ${verb} cancelled by you, free of charge.${rest}`;
}
