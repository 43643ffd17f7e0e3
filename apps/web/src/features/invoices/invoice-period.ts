import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import type { InvoicePeriod } from '@lessonbook/contract/invoice-inputs';
import { periodRange } from '@lessonbook/contract/report-periods';

export const PRESETS = ['everything', 'last_month', 'this_month', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

export const presetLabels: Record<Preset, string> = {
  everything: 'All',
  last_month: 'Last month',
  this_month: 'This month',
  custom: 'Custom',
};

/** The dates of a preset; a custom period starts from the current dates. */
export function toDateRange(preset: Preset, today: string, current: DateRange): DateRange {
  // A date picker cannot show the earliest date.
  if (preset === 'custom' && current.from !== EARLIEST_DATE) {
    return { from: current.from, to: current.to };
  }
  const month = preset === 'last_month' ? 'last_month' : 'this_month';
  const { from, to } = periodRange(month, today);
  return { from: preset === 'everything' ? EARLIEST_DATE : (from ?? today), to: to ?? today };
}

export type DateRange = Pick<InvoicePeriod, 'from' | 'to'>;
