import type { calendar_v3 } from '@googleapis/calendar';
import { Temporal } from 'temporal-polyfill';
import {
  type CalendarEvent,
  type CreatedCalendar,
  type RemoteConference,
  type RemoteEvent,
} from './calendar-provider.ts';

/** Local time with its offset and zone; the offset disambiguates the repeated hour when the clocks go back. */
function toEventDateTime(instant: Date, timeZone: string): calendar_v3.Schema$EventDateTime {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(
    timeZone,
  );
  return { dateTime: local.toString({ timeZoneName: 'never' }), timeZone };
}

/** Contains only the fields we own; the tutor may change the colour, description and reminders. */
export const toGoogleEvent = (calendarEvent: CalendarEvent): calendar_v3.Schema$Event => ({
  status: 'confirmed',
  summary: calendarEvent.summary,
  location: calendarEvent.place ?? '',
  start: toEventDateTime(calendarEvent.startsAt, calendarEvent.timeZone),
  end: toEventDateTime(calendarEvent.endsAt, calendarEvent.timeZone),
  extendedProperties: { private: { sessionId: calendarEvent.sessionPublicId } },
  ...toConferenceData(calendarEvent.conference),
});

/** The conference solution type of Google Meet. */
const MEET = 'hangoutsMeet';

/** Google ignores a request whose id is that of the event's previous request. Null in a patch removes the conference. */
function toConferenceData(
  conference: CalendarEvent['conference'],
): Pick<calendar_v3.Schema$Event, 'conferenceData'> {
  if (conference === null) return {};
  // The library's types do not allow null, which Google's patch semantics require.
  if (conference === 'remove') return { conferenceData: null as never };
  const { requestId } = conference;
  return {
    conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: MEET } } },
  };
}

export const toNewGoogleEvent = (calendarEvent: CalendarEvent): calendar_v3.Schema$Event => ({
  ...toGoogleEvent(calendarEvent),
  id: calendarEvent.eventId,
  description: calendarEvent.url,
});

const toInstant = (value: calendar_v3.Schema$EventDateTime | undefined): Date | null =>
  value?.dateTime ? new Date(value.dateTime) : null;

const MAX_LINK_LENGTH = 500;

function fromConferenceData(event: calendar_v3.Schema$Event): RemoteConference {
  const { conferenceData, hangoutLink } = event;
  if (!conferenceData) return null;
  const video = conferenceData.entryPoints?.find((entry) => entry.entryPointType === 'video');
  const link = video?.uri ?? hangoutLink ?? '';
  // The link is shown to families, so it must be one that a browser can only open as a page.
  if (link.startsWith('https://') && link.length <= MAX_LINK_LENGTH) {
    return { status: 'created', link };
  }
  const status = conferenceData.createRequest?.status?.statusCode;
  return { status: status === 'pending' ? 'pending' : 'failed' };
}

/** Without the properties, Google Meet is assumed to be allowed. */
export const fromGoogleCalendar = (calendar: calendar_v3.Schema$Calendar): CreatedCalendar => ({
  calendarId: calendar.id ?? '',
  allowsConferences:
    calendar.conferenceProperties?.allowedConferenceSolutionTypes?.includes(MEET) ?? true,
});

export const fromGoogleEvent = (event: calendar_v3.Schema$Event): RemoteEvent => ({
  eventId: event.id ?? '',
  etag: event.etag ?? '',
  deleted: event.status === 'cancelled',
  summary: event.summary ?? '',
  place: event.location || null,
  startsAt: toInstant(event.start),
  endsAt: toInstant(event.end),
  conference: fromConferenceData(event),
});
