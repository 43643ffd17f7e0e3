import type { Currency } from '@lessonbook/contract/money';
import { formatMoney } from '@lessonbook/contract/money';
import { minutesBetween } from '@lessonbook/contract/time';

export interface Policy {
  noticeHours: number;
  feePercent: number;
}

export const DEFAULT_POLICY: Policy = { noticeHours: 24, feePercent: 100 };

export interface FeeProposal {
  noticeMinutes: number;
  /** Minor units; null if nothing is charged. */
  fee: number | null;
  reason: string;
}

/** The fee depends on who cancelled and how much notice they gave. Cancellations by the tutor are never charged. */
export function proposeFee(input: {
  cancelledBy: 'tutor' | 'student' | 'carer';
  policy: Policy;
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
  if (noticeMinutes >= input.policy.noticeHours * 60) return noCharge(`${notice}: no charge`);
  const fee = Math.round((input.fee * input.policy.feePercent) / 100);
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
