import { EmptyState } from '../components/EmptyState.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { FreeDay, Spot } from '../components/Spot.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { trialNote } from '../features/accounts/trial.ts';
import { VerifyEmailBanner } from '../features/accounts/VerifyEmailBanner.tsx';
import { firstName, longDate } from '../lib/format.ts';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './Dashboard.module.css';

export function DashboardPage() {
  const tutor = useTutor();
  usePageTitle('Home');
  return (
    <>
      <header className={classes.head}>
        <p className={classes.date}>{longDate(tutor.today)}</p>
        <h1>Good to see you, {firstName(tutor.name)}</h1>
        <p className={classes.trial}>{trialNote(tutor.trialDaysLeft)}</p>
      </header>
      <VerifyEmailBanner />
      <div className={classes.lists}>
        <Sheet heading="Upcoming Lessons">
          <EmptyState drawing={<FreeDay />}>No lessons in the book yet.</EmptyState>
        </Sheet>
        <Sheet heading="Incomplete Lessons">
          <EmptyState drawing={<Spot name="register" size={88} />}>
            Nothing to tick off: every lesson is dealt with.
          </EmptyState>
        </Sheet>
        <Sheet heading="Unpaid Past Lessons">
          <EmptyState drawing={<Spot name="pay" size={88} />}>Nobody owes you anything.</EmptyState>
        </Sheet>
      </div>
    </>
  );
}
