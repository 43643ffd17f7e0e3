import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { dateInZone, systemNow } from '@lessonbook/contract/time';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LogoMark } from '../components/Logo.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { meQuery } from '../features/accounts/current-user.ts';
import { LessonTime } from '../features/lessons/shared/LessonRow.tsx';
import { Balances } from '../features/payments/shared/Balances.tsx';
import { SubjectAvatar } from '../features/subjects/shared/SubjectAvatar.tsx';
import { formatList, formatShortDate, initials } from '../lib/format.ts';
import { formatTimeAt, toLocalDate } from '../lib/format-timestamp.ts';
import { offlineMessage, useOnline } from '../lib/network-status.ts';
import { readOfflineRecord } from '../lib/offline-store.ts';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './Offline.module.css';

/**
 * Replaces every signed-in page while the current user cannot be fetched. It retries automatically, and the requested
 * page replaces it as soon as there is a response.
 */
export function OfflinePage() {
  // Re-renders when the network status changes, because the message depends on it.
  useOnline();
  const title = offlineMessage();
  usePageTitle(title);
  const snapshot = useOfflineSnapshot();
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <LogoMark size={30} />
        <span className={classes.badge}>Offline</span>
      </header>
      <main id="main" className={classes.main}>
        {snapshot === 'loading' ? (
          <Spinner />
        ) : (
          <>
            <div className={classes.lead} role="status">
              <h1>{title}</h1>
              {snapshot ? <SnapshotAge snapshot={snapshot} /> : <NoSnapshot />}
            </div>
            <RetryButton />
            {snapshot && <SnapshotCards snapshot={snapshot} />}
          </>
        )}
      </main>
    </div>
  );
}

function useOfflineSnapshot(): OfflineSnapshot | null | 'loading' {
  const [snapshot, setSnapshot] = useState<OfflineSnapshot | null | 'loading'>('loading');
  useEffect(() => {
    let mounted = true;
    readOfflineRecord().then(
      (record) => mounted && setSnapshot(record?.snapshot ?? null),
      () => mounted && setSnapshot(null),
    );
    return () => {
      mounted = false;
    };
  }, []);
  return snapshot;
}

const todayFor = (snapshot: OfflineSnapshot): string => dateInZone(snapshot.timeZone, systemNow());

function SnapshotAge({ snapshot }: { snapshot: OfflineSnapshot }) {
  const dateContext = { timeZone: snapshot.timeZone, today: todayFor(snapshot) };
  const day = formatShortDate(toLocalDate(snapshot.asOf, dateContext), dateContext.today);
  return (
    <p>
      This is your schedule as of{' '}
      <b>
        {day} {formatTimeAt(snapshot.asOf, dateContext)}
      </b>
      , read only. Lessonbook opens automatically once you're back online.
    </p>
  );
}

function NoSnapshot() {
  return (
    <>
      <p>Your records are safe. Lessonbook opens automatically once you're back online.</p>
      <p className={classes.hint}>
        On your own device, you can save the next two weeks to read offline: Settings, App Settings,
        “This is my own device”.
      </p>
    </>
  );
}

function RetryButton() {
  const client = useQueryClient();
  const [isRetrying, setIsRetrying] = useState(false);
  const retry = async () => {
    setIsRetrying(true);
    await client.refetchQueries({ queryKey: meQuery.queryKey });
    setIsRetrying(false);
  };
  return (
    <button
      type="button"
      className={classes.again}
      disabled={isRetrying}
      onClick={() => void retry()}
    >
      {isRetrying ? 'Trying...' : 'Try again'}
    </button>
  );
}

function SnapshotCards({ snapshot }: { snapshot: OfflineSnapshot }) {
  return (
    <>
      <Card heading="Schedule">
        <OfflineSchedule snapshot={snapshot} today={todayFor(snapshot)} />
      </Card>
      <Card heading="Balances">
        <OfflineBalances snapshot={snapshot} />
      </Card>
    </>
  );
}

/** The snapshot contains only accounts with a balance other than zero. */
function OfflineBalances({ snapshot }: { snapshot: OfflineSnapshot }) {
  if (snapshot.balances.length === 0)
    return <p className={classes.empty}>No one owes you anything or is in credit.</p>;
  return (
    <ul className={classes.list}>
      {snapshot.balances.map(({ firstNames, amounts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: first names repeat, and the list never changes
        <li key={index} className={classes.account}>
          <b>{formatList(firstNames)}</b>
          <span className={classes.amounts}>
            <Balances balances={amounts} zeroLabel="" />
          </span>
        </li>
      ))}
    </ul>
  );
}

type OfflineSession = OfflineSnapshot['sessions'][number];

const statusLabels = {
  completed: 'Completed',
  cancelled: 'Cancelled',
  rescheduled: 'Moved',
  scheduled: '',
};

/** Days with lessons, starting from today. */
function OfflineSchedule({ snapshot, today }: { snapshot: OfflineSnapshot; today: string }) {
  const upcoming = snapshot.sessions.filter(({ date }) => date >= today);
  const days = Map.groupBy(upcoming, ({ date }) => date);
  if (days.size === 0)
    return <p className={classes.empty}>No lessons up to {formatShortDate(snapshot.to, today)}.</p>;
  return [...days].map(([date, lessons]) => (
    <section key={date} className={classes.day} aria-labelledby={`day-${date}`}>
      <h3 id={`day-${date}`}>
        {date === today && 'Today, '}
        {formatShortDate(date, today)}
      </h3>
      <ul className={classes.list}>
        {lessons.map((lesson) => (
          <Row key={`${lesson.startTime} ${lesson.endTime} ${lesson.firstName}`} lesson={lesson} />
        ))}
      </ul>
    </section>
  ));
}

function Row({ lesson }: { lesson: OfflineSession }) {
  const state = statusLabels[lesson.status];
  return (
    <li className={classes.row} data-status={lesson.status}>
      <LessonTime start={lesson.startTime} end={lesson.endTime} />
      <SubjectAvatar initials={initials(lesson.firstName)} color={lesson.color} />
      <p className={classes.name}>
        <b>{lesson.firstName}</b> <small>{lesson.subject}</small>
      </p>
      {state && <span className={classes.state}>{state}</span>}
    </li>
  );
}
