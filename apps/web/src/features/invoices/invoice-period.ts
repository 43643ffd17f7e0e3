import type { InvoicePeriod } from '@lessonbook/contract/invoices';
import { rangeOfPeriod } from '@lessonbook/contract/periods';

export const PRESETS = ['last_month', 'this_month', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

export const presetNames: Record<Preset, string> = {
  last_month: 'Last month',
  this_month: 'This month',
  custom: 'Custom',
};

/** The days of a preset; a custom period begins with those that were chosen before. */
export function daysOf(preset: Preset, today: string, before: Days): Days {
  if (preset === 'custom') return { from: before.from, to: before.to };
  const { from, to } = rangeOfPeriod(preset, today);
  return { from: from ?? today, to: to ?? today };
}

export type Days = Pick<InvoicePeriod, 'from' | 'to'>;
