import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { policyQuery } from './policy-api.ts';
import { policyInShort } from './policy-words.ts';

const PolicySheet = lazy(async () => ({
  default: (await import('./PolicySheet.tsx')).PolicySheet,
}));

/** The row in Settings; the sheet behind it comes when it is opened. */
export function PolicySettings() {
  const [opened, setOpened] = useState(false);
  const policy = useQuery(policyQuery);
  return (
    <>
      <SettingsButton
        label="Cancellation policy"
        {...(policy.data && { value: policyInShort(policy.data) })}
        onClick={() => setOpened(true)}
      />
      <WhenOpened opened={opened}>
        <PolicySheet opened={opened} onClose={() => setOpened(false)} />
      </WhenOpened>
    </>
  );
}
