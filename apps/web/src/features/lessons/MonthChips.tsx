import type { SessionRow } from '@lessonbook/contract/sessions';
import { toneStyle } from '../../components/ToneSquare.tsx';
import { clock, firstName } from '../../lib/format.ts';
import classes from './MonthGrid.module.css';
import type { ToneOf } from './tones.ts';

/** So many fit into a cell; one line less when there are more, for the line that says so. */
const MOST = 3;

/** A moved lesson stands on its new day alone; a cancelled one stays, struck through. */
export function MonthChips({
  sessions,
  toneOf,
}: {
  sessions: readonly SessionRow[];
  toneOf: ToneOf;
}) {
  const all = sessions.filter(({ status }) => status !== 'rescheduled');
  const shown = all.slice(0, all.length > MOST ? MOST - 1 : MOST);
  return (
    <span className={classes.chips} aria-hidden="true">
      {shown.map((session) => (
        <span
          key={session.id}
          className={classes.chip}
          style={toneStyle(toneOf(session))}
          data-cancelled={session.status === 'cancelled' || undefined}
        >
          <span>{clock(session.startTime)}</span> {firstName(session.title)}
        </span>
      ))}
      {all.length > shown.length && (
        <span className={classes.more}>{all.length - shown.length} more</span>
      )}
    </span>
  );
}
