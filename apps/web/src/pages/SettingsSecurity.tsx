import type { SecurityOverview } from '@lessonbook/contract/security';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { ActiveLogins } from '../features/accounts/ActiveLogins.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { PasskeysCard } from '../features/accounts/PasskeysCard.tsx';
import {
  AuthenticatorCard,
  GoogleSignInCard,
  PasswordCard,
  RecoveryCodesCard,
} from '../features/accounts/PasswordAndMfaCards.tsx';
import classes from '../features/accounts/Security.module.css';
import { loginsQuery, securityQuery } from '../features/accounts/security-api.ts';
import { formatDateWithYear } from '../lib/format.ts';
import { toLocalDate } from '../lib/format-timestamp.ts';

const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('../features/accounts/MfaDialogs.tsx')).RecoveryCodesDialog,
}));

export function SettingsSecurityPage() {
  const security = useQuery(securityQuery);
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      {security.isPending && (
        <Card>
          <RowSkeleton rows={3} />
        </Card>
      )}
      {security.isError && !security.data && (
        <Card>
          <LoadError onRetry={() => void security.refetch()}>
            How your account is guarded could not be loaded.
          </LoadError>
        </Card>
      )}
      {security.data && <SecuritySections security={security.data} />}
    </NarrowContainer>
  );
}

function SecuritySections({ security }: { security: SecurityOverview }) {
  const dateContext = useTutor();
  const { data: logins } = useQuery(loginsQuery);
  const [codes, setCodes] = useState<string[]>([]);
  const deviceName = logins?.find(({ isCurrent }) => isCurrent)?.device ?? 'This device';
  const locked = security.isDemo;
  const formatDay = (timestamp: string) => formatDateWithYear(toLocalDate(timestamp, dateContext));
  const hasSecondFactor = security.authenticatorOn || security.passkeys.length > 0;
  return (
    <>
      {locked && (
        <Card>
          <p>This is the demo, which everybody may try: nothing about its login can be changed.</p>
        </Card>
      )}
      <PasswordCard hasPassword={security.hasPassword} locked={locked} />
      {security.passkeysOffered && (
        <PasskeysCard
          passkeys={security.passkeys}
          locked={locked}
          dateContext={dateContext}
          deviceName={deviceName}
          onRecoveryCodes={setCodes}
        />
      )}
      {(security.authenticatorOffered || security.authenticatorOn) && (
        <AuthenticatorCard
          isOn={security.authenticatorOn}
          locked={locked}
          onRecoveryCodes={setCodes}
        />
      )}
      {hasSecondFactor && (
        <RecoveryCodesCard
          remaining={security.recoveryCodesLeft}
          madeOn={security.recoveryCodesCreatedAt && formatDay(security.recoveryCodesCreatedAt)}
          locked={locked}
          onRecoveryCodes={setCodes}
        />
      )}
      {security.googleLinkedAt && (
        <GoogleSignInCard connectedOn={formatDay(security.googleLinkedAt)} />
      )}
      <ActiveLogins dateContext={dateContext} locked={locked} />
      {!locked && (
        <Card
          heading="Review access"
          aside={
            <ButtonLink to="/settings/security/review" variant="light">
              Review
            </ButtonLink>
          }
        >
          <p className={classes.text}>
            Logins, passkeys, Google and calendars: everything that can open your account or see
            your lessons, in one list.
          </p>
        </Card>
      )}
      <LazyMount opened={codes.length > 0}>
        <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />
      </LazyMount>
    </>
  );
}
