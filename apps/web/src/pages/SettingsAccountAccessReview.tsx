import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { AccessReview } from '../features/accounts/AccessReview.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { useCompleteAccessReview } from '../features/accounts/mfa-removal-and-email-revert-api.ts';
import { loginsQuery, securityQuery } from '../features/accounts/security-api.ts';

const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('../features/accounts/MfaDialogs.tsx')).RecoveryCodesDialog,
}));

/** Shown after a password reset, and reached from the security settings at any time. */
export function SettingsAccountAccessReviewPage() {
  const tutor = useTutor();
  const security = useQuery(securityQuery);
  const logins = useQuery(loginsQuery);
  const [codes, setCodes] = useState<string[]>([]);
  const complete = useCompleteAccessReview();
  const navigate = useNavigate();
  const finish = () =>
    complete.mutate(undefined, {
      onSuccess: () => void navigate({ to: '/settings/security' }),
    });
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings/security' }, label: 'Back to security' }} />
      <Card>
        <p>
          {tutor.accessReviewDue
            ? "Your account was recovered recently. Check that everything below is yours, and remove what you don't recognise."
            : "Check what can open your account or see your lessons, and remove what you don't recognise."}
        </p>
        {(security.isPending || logins.isPending) && <RowSkeleton rows={3} />}
        {(security.isError || logins.isError) && !(security.data && logins.data) && (
          <LoadError
            onRetry={() => {
              void security.refetch();
              void logins.refetch();
            }}
          >
            We couldn't load what has access to your account.
          </LoadError>
        )}
        {security.data && logins.data && (
          <AccessReview
            security={security.data}
            logins={logins.data}
            dateContext={tutor}
            onRecoveryCodes={setCodes}
          />
        )}
      </Card>
      <Button disabled={complete.isPending} onClick={finish}>
        {complete.isPending ? 'Saving...' : 'Finish review'}
      </Button>
      <LazyMount opened={codes.length > 0}>
        <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />
      </LazyMount>
    </NarrowContainer>
  );
}
