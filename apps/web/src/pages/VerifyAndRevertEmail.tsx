import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { isInvalidLink, useConfirmEmail } from '../features/accounts/api.ts';
import { useRevertEmail } from '../features/accounts/mfa-removal-and-email-revert-api.ts';
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

/** Opening the link changes nothing, because mail scanners open links too. The user has to press the button. */
export function RevertEmailPage() {
  const { token } = useParams({ from: '/revert-email/$token' });
  const navigate = useNavigate();
  const revert = useRevertEmail();

  if (isInvalidLink(revert.error)) {
    return (
      <AuthLayout
        title="This link has expired"
        lead="It works once, for seven days after the change. If it was already used, log in or choose a new password."
        footer={<Link to="/login">Back to login</Link>}
      />
    );
  }
  return (
    <AuthLayout
      title="Restore your email address"
      lead="Your account will go back to the address that received this link. Everyone will be logged out, including the person who changed it, and you'll choose a new password next."
    >
      <Button
        fullWidth
        disabled={revert.isPending || revert.isSuccess}
        onClick={() =>
          revert.mutate(token, {
            onSuccess: ({ resetToken }) =>
              void navigate({
                to: '/reset-password/$token',
                params: { token: resetToken },
                replace: true,
              }),
          })
        }
      >
        {revert.isPending ? 'Restoring...' : 'Restore my address'}
      </Button>
    </AuthLayout>
  );
}
