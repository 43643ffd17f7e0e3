import type { CalendarStatus } from '@lessonbook/contract/calendar';
import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import type { Wall } from '../../lib/moments.ts';
import classes from './Calendar.module.css';
import { passes, problemInWords, syncInWords } from './calendar-words.ts';

/** How far the calendar is in step with the book, and what is in the way. */
export function SyncState({ status, wall }: { status: CalendarStatus; wall: Wall }) {
  const { connected, problem, filling, lessons, waiting } = status;
  const Icon = problem && passes(problem) ? IconClock : IconAlertTriangle;
  return (
    <>
      {problem && (
        <p className={classes.problem} data-passes={passes(problem) || undefined} role="status">
          <Icon size={20} stroke={1.8} />
          {problemInWords(problem, status, wall)}
        </p>
      )}
      {connected && <p className={classes.hint}>{syncInWords(status, wall)}</p>}
      {connected && filling && lessons > 0 && <Progress done={lessons - waiting} of={lessons} />}
    </>
  );
}

function Progress({ done, of }: { done: number; of: number }) {
  return (
    <div
      className={classes.progress}
      role="progressbar"
      aria-label="Lessons in your calendar"
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={done}
    >
      <div style={{ width: `${(100 * done) / of}%` }} />
    </div>
  );
}
