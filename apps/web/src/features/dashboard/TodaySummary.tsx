import type { Dashboard } from '@lessonbook/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './TodaySummary.module.css';

/** One sentence with today's totals, each linked to the items it counts. */
export function TodaySummary({ home }: { home: Dashboard | undefined }) {
  if (!home) return <SummaryPlaceholder />;
  const { todayCount, incompleteCount, unpaidCount } = home;
  if (todayCount + incompleteCount + unpaidCount === 0)
    return <p className={classes.lead}>No lessons today, and nothing is due.</p>;
  return (
    <p className={classes.lead}>
      <Link to="/schedule">
        <Figure>{todayCount}</Figure> {todayCount === 1 ? 'lesson' : 'lessons'} today
      </Link>
      ,{' '}
      <LessonCompletionLink home={home}>
        <Figure>{incompleteCount}</Figure> to complete
      </LessonCompletionLink>
      ,{' '}
      <a href="#unpaid">
        <Figure>{unpaidCount}</Figure>{' '}
        {unpaidCount === 1 ? 'family with a payment due' : 'families with payments due'}
      </a>
    </p>
  );
}

/** Similar hidden text that reserves the height of the summary. */
const SummaryPlaceholder = () => (
  <p className={classes.lead} data-placeholder aria-hidden="true">
    <b>0</b> lessons today, <b>0</b> to complete, <b>0</b> families with payments due
  </p>
);

/** Plain text if no session is due, because the page's path needs a lesson. */
export function LessonCompletionLink({ home, children }: { home: Dashboard; children: ReactNode }) {
  const [first] = home.incomplete;
  if (!first) return <span>{children}</span>;
  return (
    <Link to="/lessons/$lessonId/complete" params={{ lessonId: String(first.lessonId) }}>
      {children}
    </Link>
  );
}

const Figure = ({ children }: { children: number }) => <b>{children}</b>;
