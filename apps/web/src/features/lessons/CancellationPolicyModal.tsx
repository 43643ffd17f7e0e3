import { CancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
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
        <LoadError onRetry={() => void policy.refetch()}>The policy could not be loaded.</LoadError>
      )}
    </ResponsiveModal>
  );
}

function PolicyForm({ policy, onClose }: { policy: CancellationPolicy; onClose: () => void }) {
  const [hours, setHours] = useState(String(policy.noticeHours));
  const [percent, setPercent] = useState(String(policy.feePercent));
  const update = useUpdatePolicy();
  const parsed = CancellationPolicy.safeParse({
    noticeHours: parseNumber(hours),
    feePercent: parseNumber(percent),
  });
  const message = (field: string) =>
    parsed.error?.issues.find(({ path }) => path[0] === field)?.message;

  return (
    <div className={classes.form}>
      <TextInput
        label="Notice in hours"
        inputMode="numeric"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        error={message('noticeHours')}
      />
      <TextInput
        label="Fee for less notice, in percent"
        inputMode="numeric"
        value={percent}
        onChange={(event) => setPercent(event.currentTarget.value)}
        error={message('feePercent')}
      />
      <p className={classes.hint}>
        {parsed.success && formatPolicy(parsed.data)} You can waive it each time; your own
        cancellations never charge.
      </p>
      <ModalActions
        onCancel={onClose}
        confirmLabel="Save Changes"
        busyLabel="Saving..."
        isBusy={update.isPending}
        disabled={!parsed.success}
        onConfirm={() => parsed.success && update.mutate(parsed.data, { onSuccess: onClose })}
      />
    </div>
  );
}

const parseNumber = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text);
