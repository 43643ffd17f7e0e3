import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { isInvalidLink } from '../features/accounts/api.ts';
import { useRevertEmail } from '../features/accounts/mfa-removal-and-email-revert-api.ts';

/** Opening the link changes nothing, because mail scanners open links too. The user has to press the button. */
export function RevertEmailPage() {
  const { token } = useParams({ from: '/revert-email/$token' });
  const navigate = useNavigate();
  const revert = useRevertEmail();

  if (isInvalidLink(revert.error)) {
    return (
      <AuthLayout
        title="This link has expired"
        lead="The link works once, within seven days of the change. If it's already been used, log in or choose a new password."
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
