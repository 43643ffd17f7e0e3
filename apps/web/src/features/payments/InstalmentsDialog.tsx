import { type Arrears, InstalmentPlanInput } from '@lessonbook/contract/arrears';
import { addMonthsToDate } from '@lessonbook/contract/dates';
import type { FamilyDetails } from '@lessonbook/contract/families';
import {
  type InstalmentFrequency,
  instalmentDates,
  MAX_INSTALMENTS,
  MIN_INSTALMENTS,
  splitIntoInstalments,
} from '@lessonbook/contract/instalments';
import type { Currency } from '@lessonbook/contract/money';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { InstalmentList } from '../../components/InstalmentList.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { firstName, formatAmount, formatShortDate } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { arrearsQuery, useAgreeInstalments } from './instalments-and-write-offs-api.ts';
import classes from './WriteOffDialog.module.css';

interface Props {
  family: Pick<FamilyDetails, 'id' | 'name'>;
  today: string;
  opened: boolean;
  onClose: () => void;
}

/** Instalments for what is overdue. The dates and amounts are shown before they are saved. */
export function InstalmentsDialog({ opened, onClose, family, today }: Props) {
  const { data, isError, refetch } = useQuery({ ...arrearsQuery(family.id), enabled: opened });
  return (
    <Dialog title="Agree instalments" opened={opened} onClose={onClose}>
      {data && <InstalmentsForm arrears={data} {...{ family, today, onClose }} />}
      {!data && !isError && <RowSkeleton rows={4} />}
      {!data && isError && (
        <LoadError onRetry={() => void refetch()}>We couldn't load this account.</LoadError>
      )}
    </Dialog>
  );
}

interface InstalmentsFormValues {
  currency: Currency;
  count: string;
  frequency: InstalmentFrequency;
  firstOn: string;
}

const FREQUENCIES = [
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
] as const;

const COUNT_OPTIONS = Array.from({ length: MAX_INSTALMENTS - MIN_INSTALMENTS + 1 }, (_, index) =>
  String(MIN_INSTALMENTS + index),
);

/** The amounts that a new plan can cover, by currency: overdue, not in a plan and not on hold. */
export function sumOverdueWithoutPlan({ charges, plans }: Arrears) {
  const sums = new Map<Currency, number>();
  for (const { currency, outstanding, isOverdue, isOnHold } of charges) {
    if (!isOverdue || isOnHold || plans.some((plan) => plan.currency === currency)) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + outstanding);
  }
  return sums;
}

function InstalmentsForm({
  arrears,
  family,
  today,
  onClose,
}: Omit<Props, 'opened'> & { arrears: Arrears }) {
  const agree = useAgreeInstalments();
  const overdue = sumOverdueWithoutPlan(arrears);
  const currencies = [...overdue.keys()];
  const toInput = ({ count, ...values }: InstalmentsFormValues) => ({
    ...values,
    amount: overdue.get(values.currency) ?? 0,
    count: Number(count),
  });
  const { values, errors, change, onSubmit, keyFor } = useForm<InstalmentsFormValues>({
    schema: z.pipe(
      z.transform<InstalmentsFormValues, z.input<typeof InstalmentPlanInput>>(toInput),
      InstalmentPlanInput,
    ),
    initialValues: {
      currency: currencies[0] ?? 'GBP',
      count: '3',
      frequency: 'monthly',
      firstOn: `${addMonthsToDate(today, 1).slice(0, 7)}-01`,
    },
    mode: 'controlled',
  });
  const { currency, count, frequency, firstOn } = values;
  const amount = overdue.get(currency) ?? 0;
  const input = InstalmentPlanInput.safeParse(toInput(values));
  const save = onSubmit((form) => {
    const request = { params: { id: family.id }, body: toInput(form) };
    return agree.mutateAsync({ ...request, idempotencyKey: keyFor(request) });
  }, onClose);
  if (currencies.length === 0)
    return <p className={classes.nothing}>Nothing is overdue on this account.</p>;
  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submitLabel="Agree instalments"
      isBusy={agree.isPending}
    >
      {currencies.length > 1 && (
        <SegmentedControl
          label="Currency"
          showLabel
          value={currency}
          options={currencies.map((value) => ({ value, label: value }))}
          onChange={(value) => change({ currency: value })}
        />
      )}
      <p>
        <b>{formatAmount(amount, currency)}</b> of {firstName(family.name)}'s balance is overdue.
      </p>
      <FieldPair alwaysSideBySide>
        <Select
          label="Instalments"
          data={COUNT_OPTIONS}
          value={count}
          onChange={(value) => change({ count: value ?? '3' })}
          error={errors.count}
          data-path="count"
        />
        <SegmentedControl
          label="How often"
          showLabel
          value={frequency}
          options={FREQUENCIES}
          onChange={(value) => change({ frequency: value })}
        />
      </FieldPair>
      <DateField
        label="First instalment"
        value={firstOn}
        onChange={(value) => change({ firstOn: value })}
        today={today}
        earliest={today}
        placeholder="Pick a date"
        error={errors.firstOn}
        path="firstOn"
      />
      {input.success && (
        <InstalmentList
          plan={{ currency, instalments: previewInstalments(input.data) }}
          formatDate={(date) => formatShortDate(date, today)}
        />
      )}
      <ImpactNotice>
        While these are paid, reminders and the payment page ask only for instalments that are due.
        New lessons are due as usual. You'll be notified if an instalment is missed.
      </ImpactNotice>
    </DialogForm>
  );
}

function previewInstalments({ amount, count, frequency, firstOn }: InstalmentPlanInput) {
  const amounts = splitIntoInstalments(amount, count);
  return instalmentDates(firstOn, count, frequency).map((dueOn, index) => {
    const instalmentAmount = amounts[index] ?? 0;
    return { dueOn, amount: instalmentAmount, outstanding: instalmentAmount, isDue: false };
  });
}
