import { lessonLabel, lessonName, lessonSubtitle } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { formatTimeRange } from '../../lib/format.ts';
import { PaymentStatus } from './SessionPayment.tsx';
import classes from './SessionTable.module.css';
import { SessionStatusBadge } from './shared/SessionStatus.tsx';

const columns = ['Time', 'Student', 'Lesson', 'Status', 'Payment', 'Actions'] as const;

/** On phones each row becomes a block; screen readers still get the column headers. */
export function SessionTable({ sessions }: { sessions: readonly SessionRow[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id} data-status={session.status}>
            <td className={classes.time}>{formatTimeRange(session.startTime, session.endTime)}</td>
            <td className={classes.student}>{lessonName(session)}</td>
            <td className={classes.lesson}>{lessonSubtitle(session)}</td>
            <td className={classes.status}>
              <SessionStatusBadge status={session.status} />
            </td>
            <td className={classes.payment}>
              <PaymentStatus session={session} />
            </td>
            <td className={classes.action}>
              <ButtonLink
                to="/sessions/$id"
                params={{ id: String(session.id) }}
                variant="light"
                size="sm"
                aria-label={`View, ${lessonLabel(session)}`}
              >
                View
              </ButtonLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
