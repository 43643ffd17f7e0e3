import { CancellationPolicy } from '@lessonbook/contract/time-off';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { policyQuery, useUpdatePolicy } from './policy-api.ts';
import { policyInWords } from './policy-words.ts';
import classes from './SessionSheets.module.css';

export function PolicySheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const policy = useQuery(policyQuery);
  return (
    <BottomSheet title="Cancellation policy" opened={opened} onClose={onClose}>
      {policy.data && <PolicyForm policy={policy.data} onClose={onClose} />}
      {policy.isPending && <RowSkeleton rows={2} />}
      {policy.isError && !policy.data && (
        <LoadError onRetry={() => void policy.refetch()}>The policy could not be loaded.</LoadError>
      )}
    </BottomSheet>
  );
}

function PolicyForm({ policy, onClose }: { policy: CancellationPolicy; onClose: () => void }) {
  const [hours, setHours] = useState(String(policy.noticeHours));
  const [percent, setPercent] = useState(String(policy.feePercent));
  const update = useUpdatePolicy();
  const checked = CancellationPolicy.safeParse({
    noticeHours: number(hours),
    feePercent: number(percent),
  });
  const message = (field: string) =>
    checked.error?.issues.find(({ path }) => path[0] === field)?.message;

  return (
    <div className={classes.sheet}>
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
        {checked.success && policyInWords(checked.data)} You can waive it each time; your own
        cancellations never charge.
      </p>
      <SheetButtons
        onCancel={onClose}
        confirm="Save Changes"
        busy="Saving..."
        isBusy={update.isPending}
        disabled={!checked.success}
        onConfirm={() => checked.success && update.mutate(checked.data, { onSuccess: onClose })}
      />
    </div>
  );
}

const number = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text);
