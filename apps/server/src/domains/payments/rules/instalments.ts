import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Instalment } from '@lessonbook/contract/instalments';
import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

/**
 * The outstanding amount of each instalment. Anything that reduces the charges of the plan counts towards the earliest
 * instalments; the later ones stay as agreed.
 */
export function withOutstandingAmounts<T extends Pick<Instalment, 'amount'>>(
  instalments: readonly T[],
  outstandingOfPlan: number,
): (T & { outstanding: number })[] {
  let later = instalments.reduce((sum, { amount }) => sum + amount, 0);
  return instalments.map((instalment) => {
    later -= instalment.amount;
    const outstanding = Math.min(instalment.amount, Math.max(0, outstandingOfPlan - later));
    return { ...instalment, outstanding };
  });
}

/** When a date begins in a time zone. */
export const startOfDay = (timeZone: string, date: string): Date =>
  fromEpochMs(Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds);

/**
 * The next date on which an instalment becomes due or can be missed; null if there is none. A payment can be reversed long after
 * the instalment was due, so each one that is due and not missed is checked every day.
 */
export function nextCheckDate(
  instalments: readonly { dueOn: string; isDue: boolean; isMissed: boolean }[],
  today: string,
): string | null {
  const dates = instalments.flatMap(({ dueOn, isDue, isMissed }) => {
    if (!isDue) return dueOn;
    return isMissed ? [] : addDaysToDate(today, 1);
  });
  return dates.toSorted()[0] ?? null;
}
