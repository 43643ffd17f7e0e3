import type { Channels } from './channels.ts';
import { notFound } from './error-response.ts';
import type { ListTokens } from './list-tokens.ts';
import type { GoogleState, StoredCalendar } from './state.ts';

/** One request to the API, known to come from that user. */
export interface Call {
  state: GoogleState;
  channels: Channels;
  lists: ListTokens;
  user: string;
  path: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** Others' calendars, deleted ones and those the app did not make look alike from here. */
export function findCalendarOrThrow({ state, user, path }: Call): StoredCalendar {
  const calendar = state.calendars.get(path['calendarId'] ?? '');
  if (!calendar || calendar.owner !== user || calendar.deleted) throw notFound();
  return calendar;
}
