import type {
  CancellationPolicy,
  CancellationTier,
} from '@lessonbook/contract/cancellation-policy-settings';
import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import { formatMoney } from '@lessonbook/contract/money';
import { minutesBetween } from '@lessonbook/contract/time';
import { toInstant } from './local-to-utc.ts';

export const DEFAULT_POLICY: CancellationPolicy = {
  tiers: [{ noticeHours: 24, dayBeforeTime: null, feePercent: 100 }],
  freeLateCancellations: 0,
  illnessNote: null,
};

export interface PolicyVersion extends CancellationPolicy {
  /** The first lesson date to which the version applies. */
  startsOn: string;
  createdAt: Date;
}

/** The fields of a session that determine what cancelling it costs. */
export interface CancellableSession {
  date: string;
  startsAt: Date;
  bookedAt: Date;
}

/** The version that applies on the date. */
export function policyOn(versions: readonly PolicyVersion[], date: string): CancellationPolicy {
  const sorted = sortByStart(versions);
  return sorted.findLast(({ startsOn }) => startsOn <= date) ?? sorted[0] ?? DEFAULT_POLICY;
}

/** The version that applied when the session was booked. */
function policyWhenBooked(
  versions: readonly PolicyVersion[],
  { date, bookedAt }: CancellableSession,
): CancellationPolicy {
  const known = versions.filter(({ createdAt }) => createdAt <= bookedAt);
  return policyOn(known.length > 0 ? known : sortByStart(versions).slice(0, 1), date);
}

const sortByStart = (versions: readonly PolicyVersion[]): PolicyVersion[] =>
  versions.toSorted((a, b) => a.startsOn.localeCompare(b.startsOn));

/** After this instant, cancelling costs this percentage of the fee. */
export interface CancellationStep {
  after: Date;
  feePercent: number;
}

/**
 * When cancelling the session begins to cost something, and when the cost increases. If the session was booked under an
 * earlier version, the lower of the two amounts applies.
 */
export function cancellationSteps(
  versions: readonly PolicyVersion[],
  session: CancellableSession,
  timeZone: string,
): CancellationStep[] {
  const policies = [policyOn(versions, session.date), policyWhenBooked(versions, session)].map(
    ({ tiers }) =>
      tiers.map((tier) => ({ at: cutOff(tier, session, timeZone), feePercent: tier.feePercent })),
  );
  const percentAfter = (instant: number): number =>
    Math.min(
      ...policies.map((tiers) =>
        Math.max(0, ...tiers.filter(({ at }) => at <= instant).map(({ feePercent }) => feePercent)),
      ),
    );
  const steps: CancellationStep[] = [];
  for (const at of policies
    .flatMap((tiers) => tiers.map((tier) => tier.at))
    .toSorted((a, b) => a - b)) {
    const feePercent = percentAfter(at);
    if (feePercent > (steps.at(-1)?.feePercent ?? 0))
      steps.push({ after: new Date(at), feePercent });
  }
  return steps;
}

const HOUR_MS = 3_600_000;

const cutOff = (
  { noticeHours, dayBeforeTime }: CancellationTier,
  { date, startsAt }: CancellableSession,
  timeZone: string,
): number =>
  dayBeforeTime === null
    ? startsAt.getTime() - (noticeHours ?? 0) * HOUR_MS
    : // Never after the start, even if a clock change moves a lesson that starts just after midnight.
      Math.min(
        toInstant(timeZone, addDaysToDate(date, -1), dayBeforeTime).getTime(),
        startsAt.getTime(),
      );

/** At the cut-off itself, cancelling still costs the lower amount. */
const percentAt = (steps: readonly CancellationStep[], now: Date): number =>
  steps.findLast(({ after }) => after < now)?.feePercent ?? 0;

const calculatePortion = (fee: number, percent: number): number =>
  Math.round((fee * percent) / 100);

export interface CancellationCost {
  /** Minor units. */
  fee: number;
  /** Null if cancelling is always free. */
  freeUntil: Date | null;
  increase: { at: Date; fee: number } | null;
}

