import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ConfirmModal } from '../../components/ResponsiveModal.tsx';
import { icalFeedQuery, useReplaceIcalFeed } from './api.ts';
import classes from './Calendar.module.css';
import { ICalFeedUrl } from './FeedAddress.tsx';

function ReplaceFeedButton() {
  const [opened, setOpened] = useState(false);
  const replace = useReplaceIcalFeed();
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened(true)}>
        Replace address
      </Button>
      <ConfirmModal
        title="Replace the address?"
        opened={opened}
        onClose={close}
        confirm="Replace"
        busy="Replacing..."
        isBusy={replace.isPending}
        onConfirm={() => replace.mutate(undefined, { onSuccess: close })}
      >
        Calendars that subscribed to the old address stop updating at once. You can subscribe them
        again to the new one.
      </ConfirmModal>
    </>
  );
}

/** For calendars that read an address. It is a secret, so it is fetched and shown only when it is asked for. */
export function ICalFeed() {
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
      {shown && <LoadedFeedUrl />}
      <div className={classes.actions}>
        <Button
          variant={shown ? 'default' : 'light'}
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide address' : 'Show address'}
        </Button>
        {shown && <ReplaceFeedButton />}
      </div>
    </section>
  );
}

function LoadedFeedUrl() {
  const feed = useQuery(icalFeedQuery);
  if (feed.data) return <ICalFeedUrl url={feed.data.url} />;
  if (feed.isPending) return <RowSkeleton rows={2} />;
  return (
    <LoadError onRetry={() => void feed.refetch()}>The address could not be loaded.</LoadError>
  );
}
