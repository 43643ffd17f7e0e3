import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { shortDate, timeRange } from '../../lib/format.ts';
import { proposalsQuery } from './api.ts';
import classes from './Calendar.module.css';
import { changeInWords, changesInWords } from './calendar-words.ts';

const SHOWN = 3;

/** What was changed in Google and is not answered yet. Each is answered beside its lesson. */
export function OpenProposals({ today }: { today: string }) {
  const { data: proposals = [] } = useQuery(proposalsQuery);
  const rest = proposals.length - SHOWN;
  if (proposals.length === 0) return null;
  return (
    <div className={classes.changes}>
      <p>{changesInWords(proposals.length)}</p>
      <ul>
        {proposals.slice(0, SHOWN).map((each) => (
          <li key={each.id}>
            <Link to="/sessions/$id" params={{ id: String(each.sessionId) }}>
              <span>
                {each.studentName}, {shortDate(each.date, today)},{' '}
                {timeRange(each.startTime, each.endTime)}
              </span>{' '}
              <small>{changeInWords(each, today)}</small>
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && <Link to="/notifications">and {rest} more in your notifications</Link>}
    </div>
  );
}
