import {
  type CancellationTier,
  MAX_CANCELLATION_TIERS,
} from '@lessonbook/contract/cancellation-policy-settings';
import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Card } from '../../components/Card.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import classes from './CancellationPolicy.module.css';
import {
  effectiveTiers,
  formatAfter,
  formatExampleShare,
  formatUntil,
  isRedundant,
} from './cancellation-policy-format.ts';

type TierKind = 'hours' | 'time';

/** The fields of a step as text. Values of the other kind are kept, so that switching kinds and back loses nothing. */
export interface TierValues {
  kind: TierKind;
  noticeHours: string;
  dayBeforeTime: string;
  feePercent: string;
}

const FIRST_STEP: TierValues = {
  kind: 'hours',
  noticeHours: '24',
  dayBeforeTime: '18:00',
  feePercent: '100',
};

const KIND_OPTIONS = [
  { value: 'hours', label: 'Less than' },
  { value: 'time', label: 'After' },
];

type Errors = Record<string, ReactNode>;

interface Props {
  values: TierValues[];
  /** Null for a step that is not complete yet. */
  validTiers: readonly (CancellationTier | null)[];
  errors: Errors;
  onChange: (values: TierValues[]) => void;
}

export function CancellationTierFields({ values, validTiers, errors, onChange }: Props) {
  const nextStep = values.length === 0 ? FIRST_STEP : { ...FIRST_STEP, noticeHours: '' };
  const tiers = validTiers.filter((tier) => tier !== null);
  return (
    <Card heading="What a cancellation costs">
      {(tiers.length > 0 || values.length === 0) && <CostBar tiers={tiers} />}
      <ol className={classes.steps}>
        {values.map((step, index) => (
          <TierRow
            // Steps have no id, and removing one shifts the values of the others.
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled
            key={index}
            index={index}
            values={step}
            tier={validTiers[index] ?? null}
            others={tiers}
            errors={errors}
            onChange={(fields) => onChange(values.with(index, { ...step, ...fields }))}
            onRemove={() => onChange(values.toSpliced(index, 1))}
          />
        ))}
      </ol>
      {errors.tiers && <p className={classes.error}>{errors.tiers}</p>}
      {values.length < MAX_CANCELLATION_TIERS && (
        <div>
          <Button
            variant="light"
            leftSection={<IconPlus size={18} stroke={1.8} />}
            onClick={() => onChange([...values, nextStep])}
          >
            Add step
          </Button>
        </div>
      )}
      <p className={classes.hint}>
        You can choose not to charge, case by case. Your own cancellations are never charged.
      </p>
    </Card>
  );
}

/** 'Free', '50%', '100%' with the time from which each applies. */
function CostBar({ tiers }: { tiers: readonly CancellationTier[] }) {
  const steps = effectiveTiers(tiers);
  const [first] = steps;
  if (!first) return <p className={classes.text}>Cancelling is always free.</p>;
  return (
    <ul className={classes.bar} aria-label="Summary">
      <li>
        <b>Free</b> {formatUntil(first)}
      </li>
      {steps.map((tier, index) => (
        <li key={tier.feePercent} data-last={index === steps.length - 1 || undefined}>
          <b>{tier.feePercent}%</b> {formatAfter(tier)}
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  index: number;
  values: TierValues;
  tier: CancellationTier | null;
  others: readonly CancellationTier[];
  errors: Errors;
  onChange: (fields: Partial<TierValues>) => void;
  onRemove: () => void;
}

function TierRow({ index, values, tier, others, errors, onChange, onRemove }: RowProps) {
  const step = `step ${index + 1}`;
  const path = (field: keyof CancellationTier) => `tiers.${index}.${field}`;
  const isTime = values.kind === 'time';
  const cutOffPath = path(isTime ? 'dayBeforeTime' : 'noticeHours');
  const cutOffError = errors[cutOffPath];
  const percentError = errors[path('feePercent')];
  return (
    <li className={classes.step}>
      <div className={classes.cutOff}>
        <NativeSelect
          aria-label={`Type for ${step}`}
          size="md"
          data={KIND_OPTIONS}
          value={values.kind}
          onChange={(event) => onChange({ kind: event.currentTarget.value as TierKind })}
        />
        {isTime ? (
          <TimeField
            label={`Time for ${step}`}
            isLabelHidden
            value={values.dayBeforeTime}
            onChange={(dayBeforeTime) => onChange({ dayBeforeTime })}
            error={Boolean(cutOffError)}
            path={cutOffPath}
          />
        ) : (
          <TextInput
            aria-label={`Hours for ${step}`}
            inputMode="numeric"
            autoComplete="off"
            value={values.noticeHours}
            onChange={(event) => onChange({ noticeHours: event.currentTarget.value })}
            error={Boolean(cutOffError)}
            data-path={cutOffPath}
          />
        )}
        <span>{isTime ? 'on the day before' : 'hours before'}</span>
      </div>
      <div className={classes.share}>
        <TextInput
          aria-label={`Percentage for ${step}`}
          inputMode="numeric"
          autoComplete="off"
          rightSection="%"
          value={values.feePercent}
          onChange={(event) => onChange({ feePercent: event.currentTarget.value })}
          error={Boolean(percentError)}
          data-path={path('feePercent')}
        />
        <span className={classes.example}>{tier && formatExampleShare(tier.feePercent)}</span>
        <CloseButton size={44} iconSize={20} aria-label={`Remove ${step}`} onClick={onRemove} />
      </div>
      {(cutOffError || percentError) && (
        <div className={classes.error} role="alert">
          {cutOffError && <p>{cutOffError}</p>}
          {percentError && <p>{percentError}</p>}
        </div>
      )}
      {tier && isRedundant(tier, others) && (
        <p className={classes.note}>
          This step has no effect because another one already charges as much or more.
        </p>
      )}
    </li>
  );
}
