import { formatTime12 } from '@lessonbook/contract/format-time';
import type { PortalBrowser } from '@lessonbook/contract/portal';
import { dateInZone, systemNow } from '@lessonbook/contract/time';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { formatRelativeDate, formatShortDate } from '../../lib/format.ts';
import { formatTimeAt } from '../../lib/format-timestamp.ts';
import detailsClasses from './ContactDetailsContent.module.css';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';
import classes from './SignedInBrowsers.module.css';
import { portalBrowsersQuery, useSignOutBrowser } from './signed-in-contact-api.ts';

export function SignedInBrowsers() {
  const { data, error, refetch } = useQuery(portalBrowsersQuery);
  if (error && !data) return <PortalError error={error} onRetry={() => void refetch()} />;
  if (!data) return <PortalLoading />;
  return (
    <ul className={detailsClasses.card}>
      {data.map((browser) => (
        <BrowserRow key={browser.id} browser={browser} />
      ))}
    </ul>
  );
}

function BrowserRow({
  browser: { id, device, isCurrent, firstSeenAt, lastSeenAt },
}: {
  browser: PortalBrowser;
}) {
  const signOut = useSignOutBrowser();
  return (
    <li>
      <p>
        <b>{device}</b>
        <small>
          {isCurrent
            ? `Signed in since ${formatFirstSeen(firstSeenAt)}`
            : `Last used ${formatLastSeen(lastSeenAt)}`}
        </small>
      </p>
      {isCurrent ? (
        <span className={classes.current}>
          <IconCheck size={16} stroke={2} />
          This browser
        </span>
      ) : (
        <button
          type="button"
          aria-label={`Sign out of ${device}`}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate(id)}
        >
          {signOut.isPending ? 'Signing out...' : 'Sign out'}
        </button>
      )}
    </li>
  );
}

/** The date of a timestamp and today's date, in the time zone of this device. */
function toLocalDates(timestamp: string) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const today = dateInZone(timeZone, systemNow());
  return { timeZone, today, date: dateInZone(timeZone, new Date(timestamp)) };
}

/** 'Tue 10 Nov' */
function formatFirstSeen(timestamp: string): string {
  const { date, today } = toLocalDates(timestamp);
  return date === today ? 'today' : formatShortDate(date, today);
}

/** 'today at 4:30pm' */
function formatLastSeen(timestamp: string): string {
  const { timeZone, today, date } = toLocalDates(timestamp);
  const time = formatTime12(formatTimeAt(timestamp, { timeZone, today }));
  return `${formatRelativeDate(date, today)} at ${time}`;
}
