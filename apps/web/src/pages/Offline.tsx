import type { OfflineBook } from '@lessonbook/contract/offline';
import { dateIn, rightNow } from '@lessonbook/contract/time';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Mark } from '../components/Logo.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { meQuery } from '../features/accounts/me.ts';
import { KeptBalances } from '../features/offline/KeptBalances.tsx';
import { KeptSchedule } from '../features/offline/KeptSchedule.tsx';
import { shortDate } from '../lib/format.ts';
import { readKeptBook } from '../lib/kept-book.ts';
import { clockAt, dateAt } from '../lib/moments.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { outOfReachWords, useOnline } from '../lib/reach.ts';
import classes from './Offline.module.css';

/**
 * In place of every signed-in screen while nobody can be asked who is signed in. It asks again by itself, and gives way to
 * the screen of the address as soon as there is an answer.
 */
export function OfflinePage() {
  // Renders anew when the browser finds or loses its network, which changes the words.
  useOnline();
  const title = outOfReachWords();
  usePageTitle(title);
  const book = useKept();
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <Mark size={30} />
        <span className={classes.sign}>Offline</span>
      </header>
      <main id="main" className={classes.main}>
        {book === 'looking' ? (
          <Spinner />
        ) : (
          <>
            <div className={classes.lead} role="status">
              <h1>{title}</h1>
              {book ? <AsOf book={book} /> : <NothingKept />}
            </div>
            <TryAgain />
            {book && <Book book={book} />}
          </>
        )}
      </main>
    </div>
  );
}

function useKept(): OfflineBook | null | 'looking' {
  const [kept, setKept] = useState<OfflineBook | null | 'looking'>('looking');
  useEffect(() => {
    let here = true;
    readKeptBook().then(
      (found) => here && setKept(found?.book ?? null),
      () => here && setKept(null),
    );
    return () => {
      here = false;
    };
  }, []);
  return kept;
}

const todayOn = (book: OfflineBook): string => dateIn(book.timeZone, rightNow());

function AsOf({ book }: { book: OfflineBook }) {
  const wall = { timeZone: book.timeZone, today: todayOn(book) };
  const day = shortDate(dateAt(book.asOf, wall), wall.today);
  return (
    <p>
      This is your book as of{' '}
      <b>
        {day} {clockAt(book.asOf, wall)}
      </b>
      , to read only. It opens by itself as soon as Lessonbook answers.
    </p>
  );
}

function NothingKept() {
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

function TryAgain() {
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

function Book({ book }: { book: OfflineBook }) {
  return (
    <>
      <Sheet heading="Schedule">
        <KeptSchedule book={book} today={todayOn(book)} />
      </Sheet>
      <Sheet heading="Balances">
        <KeptBalances book={book} />
      </Sheet>
    </>
  );
}
