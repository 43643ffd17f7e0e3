import { Switch } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { formatShortDate } from '../../lib/format.ts';
import {
  type DateRange,
  PRESETS,
  type Preset,
  presetLabels,
  toDateRange,
} from './invoice-period.ts';
import classes from './PeriodFields.module.css';

export interface ChosenPeriod extends DateRange {
  preset: Preset;
  includeUpcoming: boolean;
}

interface Props {
  period: ChosenPeriod;
  onChange: (period: ChosenPeriod) => void;
  today: string;
}

/* The date picker is loaded only for a custom period. */
const CustomDateRange = lazy(async () => ({
  default: (await import('./CustomDateRange.tsx')).CustomDateRange,
}));

const presets = PRESETS.map((value) => ({ value, label: presetLabels[value] }));

/** Last month, the period that most tutors invoice. */
export const defaultPeriod = (today: string): ChosenPeriod => ({
  preset: 'last_month',
  includeUpcoming: false,
  ...toDateRange('last_month', today, { from: today, to: today }),
});

export function PeriodFields({ period, onChange, today }: Props) {
  const { preset, from, to, includeUpcoming } = period;
  return (
    <>
      <SegmentedControl
        label="Period"
        showLabel
        value={preset}
        options={presets}
        onChange={(next) =>
          onChange({ ...period, preset: next, ...toDateRange(next, today, period) })
        }
      />
      {preset === 'custom' ? (
        <Suspense fallback={<div className={classes.placeholder} />}>
          <CustomDateRange
            days={{ from, to }}
            onChange={(days) => onChange({ ...period, ...days })}
            today={today}
          />
        </Suspense>
      ) : (
        <p className={classes.text}>
          {formatShortDate(from, today)} to {formatShortDate(to, today)}
        </p>
      )}
      <Switch
        size="md"
        label="Include lessons still to come"
        description="Their fee is charged when the invoice is issued"
        labelPosition="left"
        withThumbIndicator={false}
        checked={includeUpcoming}
        classNames={{ body: classes.switch ?? '', labelWrapper: classes.label ?? '' }}
        onChange={(event) => onChange({ ...period, includeUpcoming: event.currentTarget.checked })}
      />
    </>
  );
}
