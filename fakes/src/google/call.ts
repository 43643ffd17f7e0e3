import type { Channels } from './channels.ts';
import { notFound } from './error-response.ts';
import type { ListTokens } from './list-tokens.ts';
import type { GoogleState, StoredCalendar } from './state.ts';

/** An authenticated API request. */
export interface Call {
  state: GoogleState;
  channels: Channels;
  listTokens: ListTokens;
  user: string;
  path: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** Throws the same 404 for other users' calendars, deleted calendars and calendars that the app did not create. */
export function findCalendarOrThrow({ state, user, path }: Call): StoredCalendar {
  const calendar = state.calendars.get(path['calendarId'] ?? '');
  if (!calendar || calendar.owner !== user || calendar.deleted) throw notFound();
  return calendar;
}
