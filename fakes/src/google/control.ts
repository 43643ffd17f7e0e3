import type { ConformanceReport } from '../shared/conformance.ts';
import type { DeliverySettings } from '../shared/webhook-delivery.ts';
import type { LoggedCall } from './call-log.ts';
import type { Channel, ChannelDelivery } from './channels.ts';
import type { Decision } from './consent.ts';
import type { Quotas, QuotaUsage } from './quota.ts';
import type { UserReport } from './reports.ts';
import type { GoogleFault } from './respond.ts';
import type { EventRef, NewEvent, NewTime } from './user-actions.ts';

/** How a test steers the stand-in, from the same process or, over HTTP, from another one. */
export interface GoogleControl {
  /** Everything a browser does with the consent page, without the browser; says where it is sent back to. */
  consent: (
    authUrl: string,
    answer?: { user?: string; decision?: Decision },
  ) => Promise<{ redirect: string }>;
  /** The user takes the app's access away: every token of theirs is dead. */
  revoke: (user: string) => Promise<void>;
  /** The hour is over, for one user or all. */
  expireAccessTokens: (user?: string) => Promise<void>;

  report: (user?: string) => Promise<UserReport[]>;
  /** What the tutor does in Google's own page. Gives the new event's id. */
  addEvent: (calendarId: string, event: NewEvent) => Promise<string>;
  moveEvent: (ref: EventRef, to: NewTime) => Promise<void>;
  renameEvent: (ref: EventRef, summary: string) => Promise<void>;
  deleteEvent: (ref: EventRef) => Promise<void>;
  /** Out of the bin again. */
  restoreEvent: (ref: EventRef) => Promise<void>;
  deleteCalendar: (calendarId: string) => Promise<void>;

  expireSyncTokens: () => Promise<void>;
  /** Those that have not expired. */
  channels: () => Promise<Channel[]>;
  /** Forgets every channel without telling anybody; says how many there were. */
  dropChannels: () => Promise<number>;

  /** How channels' messages are sent from now on; what is left out stays. */
  setDelivery: (settings: Partial<DeliverySettings>) => Promise<DeliverySettings>;
  deliveries: () => Promise<ChannelDelivery[]>;
  hold: () => Promise<void>;
  release: () => Promise<void>;
  /** Resolves when nothing is under way or will be tried again; what is held does not count. */
  whenIdle: () => Promise<void>;

  addFault: (fault: GoogleFault) => Promise<void>;
  clearFaults: () => Promise<void>;
  /** Those not used up yet. */
  faults: () => Promise<GoogleFault[]>;

  /** What is left out stays. */
  setQuotas: (quotas: Partial<Quotas>) => Promise<Quotas>;
  /** Requests to the Calendar API by user and minute. */
  quotaUsage: () => Promise<QuotaUsage>;
  /** The last 20,000 requests to the Calendar API, oldest first. */
  calls: () => Promise<LoggedCall[]>;
  clearCalls: () => Promise<void>;

  /** Turns the clock forward: tokens, channels and codes that end thereby expire. */
  advanceClock: (millis: number) => Promise<void>;
  now: () => Promise<number>;

  conformance: () => Promise<ConformanceReport>;
}
