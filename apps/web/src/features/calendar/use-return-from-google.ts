import { useEffect } from 'react';
import { useArrival } from '../../lib/arrival.ts';
import { toastDone, toastFailed } from '../../lib/toast.ts';

const CONNECTED =
  'Google Calendar connected successfully! Your lessons will now sync with your calendar.';

/** An address can be made up by anybody; no reason of ours is longer. */
const LONGEST_REASON = 100;

/** Says with what Google has just sent the tutor back. How it stands now is asked by the page anyway, each time it opens. */
export function useReturnFromGoogle(): void {
  const word = useArrival('calendar', '/mobile-settings');
  const reason = useArrival('reason', '/mobile-settings');

  useEffect(() => {
    if (word === 'connected') toastDone('Connected', CONNECTED);
    if (word === 'error') {
      toastFailed(`Error: ${reasonInWords(reason)}`, 'Google Calendar Connection Failed');
    }
  }, [word, reason]);
}

const reasonInWords = (reason: string | null): string =>
  reason?.replaceAll('_', ' ').trim().slice(0, LONGEST_REASON) || 'unknown error';
