import type { ConformanceReport } from '../shared/api-description-violations.ts';
import type { DeliverySettings } from '../shared/webhook-delivery.ts';
import type { LoggedCall } from './call-log.ts';
import type { Channel, ChannelDelivery } from './channels.ts';
import type { Decision } from './consent.ts';
import type { Quotas, QuotaUsage } from './quota.ts';
import type { UserReport } from './report-stored-calendars.ts';
import type { GoogleFault } from './respond-or-apply-fault.ts';
import type { ConferenceOutcome } from './state.ts';
import type { EventRef, NewEvent, NewTime } from './user-actions.ts';

/** How tests control the fake, in the same process or over HTTP. */
export interface GoogleControl {
  /** Completes the consent page without a browser; returns the redirect URL. */
  consent: (
    authUrl: string,
    options?: { user?: string; decision?: Decision },
  ) => Promise<{ redirect: string }>;
  /** The user revokes the app's access: all their tokens become invalid. */
  revoke: (user: string) => Promise<void>;
  /** Expires the access tokens of one user, or of all users. */
  expireAccessTokens: (user?: string) => Promise<void>;

  report: (user?: string) => Promise<UserReport[]>;
  /** Acts as the user in Google Calendar; returns the new event's id. */
  addEvent: (calendarId: string, event: NewEvent) => Promise<string>;
  moveEvent: (ref: EventRef, to: NewTime) => Promise<void>;
  renameEvent: (ref: EventRef, summary: string) => Promise<void>;
  deleteEvent: (ref: EventRef) => Promise<void>;
  /** Restores the event from the bin. */
  restoreEvent: (ref: EventRef) => Promise<void>;
  deleteCalendar: (calendarId: string) => Promise<void>;

  /** How the next requests for a conference are answered; a pending one waits for finishConferences. */
  setConferenceOutcome: (outcome: ConferenceOutcome) => Promise<void>;
  finishConferences: (outcome: 'success' | 'failure') => Promise<void>;
  /** The user removes the conference from an event. */
  removeConference: (ref: EventRef) => Promise<void>;
  /** Whether the user's administrator allows Google Meet. */
  setMeetAllowed: (user: string, isAllowed: boolean) => Promise<void>;

  expireSyncTokens: () => Promise<void>;
  /** Channels that have not expired. */
  channels: () => Promise<Channel[]>;
  /** Drops all channels without notice; returns their number. */
  dropChannels: () => Promise<number>;

  /** Changes how channel messages are delivered; omitted settings stay unchanged. */
  setDelivery: (settings: Partial<DeliverySettings>) => Promise<DeliverySettings>;
  deliveries: () => Promise<ChannelDelivery[]>;
  hold: () => Promise<void>;
  release: () => Promise<void>;
  /** Resolves when no message is in flight or awaiting retry; held messages do not count. */
  whenIdle: () => Promise<void>;

  addFault: (fault: GoogleFault) => Promise<void>;
  clearFaults: () => Promise<void>;
  /** Faults that have not been used up yet. */
  faults: () => Promise<GoogleFault[]>;

  /** Omitted quotas stay unchanged. */
  setQuotas: (quotas: Partial<Quotas>) => Promise<Quotas>;
  /** Calendar API requests per user and minute. */
  quotaUsage: () => Promise<QuotaUsage>;
  /** The last 20,000 Calendar API requests, oldest first. */
  calls: () => Promise<LoggedCall[]>;
  clearCalls: () => Promise<void>;

  /** Advances the clock; tokens, channels and codes expire accordingly. */
  advanceClock: (millis: number) => Promise<void>;
  now: () => Promise<number>;

  conformance: () => Promise<ConformanceReport>;
}
