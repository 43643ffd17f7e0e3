import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { isInvalidLink, useConfirmEmail } from '../features/accounts/api.ts';
import { ResendVerificationButton } from '../features/accounts/EmailVerification.tsx';

/**
 * Opening the link does not confirm the address, because mail scanners open links too. The user has to press the
 * button.
 */
export function VerifyEmailPage() {
  const { token } = useParams({ from: '/verify-email/$token' });
  const confirm = useConfirmEmail();

  if (confirm.isSuccess) {
    return (
      <AuthLayout title="E-mail confirmed" lead={`${confirm.data.email} is yours. Thank you.`}>
        <ButtonLink to="/" fullWidth>
          Go to your book
        </ButtonLink>
      </AuthLayout>
    );
  }
  if (isInvalidLink(confirm.error)) {
    return (
      <AuthLayout
        title="This link has run out"
        lead="It was used already or is too old. If your address is not confirmed yet, ask for a new link."
      >
        <ResendVerificationButton />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Confirm your e-mail"
      lead="One press and we know that this address is yours."
    >
      <Button fullWidth disabled={confirm.isPending} onClick={() => confirm.mutate(token)}>
        {confirm.isPending ? 'Confirming...' : 'Confirm e-mail'}
      </Button>
    </AuthLayout>
  );
}
