import { durationMinutes } from '@lessonbook/contract/dates';
import type { StudentOverview } from '@lessonbook/contract/student-overview-and-timeline';
import { Link } from '@tanstack/react-router';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { formatAmount, formatDuration, formatShortDate, pluralize } from '../../lib/format.ts';
import { formatBalances } from '../payments/shared/Balances.tsx';
import classes from './StudentOverviewSections.module.css';
import { formatDebts } from './student-format.ts';

interface Props {
  overview: StudentOverview;
  today: string;
}

/** What is owed for this student, and the balance of the family beside it. */
export function StudentMoneySummary({ overview, today }: Props) {
  const { debts, family, lastPayment } = overview;
  const debt = formatDebts(debts);
  return (
    <section className={classes.money} aria-label="Money">
      <p className={classes.figure} data-overdue={debt.isOverdue || undefined}>
        {debt.text}
      </p>
      <p className={classes.due}>{formatDue(overview, today)}</p>
      <DescriptionList
        items={[
          { name: 'Price', value: formatPrice(overview) },
          {
            name: 'Last payment',
            value:
              lastPayment &&
              `${formatAmount(lastPayment.amount, lastPayment.currency)}, ${formatShortDate(lastPayment.date, today)}`,
          },
          {
            name: 'Family',
            value: family && (
              <span className={classes.family}>
                <Link to="/families/$id" params={{ id: String(family.id) }}>
                  {family.name}
                </Link>
                <small>
                  {formatBalances({ balances: family.balances, zeroLabel: 'Nothing due' })}
                </small>
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}

/** 'Due Mon 30 Nov, except £30 not invoiced yet', or the total amount if only part of it is overdue. */
function formatDue({ debts }: StudentOverview, today: string): string {
  return debts
    .map(({ owed, overdue, currency, dueOn, withoutDueDate }) => {
      if (dueOn === null) return 'Not invoiced yet.';
      if (overdue === 0) {
        const uninvoiced = formatAmount(withoutDueDate, currency);
        const except = withoutDueDate > 0 ? `, except ${uninvoiced} not invoiced yet` : '';
        return `Due ${formatShortDate(dueOn, today)}${except}.`;
      }
      const rest = owed > overdue ? ` ${formatAmount(owed, currency)} in total.` : '';
      return `Since ${formatShortDate(dueOn, today)}.${rest}`;
    })
    .join(' ');
}

/** '£38 a lesson', or '£30 for 45 mins' at the student's own rate, which may be hourly. */
export function formatPrice({ nextSession, student }: StudentOverview): string | null {
  const seat = nextSession?.students.find(({ studentId }) => studentId === student.id);
  if (!nextSession || !seat) return null;
  if (seat.fee === null) return 'Free';
  const price = formatAmount(seat.fee, nextSession.currency);
  if (seat.feeSource !== 'rate') return `${price} a lesson`;
  const minutes = durationMinutes(nextSession.startTime, nextSession.endTime);
  return `${price} for ${formatDuration(minutes)}`;
}

/** Three figures under the name on phones: owed, price, lessons taught. */
export function StudentFigures({ overview }: { overview: StudentOverview }) {
  const debt = formatDebts(overview.debts);
  return (
    <dl className={classes.figures}>
      <div>
        <dt>Balance</dt>
        <dd data-overdue={debt.isOverdue || undefined}>{debt.text}</dd>
      </div>
      <div>
        <dt>Price</dt>
        <dd>{formatPrice(overview) ?? '–'}</dd>
      </div>
      <div>
        <dt>Completed</dt>
        <dd>{pluralize(overview.completedLessons, 'lesson')}</dd>
      </div>
    </dl>
  );
}
