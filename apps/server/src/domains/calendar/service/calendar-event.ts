import type { Context } from '../../../context.ts';
import type { CalendarEvent, RemoteEvent } from '../../../integrations/calendar-provider.ts';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import { type KnownEvent, type SessionToSync } from '../queries/events.ts';
import type { RemoteState } from '../rules/classify-remote-change.ts';
import { eventSummary, serializeContent } from '../rules/event-title-and-fingerprint.ts';
import { conferenceRequest, conferenceRequestId } from '../rules/google-meet-conference-state.ts';

export function toCalendarEvent(
  context: Context,
  timeZone: string,
  row: SessionToSync,
  known: KnownEvent | null,
): CalendarEvent {
  const { publicId, place, startsAt, endsAt } = row;
  const eventId = toEventId(publicId);
  const request = conferenceRequest(row.usesGoogleMeet, known);
  return {
    eventId,
    sessionPublicId: publicId,
    summary: eventSummary(row),
    place,
    startsAt,
    endsAt,
    conference: request === 'create' ? { requestId: conferenceRequestId(eventId, known) } : request,
    timeZone,
    url: `${context.config.origin}/sessions/${row.id}`,
  };
}

export const toRemoteState = (event: RemoteEvent): RemoteState => ({
  deleted: event.deleted,
  fingerprint: fingerprintOf(event),
  startsAt: event.startsAt,
  endsAt: event.endsAt,
});

export const fingerprintOf = (event: Parameters<typeof serializeContent>[0]): string =>
  sha256(serializeContent(event)).toString('base64url').slice(0, 22);

const BASE32_DIGITS = '0123456789abcdefghijklmnopqrstuv';

/** The session's public id in base32hex, as Google requires. It is stable, so a retried insert cannot create a second event. */
export function toEventId(publicId: string): string {
  let bits = 0;
  let buffer = 0;
  let id = '';
  for (const byte of Buffer.from(publicId, 'base64url')) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += BASE32_DIGITS[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? id + BASE32_DIGITS[(buffer << (5 - bits)) & 31] : id;
}
