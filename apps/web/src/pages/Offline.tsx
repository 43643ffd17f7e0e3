import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { dateInZone, systemNow } from '@lessonbook/contract/time';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LogoMark } from '../components/Logo.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { meQuery } from '../features/accounts/current-user.ts';
import { OfflineBalances, OfflineSchedule } from '../features/offline/OfflineSnapshot.tsx';
import { shortDate } from '../lib/format.ts';
import { formatTimeAt, localDate } from '../lib/format-timestamp.ts';
import { offlineMessage, useOnline } from '../lib/network-status.ts';
import { readOfflineRecord } from '../lib/offline-store.ts';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './Offline.module.css';

/**
 * In place of every signed-in screen while nobody can be asked who is signed in. It asks again by itself, and gives way to
 * the screen of the address as soon as there is an answer.
 */
export function OfflinePage() {
  // Renders anew when the browser finds or loses its network, which changes the words.
  useOnline();
  const title = offlineMessage();
  usePageTitle(title);
  const snapshot = useOfflineSnapshot();
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <LogoMark size={30} />
        <span className={classes.sign}>Offline</span>
      </header>
      <main id="main" className={classes.main}>
        {snapshot === 'looking' ? (
          <Spinner />
        ) : (
          <>
            <div className={classes.lead} role="status">
              <h1>{title}</h1>
              {snapshot ? <AsOf book={snapshot} /> : <NothingSaved />}
            </div>
            <RetryButton />
            {snapshot && <SnapshotCards book={snapshot} />}
          </>
        )}
      </main>
    </div>
  );
}

function useOfflineSnapshot(): OfflineSnapshot | null | 'looking' {
  const [snapshot, setSnapshot] = useState<OfflineSnapshot | null | 'looking'>('looking');
  useEffect(() => {
    let here = true;
    readOfflineRecord().then(
      (found) => here && setSnapshot(found?.snapshot ?? null),
      () => here && setSnapshot(null),
    );
    return () => {
      here = false;
    };
  }, []);
  return snapshot;
}

const todayIn = (snapshot: OfflineSnapshot): string => dateInZone(snapshot.timeZone, systemNow());

function AsOf({ book: snapshot }: { book: OfflineSnapshot }) {
  const dateContext = { timeZone: snapshot.timeZone, today: todayIn(snapshot) };
  const day = shortDate(localDate(snapshot.asOf, dateContext), dateContext.today);
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

function NothingSaved() {
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
  const [asking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    await client.refetchQueries({ queryKey: meQuery.queryKey });
    setAsking(false);
  };
  return (
    <button type="button" className={classes.again} disabled={asking} onClick={() => void ask()}>
      {asking ? 'Trying...' : 'Try again'}
    </button>
  );
}

function SnapshotCards({ book: snapshot }: { book: OfflineSnapshot }) {
  return (
    <>
      <Card heading="Schedule">
        <OfflineSchedule book={snapshot} today={todayIn(snapshot)} />
      </Card>
      <Card heading="Balances">
        <OfflineBalances book={snapshot} />
      </Card>
    </>
  );
}
