import {
  CancellationPolicyInput,
  type CancellationPolicySettings,
  CancellationTier,
} from '@lessonbook/contract/cancellation-policy-settings';
import { ActionIcon, Button, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { DateField } from '../../components/DateField.tsx';
import { PageHeader, StickyActions } from '../../components/PageLayoutParts.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import classes from './CancellationPolicy.module.css';
import { CancellationPolicyPreview } from './CancellationPolicyPreview.tsx';
import { CancellationTierFields, type TierValues } from './CancellationTierFields.tsx';
import { useUpdatePolicy, useWithdrawPlannedPolicy } from './cancellation-policy-api.ts';
import { formatPolicy, formatStart } from './cancellation-policy-format.ts';

const MAX_FREE_LATE_CANCELLATIONS = 10;

interface PolicyFormValues {
  tiers: TierValues[];
  freeLateCancellations: number;
  illnessNote: string;
  /** Empty while the family portal is closed. */
  startsOn: string;
}

/** The form edits the planned change or, if there is none, the current policy. */
function toFormValues(settings: CancellationPolicySettings): PolicyFormValues {
  const { current, planned, earliestStart, isPortalOpen } = settings;
  const { tiers, freeLateCancellations, illnessNote } = planned ?? current;
  const startsOn = planned && planned.startsOn > earliestStart ? planned.startsOn : earliestStart;
  return {
    tiers: tiers.map(({ noticeHours, dayBeforeTime, feePercent }) => ({
      kind: dayBeforeTime === null ? 'hours' : 'time',
      noticeHours: noticeHours === null ? '' : String(noticeHours),
      dayBeforeTime: dayBeforeTime ?? '',
      feePercent: String(feePercent),
    })),
    freeLateCancellations,
    illnessNote: illnessNote ?? '',
    startsOn: isPortalOpen ? startsOn : '',
  };
}

/** Returns NaN for text that is not a whole number, so that the field shows its own message. */
function parseWholeNumber(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isInteger(number) ? number : Number.NaN;
}

const toTier = ({ kind, noticeHours, dayBeforeTime, feePercent }: TierValues) => ({
  noticeHours: kind === 'hours' ? parseWholeNumber(noticeHours) : null,
  dayBeforeTime: kind === 'time' ? dayBeforeTime : null,
  feePercent: parseWholeNumber(feePercent),
});

type PolicyInput = z.input<typeof CancellationPolicyInput>;

const toInput = ({ tiers, startsOn, ...fields }: PolicyFormValues): PolicyInput => ({
  ...fields,
  tiers: tiers.map(toTier),
  startsOn: startsOn || null,
});

const PolicyFormSchema = z.pipe(
  z.transform<PolicyFormValues, PolicyInput>(toInput),
  CancellationPolicyInput,
);

/** Null for a step that is not complete yet. */
const toValidTier = (values: TierValues): CancellationTier | null =>
  CancellationTier.safeParse(toTier(values)).data ?? null;

interface Props {
  settings: CancellationPolicySettings;
  today: string;
}

export function CancellationPolicyForm({ settings, today }: Props) {
  const initialValues = toFormValues(settings);
  const policyForm = useForm<PolicyFormValues>({
    schema: PolicyFormSchema,
    initialValues,
    mode: 'controlled',
  });
  useRefreshUnchangedFields(policyForm, initialValues);
  const { values, errors, change, onSubmit, replace } = policyForm;
  const update = useUpdatePolicy();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const validTiers = values.tiers.map(toValidTier);
  const tiers = validTiers.filter((tier) => tier !== null);

  const saveButton = (
    <Button type="submit" fullWidth={isPhone} disabled={update.isPending}>
      {update.isPending ? 'Saving...' : 'Save changes'}
    </Button>
  );
  return (
    <form
      noValidate
      className={classes.page}
      onSubmit={onSubmit(
        (input) => update.mutateAsync(toInput(input)),
        (saved) => replace(toFormValues(saved)),
      )}
    >
      <PageHeader
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
        action={!isPhone && saveButton}
      />
      {settings.planned && <PlannedChange settings={settings} today={today} />}
      <div className={classes.columns}>
        <div className={classes.column}>
          <CancellationTierFields
            values={values.tiers}
            validTiers={validTiers}
            errors={errors}
            onChange={(next) => change({ tiers: next })}
          />
          <Card heading="Goodwill">
            <FreeLateCancellations
              value={values.freeLateCancellations}
              onChange={(freeLateCancellations) => change({ freeLateCancellations })}
            />
            <Textarea
              label="If a child is ill"
              description="Families see this when they cancel because of illness"
              placeholder="E.g. Once a term, I won't charge you if you let me know by 9am."
              size="md"
              rows={2}
              maxLength={300}
              className={classes.illness}
              value={values.illnessNote}
              onChange={(event) => change({ illnessNote: event.currentTarget.value })}
              error={errors.illnessNote}
              data-path="illnessNote"
            />
          </Card>
        </div>
        <div className={classes.column}>
          {(tiers.length > 0 || values.tiers.length === 0) && (
            <CancellationPolicyPreview
              tiers={tiers}
              freeLateCancellations={values.freeLateCancellations}
              today={today}
            />
          )}
          {settings.isPortalOpen && (
            <Card heading="When it applies">
              <p className={classes.text}>
                Families can see this policy, so changes can apply to lessons from{' '}
                {formatStart(settings.earliestStart, today)} at the earliest. Lessons already booked
                keep the old policy if it's more lenient.
              </p>
              <DateField
                label="First lesson date"
                placeholder="Pick a date"
                today={today}
                earliest={settings.earliestStart}
                value={values.startsOn}
                onChange={(startsOn) => change({ startsOn })}
                error={errors.startsOn}
                path="startsOn"
              />
            </Card>
          )}
        </div>
      </div>
      {isPhone && <StickyActions>{saveButton}</StickyActions>}
    </form>
  );
}

interface StepperProps {
  value: number;
  onChange: (value: number) => void;
}

function FreeLateCancellations({ value, onChange }: StepperProps) {
  const id = useId();
  return (
    <div className={classes.stepper} role="group" aria-labelledby={id}>
      <p>
        <b id={id}>Free late cancellations</b>
        <small>For each student, each term</small>
      </p>
      <ActionIcon
        variant="default"
        size={44}
        radius="md"
        aria-label="One fewer free late cancellation"
        disabled={value === 0}
        onClick={() => onChange(value - 1)}
      >
        <IconMinus size={18} stroke={1.8} />
      </ActionIcon>
      <output aria-live="polite">{value}</output>
      <ActionIcon
        variant="default"
        size={44}
        radius="md"
        aria-label="One more free late cancellation"
        disabled={value >= MAX_FREE_LATE_CANCELLATIONS}
        onClick={() => onChange(value + 1)}
      >
        <IconPlus size={18} stroke={1.8} />
      </ActionIcon>
    </div>
  );
}

function PlannedChange({ settings, today }: Props) {
  const withdraw = useWithdrawPlannedPolicy();
  const { current, planned } = settings;
  if (!planned) return null;
  return (
    <Card heading="Planned change">
      <div className={classes.planned}>
        <p>
          Now: {formatPolicy(current)}
          <br />
          <b>From {formatStart(planned.startsOn, today)}:</b> {formatPolicy(planned)}
        </p>
        <Button variant="default" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Withdraw this change
        </Button>
      </div>
    </Card>
  );
}
