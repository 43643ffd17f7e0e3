import type { Dashboard } from '@lessonbook/contract/reports';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../components/LoadError.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { isTrialEnding, trialNote } from '../features/accounts/trial.ts';
import { VerifyEmailBanner } from '../features/accounts/VerifyEmailBanner.tsx';
import { useTones } from '../features/lessons/tones.ts';
import { Claims } from '../features/payments/Claims.tsx';
import { dashboardQuery } from '../features/reports/api.ts';
import { HomeLead } from '../features/reports/HomeLead.tsx';
import {
  IncompleteLessons,
  UnpaidLessons,
  UpcomingLessons,
} from '../features/reports/HomeLists.tsx';
import { TallyBoard } from '../features/reports/TallyBoard.tsx';
import { firstName, longDate } from '../lib/format.ts';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './Dashboard.module.css';

export function DashboardPage() {
  const tutor = useTutor();
  const home = useQuery(dashboardQuery);
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
        <Lists home={home.data} />
      )}
    </>
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
  const nothingToTick = home?.incomplete.length === 0;
  const nothingOwed = home?.unpaid.length === 0;
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
