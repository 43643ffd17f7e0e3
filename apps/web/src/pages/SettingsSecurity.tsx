import type { Security } from '@lessonbook/contract/security';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Column } from '../components/Column.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { WhenOpened } from '../components/WhenOpened.tsx';
import { AuthenticatorSecurity } from '../features/accounts/AuthenticatorSecurity.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { ConfirmGate } from '../features/accounts/ConfirmGate.tsx';
import { LoginList } from '../features/accounts/LoginList.tsx';
import { PasskeySecurity } from '../features/accounts/PasskeySecurity.tsx';
import { PasswordSecurity } from '../features/accounts/PasswordSecurity.tsx';
import { RecoveryCodes } from '../features/accounts/RecoveryCodes.tsx';
import { loginsQuery, securityQuery } from '../features/accounts/security-api.ts';

const NewCodesDialog = lazy(async () => ({
  default: (await import('../features/accounts/NewCodesDialog.tsx')).NewCodesDialog,
}));

export function SettingsSecurityPage() {
  const security = useQuery(securityQuery);
  return (
    <Column>
      <PageHeader
        title="Security"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      {security.isPending && (
        <Sheet>
          <RowSkeleton rows={3} />
        </Sheet>
      )}
      {security.isError && !security.data && (
        <Sheet>
          <LoadError onRetry={() => void security.refetch()}>
            How your account is guarded could not be loaded.
          </LoadError>
        </Sheet>
      )}
      {security.data && (
        <ConfirmGate>
          <Guards security={security.data} />
        </ConfirmGate>
      )}
    </Column>
  );
}

function Guards({ security }: { security: Security }) {
  const wall = useTutor();
  const { data: logins } = useQuery(loginsQuery);
  const [codes, setCodes] = useState<string[]>([]);
  const thisDevice = logins?.find(({ isThis }) => isThis)?.device ?? 'This device';
  const locked = security.isDemo;
  const hasFactor = security.authenticatorOn || security.passkeys.length > 0;
  return (
    <>
      {locked && (
        <Sheet>
          <p>This is the demo, which everybody may try: nothing about its login can be changed.</p>
        </Sheet>
      )}
      <PasswordSecurity hasPassword={security.hasPassword} locked={locked} />
      {security.passkeysOffered && (
        <PasskeySecurity
          passkeys={security.passkeys}
          locked={locked}
          wall={wall}
          thisDevice={thisDevice}
          onCodes={setCodes}
        />
      )}
      {(security.authenticatorOffered || security.authenticatorOn) && (
        <AuthenticatorSecurity isOn={security.authenticatorOn} locked={locked} onCodes={setCodes} />
      )}
      {hasFactor && (
        <RecoveryCodes left={security.recoveryCodesLeft} locked={locked} onCodes={setCodes} />
      )}
      <LoginList wall={wall} locked={locked} />
      <WhenOpened opened={codes.length > 0}>
        <NewCodesDialog codes={codes} onClose={() => setCodes([])} />
      </WhenOpened>
    </>
  );
}
