import type {
  CancellationPolicy,
  CancellationTier,
} from '@lessonbook/contract/cancellation-policy-settings';
import { addDaysToDate, minuteOfDay, startOfWeek } from '@lessonbook/contract/dates';
import { formatTime12 } from '@lessonbook/contract/format-time';
import {
  formatAmount,
  formatDayAndMonth,
  formatShortDate,
  pluralize,
  shortWeekdayName,
} from '../../lib/format.ts';
import { formatCancellationCost } from '../../lib/format-cancellation-cost.ts';

/** '24 hours' or '6pm the day before' */
const formatCutOff = ({ noticeHours, dayBeforeTime }: CancellationTier): string =>
  dayBeforeTime === null
    ? pluralize(noticeHours ?? 0, 'hour')
    : `${formatTime12(dayBeforeTime)} the day before`;

/** '24 hours, 50%; 12 hours, 100%' or '6pm the day before, 100%' */
export function formatPolicyShort({ tiers }: CancellationPolicy): string {
  const charged = tiers.filter(({ feePercent }) => feePercent > 0);
  if (charged.length === 0) return 'Free';
  return charged.map((tier) => `${formatCutOff(tier)}, ${tier.feePercent}%`).join('; ');
}

/** '50% less than 24 hours before, 100% after 6pm the day before' or 'always free' */
export function formatPolicy({ tiers }: CancellationPolicy): string {
  const charged = tiers.filter(({ feePercent }) => feePercent > 0);
  if (charged.length === 0) return 'always free';
  return charged.map((tier) => `${tier.feePercent}% ${formatAfter(tier)}`).join(', ');
}

/** '18 December'; with the year if it is not the current one. */
export const formatStart = (date: string, today: string): string =>
  date.slice(0, 4) === today.slice(0, 4)
    ? formatDayAndMonth(date)
    : `${formatDayAndMonth(date)} ${date.slice(0, 4)}`;

/** The lesson of the examples: £38, on a Tuesday at 16:30. */
const EXAMPLE_FEE = 3800;
const EXAMPLE_TIME = '16:30';
const DAY_MINUTES = 24 * 60;
const EXAMPLE_MINUTES = minuteOfDay(EXAMPLE_TIME);
const exampleDate = (today: string): string => addDaysToDate(startOfWeek(today), 8);

/** 'A £38 lesson on Tue 24 Nov, 4:30pm' */
export const formatExampleLesson = (today: string): string =>
  `A ${formatAmount(EXAMPLE_FEE, 'GBP')} lesson on ${formatShortDate(exampleDate(today), today)}, ${formatTime12(EXAMPLE_TIME)}`;

const exampleFee = (feePercent: number): number => (EXAMPLE_FEE * feePercent) / 100;

/** '£19 of £38' */
export const formatExampleShare = (feePercent: number): string =>
  `${formatAmount(exampleFee(feePercent), 'GBP')} of ${formatAmount(EXAMPLE_FEE, 'GBP')}`;

const minutesBefore = ({ noticeHours, dayBeforeTime }: CancellationTier): number =>
  dayBeforeTime === null
    ? (noticeHours ?? 0) * 60
    : EXAMPLE_MINUTES + DAY_MINUTES - minuteOfDay(dayBeforeTime);

/** The steps that raise the cost of the example lesson, in the order in which they take effect. */
export function effectiveTiers(tiers: readonly CancellationTier[]): CancellationTier[] {
  const steps: CancellationTier[] = [];
  for (const tier of tiers.toSorted((a, b) => minutesBefore(b) - minutesBefore(a))) {
    const last = steps.at(-1);
    if (tier.feePercent <= (last?.feePercent ?? 0)) continue;
    // Of two steps with the same cut-off, the higher percentage counts.
    if (last && minutesBefore(last) === minutesBefore(tier)) steps.pop();
    steps.push(tier);
  }
  return steps;
}

/** Whether another step of the same kind makes this one redundant, whatever the time of the lesson. */
export const isRedundant = (tier: CancellationTier, others: readonly CancellationTier[]): boolean =>
  others.some(
    (other) =>
      (other.dayBeforeTime === null) === (tier.dayBeforeTime === null) &&
      minutesBefore(other) >= minutesBefore(tier) &&
      other.feePercent >= tier.feePercent &&
      // Of two equal steps, neither is marked.
      (minutesBefore(other) > minutesBefore(tier) || other.feePercent > tier.feePercent),
  );

/** 'until 24 hours before' */
export function formatUntil(tier: CancellationTier): string {
  if (tier.noticeHours === 0) return 'until the lesson starts';
  return `until ${formatCutOff(tier)}${tier.dayBeforeTime === null ? ' before' : ''}`;
}

/** 'less than 24 hours before' or 'after 6pm the day before' */
export function formatAfter(tier: CancellationTier): string {
  if (tier.noticeHours === 0) return 'after the lesson starts';
  return tier.dayBeforeTime === null
    ? `less than ${formatCutOff(tier)} before`
    : `after ${formatCutOff(tier)}`;
}

/** As worded in the family portal: 'Free to cancel until Mon 4:30pm'. */
export function formatFreeUntil(tier: CancellationTier, today: string): string {
  const minutes = EXAMPLE_MINUTES - minutesBefore(tier);
  const days = Math.floor(minutes / DAY_MINUTES);
  const date = addDaysToDate(exampleDate(today), days);
  const rest = minutes - days * DAY_MINUTES;
  const time = [Math.floor(rest / 60), rest % 60].map((n) => String(n).padStart(2, '0')).join(':');
  const day = days > -7 ? shortWeekdayName(date) : `${formatShortDate(date, today)},`;
  return `Free to cancel until ${day} ${formatTime12(time)}`;
}

export const formatCostNow = (
  { feePercent }: CancellationTier,
  freeCancellationsLeft: number,
): string => formatCancellationCost(exampleFee(feePercent), 'GBP', freeCancellationsLeft);
