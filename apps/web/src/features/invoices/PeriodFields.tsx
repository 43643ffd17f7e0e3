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
const DateRangeFields = lazy(async () => ({
  default: (await import('../../components/DateRangeFields.tsx')).DateRangeFields,
}));

const presets = PRESETS.map((value) => ({ value, label: presetLabels[value] }));

/** Everything that is not invoiced yet, so that no unpaid lesson is left out. */
export const defaultPeriod = (today: string): ChosenPeriod => ({
  preset: 'everything',
  includeUpcoming: false,
  ...toDateRange('everything', today, { from: today, to: today }),
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
          <DateRangeFields
            days={{ from, to }}
            onChange={(days) => onChange({ ...period, ...days })}
            today={today}
          />
        </Suspense>
      ) : (
        <p className={classes.text}>
          {preset === 'everything'
            ? `Unpaid charges${includeUpcoming ? ' and upcoming lessons' : ''} not yet invoiced, up to ${formatShortDate(to, today)}`
            : `${formatShortDate(from, today)} to ${formatShortDate(to, today)}`}
        </p>
      )}
      <Switch
        size="md"
        label="Include upcoming lessons"
        description="They're charged when the invoice is issued"
        labelPosition="left"
        withThumbIndicator={false}
        checked={includeUpcoming}
        classNames={{ body: classes.switch ?? '', labelWrapper: classes.label ?? '' }}
        onChange={(event) => onChange({ ...period, includeUpcoming: event.currentTarget.checked })}
      />
    </>
  );
}
