import type { Currency } from '@lessonbook/contract/money';
import type { PortalCancellationCost } from '@lessonbook/contract/portal';
import {
  allowancePeriodOn,
  cancellationCostAfterAsking,
  cancellationSteps,
  type MoveRequestNotice,
  type PolicyVersion,
  policyOn,
  type TermRange,
} from '../../lessons/service/cancellation-policy.ts';
import type { PortalLessonRow, PortalMoveRequestRow } from '../queries/read-as-contact.ts';

/** What the cost of cancelling depends on, for all students of a contact. */
export interface CancellationTerms {
  policies: readonly PolicyVersion[];
  terms: readonly (TermRange & { studentId: number })[];
  used: readonly { studentId: number; termStart: string; used: number }[];
  /** Requests to move that are waiting for an answer or were declined, the newest first. */
  requests: readonly PortalMoveRequestRow[];
  timeZone: string;
  now: Date;
}

/** Null if the lesson is not scheduled or has begun. */
export function costOf(
  row: PortalLessonRow,
  { policies, terms, used, requests, timeZone, now }: CancellationTerms,
): PortalCancellationCost | null {
  if (row.state !== 'scheduled' || row.startsAt <= now || row.fee === null) return null;
  const steps = cancellationSteps(policies, row, timeZone);
  const { fee, freeUntil, increase } = cancellationCostAfterAsking(
    steps,
    row.fee,
    { startsAt: row.startsAt, requests: requestsAbout(row, requests) as MoveRequestNotice[] },
    now,
  );
  const { fromDate } = termOf(row, terms);
  const usedInTerm = used.find(
    ({ studentId, termStart }) => studentId === row.studentId && termStart === fromDate,
  );
  const { freeLateCancellations } = policyOn(policies, row.date);
  return {
    fee,
    currency: row.currency as Currency,
    freeUntil: freeUntil?.toISOString() ?? null,
    increase: increase && { at: increase.at.toISOString(), fee: increase.fee },
    termStart: fromDate,
    freeLeft: Math.max(0, freeLateCancellations - (usedInTerm?.used ?? 0)),
    isAllowed: fee === 0 || row.isPayer,
  };
}

/** The requests to move this lesson from its present time, the newest first. */
export const requestsAbout = (
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
  terms: CancellationTerms['terms'],
): TermRange =>
  allowancePeriodOn(
    terms.filter(({ studentId }) => studentId === row.studentId),
    row.date,
  );
