import type { Dashboard } from '@lessonbook/contract/reports';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './Summary.module.css';

/** The day in one sentence. Each number leads to what it counts, and is true beyond what a list shows. */
export function Summary({ home }: { home: Dashboard | undefined }) {
  if (!home) return <SummaryPlaceholder />;
  const { todayCount, incompleteCount, unpaidCount } = home;
  return (
    <p className={classes.lead}>
      <Link to="/schedule">
        <Figure>{todayCount}</Figure> {todayCount === 1 ? 'lesson' : 'lessons'} today
      </Link>
      ,{' '}
      <CompleteLessonsLink home={home}>
        <Figure>{incompleteCount}</Figure> to tick off
      </CompleteLessonsLink>
      ,{' '}
      <a href="#unpaid">
        <Figure>{unpaidCount}</Figure> awaiting payment
      </a>
    </p>
  );
}

/** The same words unseen: as many lines as the sentence will have, so that what follows stays where it is. */
const SummaryPlaceholder = () => (
  <p className={classes.lead} data-to-come aria-hidden="true">
    <b>0</b> lessons today, <b>0</b> to tick off, <b>0</b> awaiting payment
  </p>
);

/** The catch-up page needs a lesson to begin with; with nothing to tick off there is none. */
export function CompleteLessonsLink({ home, children }: { home: Dashboard; children: ReactNode }) {
  const [first] = home.incomplete;
  if (!first) return <span>{children}</span>;
  return (
    <Link
      to="/lessons/$lessonId/complete"
      params={{ lessonId: String(first.lessonId) }}
      search={{ session: first.id }}
    >
      {children}
    </Link>
  );
}

const Figure = ({ children }: { children: number }) => <b>{children}</b>;
