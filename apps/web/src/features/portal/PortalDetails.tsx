import { formatTime12 } from '@lessonbook/contract/format-time';
import type { PortalBrowser, PortalLogin } from '@lessonbook/contract/portal';
import { dateInZone, systemNow } from '@lessonbook/contract/time';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatRelativeDate } from '../../lib/format.ts';
import { formatTimeAt } from '../../lib/format-timestamp.ts';
import classes from './Portal.module.css';
import { PortalHeader, type PortalNavigation } from './PortalHeader.tsx';
import { PortalError, PortalLayout, PortalLoading } from './PortalLayout.tsx';
import { addressNoun, portalBrowsersQuery, useSignOutBrowser } from './portal-api.ts';

interface Props {
  login: PortalLogin;
  navigation: PortalNavigation;
  signOutButton: ReactNode;
}

/** The address that is signed in, and its browsers. */
export function PortalDetails({ login, navigation, signOutButton }: Props) {
  return (
    <PortalLayout title="Details" header={<PortalHeader {...navigation} />}>
      <section className={classes.section}>
        <h2>Signed in as</h2>
        <p>{login.address}</p>
        {login.isSharedDevice && (
          <p className={classes.hint}>You'll be signed out when you close this browser.</p>
        )}
      </section>
      <section className={classes.section}>
        <h2>Browsers</h2>
        <p className={classes.hint}>
          You're signed in with your {addressNoun(login.address)} on these browsers. Sign out of any
          you don't recognise.
        </p>
        <Browsers />
      </section>
      {signOutButton}
    </PortalLayout>
  );
}

function Browsers() {
  const { data, error, refetch } = useQuery(portalBrowsersQuery);
  if (error && !data) return <PortalError error={error} onRetry={() => void refetch()} />;
  if (!data) return <PortalLoading />;
  return (
    <ul className={classes.browsers}>
      {data.map((browser) => (
        <BrowserRow key={browser.id} browser={browser} />
      ))}
    </ul>
  );
}

function BrowserRow({
  browser: { id, device, isCurrent, lastSeenAt },
}: {
  browser: PortalBrowser;
}) {
  const signOut = useSignOutBrowser();
  return (
    <li>
      <p>
        <b>{device}</b>
        <small>{isCurrent ? 'This browser' : `Last used ${formatLastSeen(lastSeenAt)}`}</small>
      </p>
      {!isCurrent && (
        <button
          type="button"
          className={classes.signOut}
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

/** 'today at 4:30pm', by the clock of this device */
function formatLastSeen(timestamp: string): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const today = dateInZone(timeZone, systemNow());
  const date = formatRelativeDate(dateInZone(timeZone, new Date(timestamp)), today);
  return `${date} at ${formatTime12(formatTimeAt(timestamp, { timeZone, today }))}`;
}
