import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import classes from './Feed.module.css';

const QrCode = lazy(async () => ({
  default: (await import('../../components/QrCode.tsx')).QrCode,
}));

/** What calendar programs take for a wish to subscribe, and not for a file to read once. */
const toWebcalUrl = (url: string): string => url.replace(/^https?:/, 'webcal:');

export function ICalFeedUrl({ url }: { url: string }) {
  return (
    <div className={classes.feed}>
      <div className={classes.address}>
        <code>{url}</code>
        <CopyButton text={url} of="address of your calendar" />
      </div>
      <div className={classes.ways}>
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
      {/* On a phone there is nothing to scan it with. */}
      <figure className={classes.scan}>
        <Suspense fallback={<div className={classes.place} />}>
          <QrCode text={toWebcalUrl(url)} label="QR code of the address" />
        </Suspense>
        <figcaption>Scan it with a phone to subscribe there.</figcaption>
      </figure>
    </div>
  );
}
