import type { Dashboard } from '@lessonbook/contract/dashboard';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { VerifyEmailBanner } from '../features/accounts/EmailVerification.tsx';
import { formatTrialNote, isTrialEnding } from '../features/accounts/trial-note.ts';
import { dashboardQuery } from '../features/dashboard/dashboard-query.ts';
import {
  IncompleteLessons,
  UnpaidLessons,
  UpcomingLessons,
} from '../features/dashboard/LessonLists.tsx';
import { Summary } from '../features/dashboard/Summary.tsx';
import { WeekTally } from '../features/dashboard/WeekTally.tsx';
import { useSessionColors } from '../features/lessons/use-session-colors.ts';
import { ReportedTransfers } from '../features/payments/ReportedTransfers.tsx';
import { firstName, formatLongDate } from '../lib/format.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { useLocalFlag } from '../lib/use-local-flag.ts';
import classes from './Dashboard.module.css';

const Onboarding = lazy(async () => ({
  default: (await import('../features/dashboard/Onboarding.tsx')).Onboarding,
}));

export function DashboardPage() {
  const tutor = useTutor();
  const home = useQuery(dashboardQuery);
  // The lists are long, so they render with low priority and do not block input.
  const lists = useDeferredValue(home.data);
  const failed = home.isError && !home.data;
  usePageTitle('Home');
  return (
    <>
      <header className={classes.head}>
        <p className={classes.date}>{formatLongDate(tutor.today)}</p>
        <h1>Good to see you, {firstName(tutor.name)}</h1>
        {!failed && <Summary home={home.data} />}
        {isTrialEnding(tutor.trialDaysLeft) && (
          <p className={classes.trial}>{formatTrialNote(tutor.trialDaysLeft)}</p>
        )}
      </header>
      <VerifyEmailBanner />
      {failed ? (
        <Card>
          <LoadError onRetry={() => void home.refetch()}>Your day could not be loaded.</LoadError>
        </Card>
      ) : (
        <>
          {home.data && <OnboardingSection home={home.data} />}
          <DashboardLists home={lists} />
        </>
      )}
    </>
  );
}

/** A tutor who has taught this week or has unpaid lessons is not new, so the steps are not requested. */
function OnboardingSection({ home }: { home: Dashboard }) {
  const tutor = useTutor();
  const [hidden, setHidden] = useLocalFlag(`lessonbook-first-steps-over-${tutor.id}`);
  if (hidden || home.week.completed > 0 || home.unpaidCount > 0) return null;
  return (
    <Suspense fallback={null}>
      <div className={classes.guidance}>
        <Onboarding onDismiss={() => setHidden(true)} />
      </div>
    </Suspense>
  );
}

/** Two columns on wide screens. In one column, lists with work to do come first and empty ones last. */
function DashboardLists({ home }: { home: Dashboard | undefined }) {
  const { today } = useTutor();
  const colorOf = useSessionColors();
  const wide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const listProps = { home, today, colorOf };

  const week = home ? <WeekTally week={home.week} /> : <div className={classes.placeholder} />;
  const upcoming = <UpcomingLessons {...listProps} />;
  const incomplete = <IncompleteLessons {...listProps} />;
  const unpaid = <UnpaidLessons {...listProps} />;
  const claims = <ReportedTransfers transfers={home?.transferClaims ?? []} today={today} />;
  if (wide) {
    return (
      <div className={classes.lists}>
        <div className={classes.stack}>
          {week}
          {upcoming}
        </div>
        <div className={classes.stack}>
          {claims}
          {incomplete}
          {unpaid}
        </div>
      </div>
    );
  }
  // While the lists load, their heights are unknown.
  if (!home) {
    return (
      <div className={classes.stack}>
        {week}
        <Card>
          <RowSkeleton rows={8} />
        </Card>
      </div>
    );
  }
  const nothingToComplete = home.incomplete.length === 0;
  const nothingOwed = home.unpaid.length === 0;
  return (
    <div className={classes.stack}>
      {week}
      {claims}
      {!nothingToComplete && incomplete}
      {!nothingOwed && unpaid}
      {upcoming}
      {nothingToComplete && incomplete}
      {nothingOwed && unpaid}
    </div>
  );
}
