import { Switch } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Segments } from '../../components/Segments.tsx';
import { shortDate } from '../../lib/format.ts';
import { type Days, daysOf, PRESETS, type Preset, presetNames } from './invoice-period.ts';
import classes from './PeriodFields.module.css';

export interface ChosenPeriod extends Days {
  preset: Preset;
  includeComing: boolean;
}

interface Props {
  period: ChosenPeriod;
  onChange: (period: ChosenPeriod) => void;
  today: string;
}

/* The calendar is for those who want other days. */
const CustomDays = lazy(async () => ({ default: (await import('./CustomDays.tsx')).CustomDays }));

const presets = PRESETS.map((value) => ({ value, label: presetNames[value] }));

/** Last month, unless told otherwise: that is what most tutors invoice. */
export const usualPeriod = (today: string): ChosenPeriod => ({
  preset: 'last_month',
  includeComing: false,
  ...daysOf('last_month', today, { from: today, to: today }),
});

/** Which lessons an invoice is about. */
export function PeriodFields({ period, onChange, today }: Props) {
  const { preset, from, to, includeComing } = period;
  return (
    <>
      <Segments
        label="Period"
        shown
        value={preset}
        options={presets}
        onChange={(next) => onChange({ ...period, preset: next, ...daysOf(next, today, period) })}
      />
      {preset === 'custom' ? (
        <Suspense fallback={<div className={classes.wait} />}>
          <CustomDays
            days={{ from, to }}
            onChange={(days) => onChange({ ...period, ...days })}
            today={today}
          />
        </Suspense>
      ) : (
        <p className={classes.words}>
          {shortDate(from, today)} to {shortDate(to, today)}
        </p>
      )}
      <Switch
        size="md"
        label="Include lessons still to come"
        description="Their fee is charged when the invoice is issued"
        labelPosition="left"
        withThumbIndicator={false}
        checked={includeComing}
        classNames={{ body: classes.switch ?? '', labelWrapper: classes.label ?? '' }}
        onChange={(event) => onChange({ ...period, includeComing: event.currentTarget.checked })}
      />
    </>
  );
}
