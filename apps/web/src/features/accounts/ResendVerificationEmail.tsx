import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { useAuth, useTutor } from './AuthProvider.tsx';
import { useResendVerification } from './api.ts';
import classes from './ResendVerificationEmail.module.css';

/** Sends the signed-in user a new link. Other users have to log in first. */
export function ResendVerificationButton() {
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

/** Uses neutral colours, because most features work without verification. */
export function VerifyEmailBanner() {
  const tutor = useTutor();
  const resend = useResendVerification();
  if (tutor.emailVerified) return null;
  return (
    <section className={classes.banner} aria-label="Confirm your email">
      <IconMail size={22} stroke={1.8} className={classes.icon} />
      <p>
        Please confirm your email: open the link we sent to{' '}
        <b>{tutor.pendingEmail ?? tutor.email}</b>.
      </p>
      <Button variant="light" disabled={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isPending ? 'Sending...' : 'Send again'}
      </Button>
    </section>
  );
}