/** What it costs a family to cancel now. */
export function cancellationCost(
  steps: readonly CancellationStep[],
  fee: number,
  now: Date,
): CancellationCost {
  const priced = steps
    .map(({ after, feePercent }) => ({ at: after, fee: calculatePortion(fee, feePercent) }))
    .filter((step) => step.fee > 0);
  const current = calculatePortion(fee, percentAt(steps, now));
  return {
    fee: current,
    freeUntil: priced[0]?.at ?? null,
    increase: priced.find((step) => step.at >= now && step.fee > current) ?? null,
  };
}

/** A family's request to move the session. */
export interface MoveRequestNotice {
  status: 'open' | 'suggested' | 'declined';
  askedAt: Date;
  /** When the tutor declined the request; null if it is unanswered. */
  answeredAt: Date | null;
}

const DECLINED_NOTICE_MS = 24 * HOUR_MS;

/** A request affects the notice until it is answered and, if the tutor declines it, for another day. */
const affectsNoticeUntil = ({ status, answeredAt }: MoveRequestNotice): number =>
  status === 'declined' ? (answeredAt?.getTime() ?? 0) + DECLINED_NOTICE_MS : Infinity;

/** When notice was given: when the family asked to move the session, if that request affects the notice, otherwise now. */
export const noticeStart = (requests: readonly MoveRequestNotice[], now: Date): Date =>
  requests
    .filter((request) => affectsNoticeUntil(request) >= now.getTime())
    .reduce((earliest, { askedAt }) => (askedAt < earliest ? askedAt : earliest), now);

/** What it costs a family to cancel now, taking into account any requests to move the session. */
export function cancellationCostWithMoveRequests(
  steps: readonly CancellationStep[],
  fee: number,
  session: { startsAt: Date; requests: readonly MoveRequestNotice[] },
  now: Date,
): CancellationCost {
  const { requests, startsAt } = session;
  const cost = cancellationCost(steps, fee, noticeStart(requests, now));
  const ends = requests.map(affectsNoticeUntil).filter((end) => end >= now.getTime());
  if (ends.length === 0) return cost;
  const until = Math.min(...ends);
  const after =
    until < startsAt.getTime()
      ? cancellationCostWithMoveRequests(steps, fee, session, new Date(until + 1))
      : null;
  const increase =
    after && after.fee > cost.fee
      ? { at: new Date(until), fee: after.fee }
      : (after?.increase ?? null);
  return {
    fee: cost.fee,
    freeUntil: cost.fee === 0 ? (increase?.at ?? null) : cost.freeUntil,
    increase,
  };
}

export interface FeeProposal {
  noticeMinutes: number;
  /** Minor units; null if nothing is charged. */
  fee: number | null;
  reason: string;
}

/** The fee depends on who cancelled and how much notice they gave. Cancellations by the tutor are never charged. */
export function proposeFee(input: {
  cancelledBy: 'tutor' | 'student' | 'carer';
  steps: readonly CancellationStep[];
  fee: number | null;
  currency: Currency;
  startsAt: Date;
  now: Date;
}): FeeProposal {
  const noticeMinutes = minutesBetween(input.now, input.startsAt);
  const noCharge = (reason: string): FeeProposal => ({ noticeMinutes, fee: null, reason });
  if (input.cancelledBy === 'tutor') return noCharge('You cancelled: no charge');
  if (input.fee === null) return noCharge('Free lesson: no charge');
  const notice = `${formatNotice(noticeMinutes)} notice`;
  const { fee } = cancellationCost(input.steps, input.fee, input.now);
  if (fee === 0) return noCharge(`${notice}: no charge`);
  return { noticeMinutes, fee, reason: `${notice}: ${formatFee(fee, input.currency)}` };
}

/** Omits the decimals if they are zero: £35, but £17.50. */
const formatFee = (minor: number, currency: Currency): string =>
  formatMoney(minor, currency, 'en-GB').replace(/\.00$/, '');

function formatNotice(minutes: number): string {
  if (minutes <= 0) return 'No';
  if (minutes < 60) return formatPossessive(minutes, 'minute');
  if (minutes < 48 * 60) return formatPossessive(Math.floor(minutes / 60), 'hour');
  return formatPossessive(Math.floor(minutes / (24 * 60)), 'day');
}

/** "1 hour's", "3 hours'" */
const formatPossessive = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? "'s" : "s'"}`;
