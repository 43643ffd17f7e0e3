import type { CalendarFeed } from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useOneTimeParam } from '../../lib/use-one-time-param.ts';
import { useReplaceIcalFeed, useShowIcalFeed } from './api.ts';
import classes from './Calendar.module.css';
import { GoogleCalendar } from './GoogleCalendar.tsx';

const CONNECTED_MESSAGE =
  'Google Calendar connected successfully! Your lessons will now sync with your calendar.';

/** The URL can be forged, so the reason is truncated. Our own reasons are shorter. */
const MAX_REASON_LENGTH = 100;

/** Shows the result of the redirect from Google. The page fetches the current status anyway. */
function useCalendarCallback(): void {
  const result = useOneTimeParam('calendar', '/mobile-settings');
  const reason = useOneTimeParam('reason', '/mobile-settings');

  useEffect(() => {
    if (result === 'connected') toastSuccess('Connected', CONNECTED_MESSAGE);
    if (result === 'error') {
      toastError(`Error: ${formatReason(reason)}`, 'Google Calendar Connection Failed');
    }
  }, [result, reason]);
}

const formatReason = (reason: string | null): string =>
  reason?.replaceAll('_', ' ').trim().slice(0, MAX_REASON_LENGTH) || 'unknown error';

/** Google Calendar, and a feed URL for other calendars. */
export function CalendarIntegration({ dateContext }: { dateContext: DateContext }) {
  useCalendarCallback();
  return (
    <>
      <GoogleCalendar dateContext={dateContext} />
      <ICalFeed />
    </>
  );
}

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
        Or paste it into your calendar. Google: Other calendars → From URL. Outlook: Add calendar →
        Subscribe from web. Apple Calendar: File → New Calendar Subscription.
      </p>
      <p className={classes.hint}>
        Anyone with this address can read your schedule. If the wrong person gets it, replace it.
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
        Calendars that use the old address will stop updating straight away. You can subscribe them
        to the new one.
      </ConfirmModal>
    </>
  );
}

/** For calendars that subscribe to a URL. The URL is a secret, so it is fetched only when the tutor asks for it. */
function ICalFeed() {
  const show = useShowIcalFeed();
  const [feed, setFeed] = useState<CalendarFeed | null>(null);
  return (
    <section className={classes.part} aria-label="Any other calendar">
      <div className={classes.head}>
        <h3>Any other calendar</h3>
      </div>
      <p className={classes.hint}>
        Apple, Outlook, Google and other calendars can subscribe to your lessons with a web address.
        They check for changes every few hours, and can't change anything here.
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
