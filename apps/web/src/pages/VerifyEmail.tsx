import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { isInvalidLink, useConfirmEmail } from '../features/accounts/api.ts';
import { ResendVerificationButton } from '../features/accounts/ResendVerificationEmail.tsx';

/**
 * Opening the link does not confirm the address, because mail scanners open links too. The user has to press the
 * button.
 */
export function VerifyEmailPage() {
  const { token } = useParams({ from: '/verify-email/$token' });
  const confirm = useConfirmEmail();

  if (confirm.isSuccess) {
    return (
      <AuthLayout title="Email confirmed" lead={`${confirm.data.email} is confirmed. Thank you.`}>
        <ButtonLink to="/" fullWidth>
          Go to Lessonbook
        </ButtonLink>
      </AuthLayout>
    );
  }
  if (isInvalidLink(confirm.error)) {
    return (
      <AuthLayout
        title="This link has expired"
        lead="It has already been used or is too old. If your address isn't confirmed yet, ask for a new link."
      >
        <ResendVerificationButton />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Confirm your email" lead="Confirm this is your email address.">
      <Button fullWidth disabled={confirm.isPending} onClick={() => confirm.mutate(token)}>
        {confirm.isPending ? 'Confirming...' : 'Confirm email'}
      </Button>
    </AuthLayout>
  );
}
