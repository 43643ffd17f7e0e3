import { CancellationPolicy } from '@lessonbook/contract/time-off';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { policyQuery, useUpdatePolicy } from './api.ts';
import classes from './SessionSheets.module.css';

/** The row in Settings, and the sheet behind it. */
export function PolicySettings() {
  const [opened, setOpened] = useState(false);
  const policy = useQuery(policyQuery);
  const close = () => setOpened(false);
  return (
    <>
      <SettingsButton
        label="Cancellation policy"
        {...(policy.data && { value: short(policy.data) })}
        onClick={() => setOpened(true)}
      />
      <BottomSheet title="Cancellation policy" opened={opened} onClose={close}>
        {policy.data && <PolicyForm policy={policy.data} onClose={close} />}
        {policy.isPending && <RowSkeleton rows={2} />}
        {policy.isError && !policy.data && (
          <LoadError onRetry={() => void policy.refetch()}>
            The policy could not be loaded.
          </LoadError>
        )}
      </BottomSheet>
    </>
  );
}

const isFree = ({ noticeHours, feePercent }: CancellationPolicy) =>
  noticeHours === 0 || feePercent === 0;

/** '24 h, 100 %' */
const short = (policy: CancellationPolicy): string =>
  isFree(policy) ? 'Free' : `${policy.noticeHours} h, ${policy.feePercent} %`;

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
        {checked.success && inWords(checked.data)} You can waive it each time; your own
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

const inWords = (policy: CancellationPolicy): string =>
  isFree(policy)
    ? 'Cancelling is always free.'
    : `With less than ${policy.noticeHours} h of notice, ${policy.feePercent} % of the fee is proposed.`;
