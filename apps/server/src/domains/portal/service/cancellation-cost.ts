import type { Currency } from '@lessonbook/contract/money';
import type { PortalCancellationCost } from '@lessonbook/contract/portal';
import {
  allowancePeriodOn,
  cancellationCostWithMoveRequests,
  cancellationSteps,
  type MoveRequestNotice,
  type PolicyVersion,
  policyOn,
  type TermRange,
} from '../../lessons/service/cancellation-policy.ts';
import type { PortalLessonRow, PortalMoveRequestRow } from '../queries/portal-views.ts';

/** What the cost of cancelling depends on, for all students of a contact. */
export interface CancellationCostInputs {
  policies: readonly PolicyVersion[];
  termRanges: readonly (TermRange & { studentId: number })[];
  freeCancellationsUsed: readonly { studentId: number; termStart: string; count: number }[];
  /** Requests to move that are waiting for an answer or were declined, newest first. */
  requests: readonly PortalMoveRequestRow[];
  timeZone: string;
  now: Date;
}

/** Null if the lesson is not scheduled or has begun. */
export function costOf(
  row: PortalLessonRow,
  inputs: CancellationCostInputs,
): PortalCancellationCost | null {
  const { policies, termRanges, freeCancellationsUsed, requests, timeZone, now } = inputs;
  if (row.state !== 'scheduled' || row.startsAt <= now || row.fee === null) return null;
  const steps = cancellationSteps(policies, row, timeZone);
  const { fee, freeUntil, increase } = cancellationCostWithMoveRequests(
    steps,
    row.fee,
    { startsAt: row.startsAt, requests: moveRequestsFor(row, requests) as MoveRequestNotice[] },
    now,
  );
  const { fromDate } = termOf(row, termRanges);
  const usedInTerm = freeCancellationsUsed.find(
    ({ studentId, termStart }) => studentId === row.studentId && termStart === fromDate,
  );
  const { freeLateCancellations } = policyOn(policies, row.date);
  return {
    fee,
    currency: row.currency as Currency,
    freeUntil: freeUntil?.toISOString() ?? null,
    increase: increase && { at: increase.at.toISOString(), fee: increase.fee },
    termStart: fromDate,
    freeCancellationsLeft: Math.max(0, freeLateCancellations - (usedInTerm?.count ?? 0)),
    isAllowed: fee === 0 || row.isPayer,
  };
}

/** Requests to move this lesson from its current time, newest first. */
export const moveRequestsFor = (
  row: PortalLessonRow,
  requests: readonly PortalMoveRequestRow[],
): PortalMoveRequestRow[] =>
  requests.filter(
    ({ sessionId, studentId, date, startTime }) =>
      sessionId === row.sessionId &&
      studentId === row.studentId &&
      date === row.date &&
      startTime === row.startTime,
  );

/** The term in which a cancellation of the lesson is counted. */
export const termOf = (
  row: Pick<PortalLessonRow, 'date' | 'studentId'>,
  termRanges: CancellationCostInputs['termRanges'],
): TermRange =>
  allowancePeriodOn(
    termRanges.filter(({ studentId }) => studentId === row.studentId),
    row.date,
  );
