import type { InvoicePeriod } from '@lessonbook/contract/invoices';
import { periodRange } from '@lessonbook/contract/periods';

export const PRESETS = ['last_month', 'this_month', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

export const presetLabels: Record<Preset, string> = {
  last_month: 'Last month',
  this_month: 'This month',
  custom: 'Custom',
};

/** The dates of a preset; a custom period starts from the current dates. */
export function toDateRange(preset: Preset, today: string, current: DateRange): DateRange {
  if (preset === 'custom') return { from: current.from, to: current.to };
  const { from, to } = periodRange(preset, today);
  return { from: from ?? today, to: to ?? today };
}

export type DateRange = Pick<InvoicePeriod, 'from' | 'to'>;
