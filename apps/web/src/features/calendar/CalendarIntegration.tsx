import type { Wall } from '../../lib/moments.ts';
import { Feed } from './Feed.tsx';
import { GoogleCalendar } from './GoogleCalendar.tsx';
import { useReturnFromGoogle } from './use-return-from-google.ts';

/** What the card in Settings holds: the tutor's calendar at Google, and an address for every other one. */
export function CalendarIntegration({ wall }: { wall: Wall }) {
  useReturnFromGoogle();
  return (
    <>
      <GoogleCalendar wall={wall} />
      <Feed />
    </>
  );
}
