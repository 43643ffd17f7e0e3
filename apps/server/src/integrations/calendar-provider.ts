/* What we need of a calendar provider, in our own words. */

/** A lesson as it is to stand in the tutor's calendar. */
export interface CalendarEvent {
  /** Ours, so that a repeat can never make a second one. */
  eventId: string;
  sessionPublicId: string;
  summary: string;
  place: string | null;
  startsAt: Date;
  endsAt: Date;
  timeZone: string;
  /** Back to the lesson in the book. */
  url: string;
}

/** How it stands there now. */
export interface RemoteEvent {
  eventId: string;
  etag: string;
  /** Deleted events are still known for a while. */
  deleted: boolean;
  summary: string;
  place: string | null;
  /** None for whole days. */
  startsAt: Date | null;
  endsAt: Date | null;
}

export interface RemoteChanges {
  events: RemoteEvent[];
  /** To be asked with next time. */
  syncToken: string;
}

export interface WatchChannel {
  id: string;
  resource: string;
  expiresAt: Date;
}

/** One tutor's calendar, for as long as its token is good. */
export interface TutorCalendar {
  /** Whether the calendar we made is still there for us. */
  exists(calendarId: string): Promise<boolean>;
  create(name: string, timeZone: string): Promise<string>;
  insert(calendarId: string, calendarEvent: CalendarEvent): Promise<{ etag: string } | 'exists'>;
  /** Writes it over, unless it is not the version we know any more. Also takes a deleted one out of the bin. */
  update(
    calendarId: string,
    calendarEvent: CalendarEvent,
    etag: string,
  ): Promise<{ etag: string } | 'changed' | 'gone'>;
  remove(calendarId: string, eventId: string, etag: string | null): Promise<'gone' | 'changed'>;
  getEvent(calendarId: string, eventId: string): Promise<RemoteEvent | null>;
  /** Everything that is there, or what changed since the token; 'expired' when the token is too old to tell. */
  listChanges(calendarId: string, syncToken: string | null): Promise<RemoteChanges | 'expired'>;
  watch(calendarId: string, channel: { id: string; token: string }): Promise<WatchChannel>;
  stopWatch(channel: { id: string; resource: string }): Promise<void>;
}

export interface CalendarProvider {
  consentUrl(ask: { state: string; verifier: string }): string;
  /** The lasting token; 'calendar refused' when the tutor let us in but not to a calendar. */
  exchangeCode(
    code: string,
    verifier: string,
  ): Promise<{ refreshToken: string } | 'calendar refused'>;
  revoke(refreshToken: string): Promise<void>;
  open(refreshToken: string): TutorCalendar;
}

/** No answer, or none in its right mind: nothing is known, and it may be tried again. */
export class CalendarUnavailable extends Error {
  override readonly name = 'CalendarUnavailable';
}

/** Too much at once: it may be tried again, later. */
export class CalendarBusy extends Error {
  override readonly name = 'CalendarBusy';
}

/** The tutor, or the provider, does not let us in any more. */
export class CalendarAccessLost extends Error {
  override readonly name = 'CalendarAccessLost';
}

/** The whole calendar is not there any more. */
export class CalendarDeleted extends Error {
  override readonly name = 'CalendarDeleted';
}

/** It says no to this one thing, and will say so again. */
export class CalendarRefused extends Error {
  override readonly name = 'CalendarRefused';
}
