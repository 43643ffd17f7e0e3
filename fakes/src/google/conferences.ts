import type { calendar_v3 } from '@googleapis/calendar';
import type { Call } from './call.ts';
import { invalid } from './error-response.ts';
import type {
  ConferenceOutcome,
  GoogleState,
  StoredCalendar,
  StoredConference,
  StoredEvent,
} from './state.ts';

export type ConferenceFields = Pick<StoredEvent, 'conference' | 'requestId' | 'conferences'>;

export const NO_CONFERENCE: ConferenceFields = {
  conference: null,
  requestId: null,
  conferences: 0,
};

const MEET = 'hangoutsMeet';

/** The conference after a write. With version 0, the default, the conference data in the request is ignored. */
export function parseConference(
  call: Call,
  calendar: StoredCalendar,
  { conference, requestId, conferences }: ConferenceFields,
): ConferenceFields {
  const before = { conference, requestId, conferences };
  const version = call.query.get('conferenceDataVersion') ?? '0';
  if (version !== '0' && version !== '1') throw invalid('Invalid value', 'conferenceDataVersion');
  const data = call.body['conferenceData'];
  if (version === '0' || data === undefined) return before;
  if (data === null) return { ...before, conference: null };
  const request = readCreateRequest(data);
  if (
    request.conferenceSolutionKey?.type !== MEET ||
    !allowedSolutions(call.state, calendar).length
  ) {
    throw invalid('Invalid conference type value.');
  }
  // A repeated request id has no effect, even if the conference has been removed since.
  if (request.requestId === requestId) return before;
  const status = call.state.conferenceOutcome;
  return {
    conference: { requestId: request.requestId, status, code: createMeetCode(call.state, status) },
    requestId: request.requestId,
    conferences: conferences + 1,
  };
}

/** Supports only create requests, because the product never copies conference data from another event. */
function readCreateRequest(data: unknown) {
  const { createRequest } = data as calendar_v3.Schema$ConferenceData;
  const requestId = createRequest?.requestId;
  if (!createRequest || typeof requestId !== 'string' || requestId === '') {
    throw invalid('Invalid conference data: a create request with a request id is required.');
  }
  return { ...createRequest, requestId };
}

export function allowedSolutions(state: GoogleState, { owner }: StoredCalendar): string[] {
  return state.usersWithoutMeet.has(owner) ? [] : [MEET];
}

/** Completes a pending request as a success or a failure. */
export function finishConference(
  state: GoogleState,
  conference: StoredConference,
  status: 'success' | 'failure',
): StoredConference {
  return { ...conference, status, code: createMeetCode(state, status) };
}

/** A meeting code such as 'aaa-bbbb-ccc'. */
function createMeetCode(state: GoogleState, status: ConferenceOutcome): string | null {
  if (status !== 'success') return null;
  const letters = state.newId('meeting');
  return `${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7)}`;
}

export function conferenceResource({
  conference,
}: StoredEvent): Pick<calendar_v3.Schema$Event, 'conferenceData' | 'hangoutLink'> {
  if (!conference) return {};
  const { requestId, status, code } = conference;
  const key = { type: MEET };
  const createRequest = {
    requestId,
    conferenceSolutionKey: key,
    status: { statusCode: status },
  };
  if (code === null) return { conferenceData: { createRequest } };
  const uri = `https://meet.google.com/${code}`;
  return {
    hangoutLink: uri,
    conferenceData: {
      createRequest,
      entryPoints: [{ entryPointType: 'video', uri, label: `meet.google.com/${code}` }],
      conferenceSolution: { key, name: 'Google Meet' },
      conferenceId: code,
    },
  };
}
