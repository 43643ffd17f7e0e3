import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { dateInZone, systemNow } from '@lessonbook/contract/time';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LogoMark } from '../components/Logo.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { meQuery } from '../features/accounts/current-user.ts';
import {
  OfflineBalances,
  OfflineSchedule,
} from '../features/offline/OfflineScheduleAndBalances.tsx';
import { formatShortDate } from '../lib/format.ts';
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
      This is your book as of{' '}
      <b>
        {day} {formatTimeAt(snapshot.asOf, dateContext)}
      </b>
      , to read only. It opens by itself as soon as Lessonbook answers.
    </p>
  );
}

function NoSnapshot() {
  return (
    <>
      <p>Your book is safe. It opens by itself as soon as Lessonbook answers.</p>
      <p className={classes.hint}>
        On a device of your own you can keep the next two weeks to read without a network: Settings,
        App Settings, ‘This is my own device’.
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
