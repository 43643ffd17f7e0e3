import type { Dashboard } from '@lessonbook/contract/reports';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { LoadError } from '../components/LoadError.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { isTrialEnding, trialNote } from '../features/accounts/trial.ts';
import { VerifyEmailBanner } from '../features/accounts/VerifyEmailBanner.tsx';
import { useTones } from '../features/lessons/tones.ts';
import { Claims } from '../features/payments/Claims.tsx';
import { dashboardQuery } from '../features/reports/dashboard-query.ts';
import { HomeLead } from '../features/reports/HomeLead.tsx';
import {
  IncompleteLessons,
  UnpaidLessons,
  UpcomingLessons,
} from '../features/reports/HomeLists.tsx';
import { TallyBoard } from '../features/reports/TallyBoard.tsx';
import { firstName, longDate } from '../lib/format.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { useRemembered } from '../lib/remembered.ts';
import classes from './Dashboard.module.css';

const FirstSteps = lazy(async () => ({
  default: (await import('../features/reports/FirstSteps.tsx')).FirstSteps,
}));

export function DashboardPage() {
  const tutor = useTutor();
  const home = useQuery(dashboardQuery);
  // The lists are long: drawn piece by piece they never hold up a finger.
  const lists = useDeferredValue(home.data);
  const failed = home.isError && !home.data;
  usePageTitle('Home');
  return (
    <>
      <header className={classes.head}>
        <p className={classes.date}>{longDate(tutor.today)}</p>
        <h1>Good to see you, {firstName(tutor.name)}</h1>
        {!failed && <HomeLead home={home.data} />}
        {isTrialEnding(tutor.trialDaysLeft) && (
          <p className={classes.trial}>{trialNote(tutor.trialDaysLeft)}</p>
        )}
      </header>
      <VerifyEmailBanner />
      {failed ? (
        <Sheet>
          <LoadError onRetry={() => void home.refetch()}>Your day could not be loaded.</LoadError>
        </Sheet>
      ) : (
        <>
          {home.data && <Guidance home={home.data} />}
          <Lists home={lists} />
        </>
      )}
    </>
  );
}

/** Whoever has taught this week or waits for money is not new, and is not even asked about. */
function Guidance({ home }: { home: Dashboard }) {
  const tutor = useTutor();
  const [over, setOver] = useRemembered(`lessonbook-first-steps-over-${tutor.id}`);
  if (over || home.week.taught > 0 || home.unpaidCount > 0) return null;
  return (
    <Suspense fallback={null}>
      <div className={classes.guidance}>
        <FirstSteps onOver={() => setOver(true)} />
      </div>
    </Suspense>
  );
}

/** Two stacks where there is room. In one column what waits for the tutor comes first, unless there is nothing. */
function Lists({ home }: { home: Dashboard | undefined }) {
  const { today } = useTutor();
  const toneOf = useTones();
  const wide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const list = { home, today, toneOf };

  const week = home ? <TallyBoard week={home.week} /> : <div className={classes.wait} />;
  const upcoming = <UpcomingLessons {...list} />;
  const incomplete = <IncompleteLessons {...list} />;
  const unpaid = <UnpaidLessons {...list} />;
  const claims = <Claims claims={home?.claims ?? []} today={today} />;
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
  // How long the lists are, and so where each begins, is not known yet.
  if (!home) {
    return (
      <div className={classes.stack}>
        {week}
        <Sheet>
          <RowSkeleton rows={8} />
        </Sheet>
      </div>
    );
  }
  const nothingToTick = home.incomplete.length === 0;
  const nothingOwed = home.unpaid.length === 0;
  return (
    <div className={classes.stack}>
      {week}
      {claims}
      {!nothingToTick && incomplete}
      {!nothingOwed && unpaid}
      {upcoming}
      {nothingToTick && incomplete}
      {nothingOwed && unpaid}
    </div>
  );
}
