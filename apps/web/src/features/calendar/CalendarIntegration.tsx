import { useEffect } from 'react';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useCallbackParam } from '../../lib/use-callback-param.ts';
import { GoogleCalendar } from './GoogleCalendar.tsx';
import { ICalFeed } from './ICalFeed.tsx';

const CONNECTED_MESSAGE =
  'Google Calendar connected successfully! Your lessons will now sync with your calendar.';

/** The URL can be forged, so the reason is truncated. Our own reasons are shorter. */
const MAX_REASON_LENGTH = 100;

/** Shows the result of the redirect from Google. The page fetches the current status anyway. */
function useCalendarCallback(): void {
  const result = useCallbackParam('calendar', '/mobile-settings');
  const reason = useCallbackParam('reason', '/mobile-settings');

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
