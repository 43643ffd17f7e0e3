import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { formatPolicyShort, policyQuery } from './cancellation-policy-api.ts';

const CancellationPolicyModal = lazy(async () => ({
  default: (await import('./CancellationPolicyModal.tsx')).CancellationPolicyModal,
}));

/** The row in Settings. Its modal is loaded when first opened. */
export function CancellationPolicySetting() {
  const [opened, setOpened] = useState(false);
  const policy = useQuery(policyQuery);
  return (
    <>
      <SettingsButton
        label="Cancellation policy"
        {...(policy.data && { value: formatPolicyShort(policy.data) })}
        onClick={() => setOpened(true)}
      />
      <LazyMount opened={opened}>
        <CancellationPolicyModal opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}
