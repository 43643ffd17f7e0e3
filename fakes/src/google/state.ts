import type { AdjustableClock } from '../shared/clock.ts';
import type { EventTime } from './event-time.ts';
import type { IdKind } from './id-formats.ts';

export type EventStatus = 'confirmed' | 'tentative' | 'cancelled';

export type ConferenceOutcome = 'success' | 'pending' | 'failure';

export interface StoredConference {
  requestId: string;
  status: ConferenceOutcome;
  /** The meeting code; null unless the request succeeded. */
  code: string | null;
}

export interface StoredEvent {
  id: string;
  status: EventStatus;
  start: EventTime;
  end: EventTime;
  sequence: number;
  created: number;
  updated: number;
  /** Global sequence number of the last change; the etag is derived from it. */
  revision: number;
  /** All other writable fields: title, description, properties. */
  details: Record<string, unknown>;
  conference: StoredConference | null;
  /** The id of the last request for a conference. */
  requestId: string | null;
  /** How many conferences were requested. */
  conferences: number;
}

export interface StoredCalendar {
  id: string;
  /** The owner's email address. */
  owner: string;
  summary: string;
  timeZone: string;
  description: string | null;
  location: string | null;
  revision: number;
  updated: number;
  deleted: boolean;
  /** Deleted events are kept as cancelled, because their ids cannot be reused. */
  events: Map<string, StoredEvent>;
}

/** The calendars created through the API. Changes are synchronous, so no request sees a partial change. */
export class GoogleState {
  readonly calendars = new Map<string, StoredCalendar>();
  /** Base URL of the pages; set once the server is listening. */
  baseUrl = '';
  /** Maximum page size of lists; overrides a larger `maxResults`. */
  pageLimit = 2_500;
  /** How requests for a conference are answered. */
  conferenceOutcome: ConferenceOutcome = 'success';
  /** Users whose administrator has switched Google Meet off. */
  readonly usersWithoutMeet = new Set<string>();
  onChange: (calendar: StoredCalendar) => void = () => {};

  readonly clock: AdjustableClock;
  readonly newId: (kind: IdKind) => string;
  private lastRevision = 0;
  /** Etags must not repeat after a restart. */
  private readonly etagBase: number;

  constructor(clock: AdjustableClock, newId: (kind: IdKind) => string) {
    this.clock = clock;
    this.newId = newId;
    this.etagBase = clock.millis() * 2_000;
  }

  get revision(): number {
    return this.lastRevision;
  }

  nextRevision(): number {
    this.lastRevision += 1;
    return this.lastRevision;
  }

  etag({ revision }: { revision: number }): string {
    return `"${this.etagBase + revision * 2}"`;
  }

  calendarsOf(user: string): StoredCalendar[] {
    return [...this.calendars.values()].filter(({ owner }) => owner === user);
  }
}
