import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { feedQuery } from './api.ts';
import classes from './Calendar.module.css';
import { FeedAddress } from './FeedAddress.tsx';
import { ReplaceFeed } from './ReplaceFeed.tsx';

/** For calendars that read an address. It is a secret, so it is fetched and shown only when it is asked for. */
export function Feed() {
  const [shown, setShown] = useState(false);
  return (
    <section className={classes.part} aria-label="Any other calendar">
      <div className={classes.head}>
        <h3>Any other calendar</h3>
      </div>
      <p className={classes.hint}>
        Apple, Outlook, Google and others can subscribe to your lessons by URL. They look for
        changes every few hours, and can change nothing here.
      </p>
      {shown && <Shown />}
      <div className={classes.actions}>
        <Button
          variant={shown ? 'default' : 'light'}
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide address' : 'Show address'}
        </Button>
        {shown && <ReplaceFeed />}
      </div>
    </section>
  );
}

function Shown() {
  const feed = useQuery(feedQuery);
  if (feed.data) return <FeedAddress url={feed.data.url} />;
  if (feed.isPending) return <RowSkeleton rows={2} />;
  return (
    <LoadError onRetry={() => void feed.refetch()}>The address could not be loaded.</LoadError>
  );
}
