import type { SessionRow } from '@lessonbook/contract/sessions';
import type { UseQueryResult } from '@tanstack/react-query';
import { LoadError } from '../../components/LoadError.tsx';
import { TickBox } from '../../components/TickBox.tsx';
import { clock, count, shortDate } from '../../lib/format.ts';
import classes from './SessionsInside.module.css';

interface Props {
  /** None while the dates make no sense yet. */
  inside: UseQueryResult<SessionRow[]> | null;
  /** Lessons that take place all the same. */
  kept: ReadonlySet<number>;
  today: string;
  onKeep: (kept: ReadonlySet<number>) => void;
}

/** The lessons that fall into the time off, ticked to be cancelled, and what that means. */
export function SessionsInside({ inside, kept, today, onKeep }: Props) {
  if (!inside) return null;
  if (inside.isError) {
    return (
      <LoadError onRetry={() => void inside.refetch()}>
        The lessons inside could not be loaded.
      </LoadError>
    );
  }
  const sessions = inside.data ?? [];
  const cancelled = sessions.filter(({ id }) => !kept.has(id)).length;

  function toggle(id: number, cancel: boolean) {
    const next = new Set(kept);
    if (cancel) next.delete(id);
    else next.add(id);
    onKeep(next);
  }

  return (
    <div className={classes.box}>
      <p role="status">{consequence(sessions.length, cancelled, inside.isPending)}</p>
      {sessions.length > 0 && (
        <ul>
          {sessions.map((session) => (
            <li key={session.id}>
              <label className={classes.row}>
                <TickBox
                  checked={!kept.has(session.id)}
                  onChange={(cancel) => toggle(session.id, cancel)}
                />
                <span className={classes.when}>
                  {shortDate(session.date, today)}, {clock(session.startTime)}
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

function consequence(inside: number, cancelled: number, counting: boolean): string {
  if (counting) return 'Counting...';
  if (inside === 0) return 'No lessons in this time. New repeating lessons will skip it.';
  const stay = inside - cancelled;
  const rest = stay > 0 ? ` ${count(stay, 'lesson')} ${stay === 1 ? 'stays' : 'stay'}.` : '';
  if (cancelled === 0) return `No lesson is cancelled.${rest}`;
  const verb = cancelled === 1 ? 'is' : 'are';
  return `${count(cancelled, 'lesson')} ${verb} cancelled by you, free of charge.${rest}`;
}
