/* The Google Meet conference of an event. Google creates it asynchronously. */

/** What we know about the conference of an event in Google. */
export interface ConferenceState {
  /**
   * Null if there is no conference, or only one that is not ours. A failed one is not requested again until the tutor
   * reconnects.
   */
  conferenceStatus: 'pending' | 'created' | 'failed' | null;
  /** Part of the request id. Changes after a removal or failure, because Google ignores a repeated id. */
  conferenceNumber: number;
  /** How many times a pending conference has been checked, and when it is next checked. */
  conferenceChecks: number;
  conferenceCheckAt: Date | null;
}

export const NO_CONFERENCE: ConferenceState = {
  conferenceStatus: null,
  conferenceNumber: 0,
  conferenceChecks: 0,
  conferenceCheckAt: null,
};

type RemoteStatus = 'pending' | 'created' | 'failed' | null;

const FIRST_CHECK_MS = 5_000;
/** The last check is about 20 minutes after the request. */
const MAX_CHECKS = 8;

/** What the next write of the event asks for; null leaves the conference as it is. */
export function conferenceRequest(
  isWanted: boolean,
  known: Pick<ConferenceState, 'conferenceStatus'> | null,
): 'create' | 'remove' | null {
  const status = known?.conferenceStatus ?? null;
  if (isWanted) return status === null ? 'create' : null;
  return status === null ? null : 'remove';
}

/** A repeat of a request has the same id, so that it does not create a second conference. */
export const conferenceRequestId = (
  eventId: string,
  known: Pick<ConferenceState, 'conferenceNumber'> | null,
): string => `${eventId}-${known?.conferenceNumber ?? 0}`;

/** The state after Google has returned the event, in response either to a write with `request` or to a read. */
export function nextConferenceState(
  {
    conferenceStatus: status,
    conferenceNumber,
    conferenceChecks,
    conferenceCheckAt,
  }: ConferenceState,
  remote: RemoteStatus,
  options: { isWanted: boolean; request: 'create' | 'remove' | null; now: Date },
): ConferenceState {
  const { isWanted, request, now } = options;
  const unchanged: ConferenceState = {
    conferenceStatus: status,
    conferenceNumber,
    conferenceChecks,
    conferenceCheckAt,
  };
  const endedState = (next: 'failed' | null): ConferenceState => ({
    ...NO_CONFERENCE,
    conferenceStatus: next,
    conferenceNumber: conferenceNumber + 1,
  });
  if (request === 'remove') return endedState(null);
  // A conference that the tutor has added in Google to another lesson is left alone.
  if (!isWanted) return unchanged;
  if (remote === 'created') return { ...NO_CONFERENCE, conferenceStatus: remote, conferenceNumber };
  if (status === 'failed') return unchanged;
  if (remote === 'failed') return endedState('failed');
  if (remote === null) {
    if (request === 'create') return endedState('failed');
    // The conference was removed in Google, so it is requested again.
    return status === null ? unchanged : endedState(null);
  }
  if (status !== 'pending') return pending(conferenceNumber, 0, now);
  if (conferenceCheckAt !== null && conferenceCheckAt > now) return unchanged;
  const checks = conferenceChecks + 1;
  return checks < MAX_CHECKS ? pending(conferenceNumber, checks, now) : endedState('failed');
}

const pending = (
  conferenceNumber: number,
  conferenceChecks: number,
  now: Date,
): ConferenceState => ({
  conferenceStatus: 'pending',
  conferenceNumber,
  conferenceChecks,
  conferenceCheckAt: new Date(now.getTime() + FIRST_CHECK_MS * 2 ** conferenceChecks),
});
