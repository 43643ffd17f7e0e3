import { useEffect } from 'react';
import { useCallbackParam } from '../../lib/external-navigation.ts';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { toastDone, toastFailed } from '../../lib/toast.ts';
import { GoogleCalendar } from './GoogleCalendar.tsx';
import { ICalFeed } from './ICalFeed.tsx';

const CONNECTED_MESSAGE =
  'Google Calendar connected successfully! Your lessons will now sync with your calendar.';

/** An address can be made up by anybody; no reason of ours is longer. */
const MAX_REASON_LENGTH = 100;

/** Says with what Google has just sent the tutor back. How it stands now is asked by the page anyway, each time it opens. */
function useCalendarCallback(): void {
  const word = useCallbackParam('calendar', '/mobile-settings');
  const reason = useCallbackParam('reason', '/mobile-settings');

  useEffect(() => {
    if (word === 'connected') toastDone('Connected', CONNECTED_MESSAGE);
    if (word === 'error') {
      toastFailed(`Error: ${formatReason(reason)}`, 'Google Calendar Connection Failed');
    }
  }, [word, reason]);
}

const formatReason = (reason: string | null): string =>
  reason?.replaceAll('_', ' ').trim().slice(0, MAX_REASON_LENGTH) || 'unknown error';

/** What the card in Settings holds: the tutor's calendar at Google, and an address for every other one. */
export function CalendarIntegration({ dateContext }: { dateContext: DateContext }) {
  useCalendarCallback();
  return (
    <>
      <GoogleCalendar dateContext={dateContext} />
      <ICalFeed />
    </>
  );
}
