import type { AdjustableClock } from '../shared/clock.ts';
import type { EventTime } from './event-time.ts';
import type { IdKind } from './ids.ts';

export type EventStatus = 'confirmed' | 'tentative' | 'cancelled';

export interface StoredEvent {
  id: string;
  status: EventStatus;
  start: EventTime;
  end: EventTime;
  sequence: number;
  created: number;
  updated: number;
  /** The number of its last change among all changes; makes its etag. */
  revision: number;
  /** Everything else that can be written: title, notes, properties. */
  details: Record<string, unknown>;
}

export interface StoredCalendar {
  id: string;
  /** The Google user it belongs to, by e-mail address. */
  owner: string;
  summary: string;
  timeZone: string;
  description: string | null;
  location: string | null;
  revision: number;
  updated: number;
  deleted: boolean;
  /** Deleted events stay, as cancelled ones: their ids are taken for good. */
  events: Map<string, StoredEvent>;
}

/** The calendars that were made through the API. Changes are synchronous, so no two requests see each other half done. */
export class GoogleState {
  readonly calendars = new Map<string, StoredCalendar>();
  /** Set once the server listens: the pages live there. */
  baseUrl = '';
  /** Pages of lists hold no more than this, whatever was asked for. */
  pageLimit = 2_500;
  onChange: (calendar: StoredCalendar) => void = () => {};

  readonly clock: AdjustableClock;
  readonly newId: (kind: IdKind) => string;
  private lastRevision = 0;
  /** Etags of one start must not come again after the next one. */
  private readonly etagsFrom: number;

  constructor(clock: AdjustableClock, newId: (kind: IdKind) => string) {
    this.clock = clock;
    this.newId = newId;
    this.etagsFrom = clock.millis() * 2_000;
  }

  get revision(): number {
    return this.lastRevision;
  }

  nextRevision(): number {
    this.lastRevision += 1;
    return this.lastRevision;
  }

  etag({ revision }: { revision: number }): string {
    return `"${this.etagsFrom + revision * 2}"`;
  }

  calendarsOf(user: string): StoredCalendar[] {
    return [...this.calendars.values()].filter(({ owner }) => owner === user);
  }
}
