import type { CalendarFeed } from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { ConfirmModal } from '../../components/ResponsiveModal.tsx';
import { useReplaceIcalFeed, useShowIcalFeed } from './api.ts';
import classes from './Calendar.module.css';

const QrCode = lazy(async () => ({
  default: (await import('../../components/QrCode.tsx')).QrCode,
}));

/** With a webcal: URL, calendar apps subscribe instead of importing once. */
const toWebcalUrl = (url: string): string => url.replace(/^https?:/, 'webcal:');

function ICalFeedUrl({ url }: { url: string }) {
  return (
    <div className={classes.feed}>
      <div className={classes.feedUrl}>
        <code>{url}</code>
        <CopyButton text={url} itemName="address of your calendar" />
      </div>
      <div className={classes.feedActions}>
        <Button component="a" variant="light" href={toWebcalUrl(url)}>
          Open in my calendar
        </Button>
      </div>
      <p className={classes.hint}>
        Or paste it: in Google under Other calendars, From URL; in Outlook under Add calendar,
        Subscribe from web; in Apple Calendar under File, New Calendar Subscription.
      </p>
      <p className={classes.hint}>
        Whoever has this address can read your schedule. If it got into the wrong hands, replace it.
      </p>
      {/* Hidden on phones, which cannot scan their own screens. */}
      <figure className={classes.qrCode}>
        <Suspense fallback={<div className={classes.qrPlaceholder} />}>
          <QrCode text={toWebcalUrl(url)} label="QR code of the address" />
        </Suspense>
        <figcaption>Scan it with a phone to subscribe there.</figcaption>
      </figure>
    </div>
  );
}

function ReplaceFeedButton({ onReplaced }: { onReplaced: (feed: CalendarFeed) => void }) {
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
        confirmLabel="Replace"
        busyLabel="Replacing..."
        isBusy={replace.isPending}
        onConfirm={() =>
          replace.mutate(undefined, {
            onSuccess: (feed) => {
              close();
              onReplaced(feed);
            },
          })
        }
      >
        Calendars that subscribed to the old address stop updating at once. You can subscribe them
        again to the new one.
      </ConfirmModal>
    </>
  );
}

/** For calendars that subscribe to a URL. The URL is a secret, so it is fetched only when the tutor asks for it. */
export function ICalFeed() {
  const show = useShowIcalFeed();
  const [feed, setFeed] = useState<CalendarFeed | null>(null);
  return (
    <section className={classes.part} aria-label="Any other calendar">
      <div className={classes.head}>
        <h3>Any other calendar</h3>
      </div>
      <p className={classes.hint}>
        Apple, Outlook, Google and others can subscribe to your lessons by URL. They look for
        changes every few hours, and can change nothing here.
      </p>
      {feed && <ICalFeedUrl url={feed.url} />}
      <div className={classes.actions}>
        <Button
          variant={feed ? 'default' : 'light'}
          aria-expanded={feed !== null}
          disabled={show.isPending}
          onClick={() => (feed ? setFeed(null) : show.mutate(undefined, { onSuccess: setFeed }))}
        >
          {feed ? 'Hide address' : 'Show address'}
        </Button>
        {feed && <ReplaceFeedButton onReplaced={setFeed} />}
      </div>
    </section>
  );
}
