import * as z from 'zod/mini';
import { addDaysToDate, addMonthsToDate } from './dates.ts';
import { currency, minorUnits } from './schema-fields.ts';

/* Instalments for what is overdue on an account. */

export const INSTALMENT_FREQUENCIES = ['weekly', 'monthly'] as const;
export type InstalmentFrequency = (typeof INSTALMENT_FREQUENCIES)[number];

export const MIN_INSTALMENTS = 2;
export const MAX_INSTALMENTS = 24;

export const Instalment = z.object({
  dueOn: z.string(),
  amount: minorUnits,
  /** The unpaid part. */
  left: minorUnits,
  /** Whether the due date has been reached. */
  isDue: z.boolean(),
});
export type Instalment = z.infer<typeof Instalment>;

/** A plan that is not paid yet. */
export const InstalmentPlan = z.object({ currency, instalments: z.array(Instalment) });
export type InstalmentPlan = z.infer<typeof InstalmentPlan>;

/** Whole pennies that add up to the total; the first ones include the odd pennies. */
export function splitIntoInstalments(total: number, count: number): number[] {
  const share = Math.floor(total / count);
  const oddPennies = total - share * count;
  return Array.from({ length: count }, (_, index) => share + (index < oddPennies ? 1 : 0));
}

/** Monthly instalments are on the same day of each month, or on the last day of a shorter month. */
export const instalmentDates = (
  firstOn: string,
  count: number,
  frequency: InstalmentFrequency,
): string[] =>
  Array.from({ length: count }, (_, index) =>
    frequency === 'weekly' ? addDaysToDate(firstOn, 7 * index) : addMonthsToDate(firstOn, index),
  );
