import { Button } from '@mantine/core';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { useResendVerification } from './api.ts';
import { useAuth } from './auth.tsx';

/** A new link goes to the address of whoever is signed in; everybody else logs in first. */
export function ResendVerification() {
  const { state } = useAuth();
  const resend = useResendVerification();
  if (state !== 'signed in') {
    return (
      <ButtonLink to="/login" fullWidth>
        Log in to send a new link
      </ButtonLink>
    );
  }
  return (
    <Button
      fullWidth
      disabled={resend.isPending || resend.isSuccess}
      onClick={() => resend.mutate()}
    >
      {resend.isPending ? 'Sending...' : 'Send a new link'}
    </Button>
  );
}
