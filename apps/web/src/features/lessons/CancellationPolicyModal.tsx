import { CancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useForm } from '../../lib/use-form.ts';
import { formatPolicy, policyQuery, useUpdatePolicy } from './cancellation-policy-api.ts';
import classes from './SessionModals.module.css';

export function CancellationPolicyModal({
  opened,
  onClose,
}: {
  opened: boolean;
  onClose: () => void;
}) {
  const policy = useQuery(policyQuery);
  return (
    <ResponsiveModal title="Cancellation policy" opened={opened} onClose={onClose}>
      {policy.data && <PolicyForm policy={policy.data} onClose={onClose} />}
      {policy.isPending && <RowSkeleton rows={2} />}
      {policy.isError && !policy.data && (
        <LoadError onRetry={() => void policy.refetch()}>We couldn't load the policy.</LoadError>
      )}
    </ResponsiveModal>
  );
}

interface PolicyFormValues {
  noticeHours: string;
  feePercent: string;
}

/** Empty text is NaN, not zero. */
const parseNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const toInput = (form: PolicyFormValues): CancellationPolicy => ({
  noticeHours: parseNumber(form.noticeHours),
  feePercent: parseNumber(form.feePercent),
});

const PolicyFormSchema = z.pipe(
  z.transform<PolicyFormValues, CancellationPolicy>(toInput),
  CancellationPolicy,
);

function PolicyForm({ policy, onClose }: { policy: CancellationPolicy; onClose: () => void }) {
  const { values, change, onSubmit } = useForm<PolicyFormValues>({
    schema: PolicyFormSchema,
    initialValues: {
      noticeHours: String(policy.noticeHours),
      feePercent: String(policy.feePercent),
    },
    mode: 'controlled',
  });
  const update = useUpdatePolicy();
  const save = onSubmit((input) => update.mutateAsync(toInput(input)), onClose);
  const parsed = PolicyFormSchema.safeParse(values);
  const message = (field: string) =>
    parsed.error?.issues.find(({ path }) => path[0] === field)?.message;

  return (
    <div className={classes.form}>
      <TextInput
        label="Notice period (hours)"
        inputMode="numeric"
        value={values.noticeHours}
        onChange={(event) => change({ noticeHours: event.currentTarget.value })}
        error={message('noticeHours')}
      />
      <TextInput
        label="Late cancellation fee (% of the lesson fee)"
        inputMode="numeric"
        value={values.feePercent}
        onChange={(event) => change({ feePercent: event.currentTarget.value })}
        error={message('feePercent')}
      />
      <p className={classes.hint}>
        {parsed.success && formatPolicy(parsed.data)} You can choose not to charge it, case by case.
        Your own cancellations are never charged.
      </p>
      <ModalActions
        onCancel={onClose}
        confirmLabel="Save Changes"
        busyLabel="Saving..."
        isBusy={update.isPending}
        disabled={!parsed.success}
        onConfirm={() => save()}
      />
    </div>
  );
}
