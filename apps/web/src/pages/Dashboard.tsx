import type { Dashboard } from '@lessonbook/contract/dashboard';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCash, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { VerifyEmailBanner } from '../features/accounts/ResendVerificationEmail.tsx';
import { formatTrialNote, isTrialEnding } from '../features/accounts/trial-note.ts';
import { requestCreate } from '../features/command-palette/shared/open-create-dialog.ts';
import { dashboardQuery } from '../features/dashboard/dashboard-query.ts';
import { MessagesToSend } from '../features/dashboard/MessagesToSend.tsx';
import { TodaySummary } from '../features/dashboard/TodaySummary.tsx';
import { UnpaidFamilies } from '../features/dashboard/UnpaidFamilies.tsx';
import {
  IncompleteLessons,
  UpcomingLessons,
} from '../features/dashboard/UpcomingAndIncompleteLessons.tsx';
import { WeekTally } from '../features/dashboard/WeekTally.tsx';
import { useSessionColors } from '../features/lessons/use-session-colors.ts';
import { ReportedTransfers } from '../features/payments/ReportedTransfers.tsx';
import { firstName, formatWeekdayAndDate } from '../lib/format.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { useLastValue } from '../lib/use-last-value.ts';
import { useLocalFlag } from '../lib/use-local-flag.ts';
import classes from './Dashboard.module.css';

const Onboarding = lazy(async () => ({
  default: (await import('../features/dashboard/Onboarding.tsx')).Onboarding,
}));

const PaymentReminderModal = lazy(async () => ({
  default: (await import('../features/messages/SendInvoiceReceiptAndReminderForms.tsx'))
    .PaymentReminderModal,
}));

export function DashboardPage() {
  const tutor = useTutor();
  const home = useQuery(dashboardQuery);
  // The lists are long, so they render with low priority and do not block input.
  const lists = useDeferredValue(home.data);
  const hasFailed = home.isError && !home.data;
  const [remindedFamily, setRemindedFamily] = useState<number | null>(null);
  const lastRemindedFamily = useLastValue(remindedFamily);
  usePageTitle('Home');
  return (
    <>
      <header className={classes.head}>
        <div>
          <p className={classes.date}>{formatWeekdayAndDate(tutor.today)}</p>
          <h1>Good to see you, {firstName(tutor.name)}</h1>
          {!hasFailed && <TodaySummary home={home.data} />}
          {isTrialEnding(tutor.trialDaysLeft) && (
            <p className={classes.trial}>{formatTrialNote(tutor.trialDaysLeft)}</p>
          )}
        </div>
        <div className={classes.actions}>
          <Button
            variant="default"
            leftSection={<IconCash size={18} stroke={1.8} />}
            onClick={() => requestCreate('record-payment')}
          >
            Record payment
          </Button>
          <Button
            leftSection={<IconPlus size={18} stroke={1.8} />}
            onClick={() => requestCreate('new-lesson')}
          >
            New Lesson
          </Button>
        </div>
      </header>
      <VerifyEmailBanner />
      {hasFailed ? (
        <Card>
          <LoadError onRetry={() => void home.refetch()}>
            We couldn't load your home page.
          </LoadError>
        </Card>
      ) : (
        <>
          {home.data && <OnboardingSection />}
          <DashboardLists home={lists} onRemind={setRemindedFamily} />
        </>
      )}
      <LazyMount opened={remindedFamily !== null}>
        {lastRemindedFamily !== null && (
          <PaymentReminderModal
            key={lastRemindedFamily}
            familyId={lastRemindedFamily}
            opened={remindedFamily !== null}
            onClose={() => setRemindedFamily(null)}
          />
        )}
      </LazyMount>
    </>
  );
}

/** Shown until the steps are done or hidden: an invoice without bank details cannot be paid. */
function OnboardingSection() {
  const tutor = useTutor();
  const [hidden, setHidden] = useLocalFlag(`lessonbook-first-steps-over-${tutor.id}`);
  if (hidden) return null;
  return (
    <Suspense fallback={null}>
      <div className={classes.guidance}>
        <Onboarding onFinish={() => setHidden(true)} />
      </div>
    </Suspense>
  );
}

interface DashboardListsProps {
  home: Dashboard | undefined;
  onRemind: (familyId: number) => void;
}

/** Two or three columns on wide screens. In one column, lists with work to do come first and empty ones last. */
function DashboardLists({ home, onRemind }: DashboardListsProps) {
  const { today } = useTutor();
  const colorOf = useSessionColors();
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const hasThreeColumns = useMediaQuery('(min-width: 100em)', false, {
    getInitialValueInEffect: false,
  });
  const listProps = { home, today, colorOf };

  const week = home ? <WeekTally week={home.week} /> : <div className={classes.placeholder} />;
  const upcoming = <UpcomingLessons {...listProps} />;
  const incomplete = <IncompleteLessons {...listProps} />;
  const unpaid = <UnpaidFamilies home={home} onRemind={onRemind} />;
  const messages = <MessagesToSend />;
  const claims = <ReportedTransfers transfers={home?.transferClaims ?? []} today={today} />;
  if (isWide) {
    return (
      <div className={classes.lists} data-three-columns={hasThreeColumns || undefined}>
        <div className={classes.stack}>
          {week}
          {upcoming}
        </div>
        <div className={classes.stack}>
          {claims}
          {messages}
          {incomplete}
          {!hasThreeColumns && unpaid}
        </div>
        {hasThreeColumns && <div className={classes.stack}>{unpaid}</div>}
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
      {messages}
      {!nothingToComplete && incomplete}
      {!nothingOwed && unpaid}
      {upcoming}
      {nothingToComplete && incomplete}
      {nothingOwed && unpaid}
    </div>
  );
}
