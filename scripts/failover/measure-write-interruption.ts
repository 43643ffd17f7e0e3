import {
  isSuccess,
  type TimedResponse,
  WRITE,
} from '../database-network-outage/timed-tutor-load.ts';

export interface Interruption {
  /** The longest time between two acknowledged writes on one API. */
  pauseMs: number;
  /** From the start of the period until the end of the longest pause, on the API where that pause ended last. */
  resumedAfterMs: number;
}

/** Responses are stored in the order in which they ended. */
function endedAfter(responses: readonly TimedResponse[], time: number): readonly TimedResponse[] {
  return responses.slice(responses.findLastIndex(({ endedAt }) => endedAt <= time) + 1);
}

const isAcknowledgedWrite = (response: TimedResponse): boolean =>
  response.operation === WRITE && isSuccess(response);

/** How long the writes were interrupted between the two times. */
export function measureInterruption(
  responses: readonly TimedResponse[],
  apis: readonly string[],
  from: number,
  to: number,
): Interruption {
  const writes = endedAfter(responses, from).filter(isAcknowledgedWrite);
  const interruptions = apis.map((api) => {
    const times = writes.filter((each) => each.api === api && each.endedAt < to);
    let longest: Interruption = { pauseMs: 0, resumedAfterMs: 0 };
    let before = from;
    for (const time of [...times.map(({ endedAt }) => endedAt), to]) {
      if (time - before > longest.pauseMs)
        longest = { pauseMs: time - before, resumedAfterMs: time - from };
      before = time;
    }
    return longest;
  });
  return {
    pauseMs: Math.max(...interruptions.map(({ pauseMs }) => pauseMs)),
    resumedAfterMs: Math.max(...interruptions.map(({ resumedAfterMs }) => resumedAfterMs)),
  };
}

/** True if each API has acknowledged a write that was sent after this time. */
export function isWritingAgain(
  responses: readonly TimedResponse[],
  apis: readonly string[],
  since: number,
): boolean {
  const writes = endedAfter(responses, since).filter(isAcknowledgedWrite);
  return apis.every((api) => writes.some((each) => each.api === api && each.startedAt > since));
}
