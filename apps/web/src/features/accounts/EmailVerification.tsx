import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { useResendVerification } from './api.ts';
import { useAuth, useTutor } from './auth.tsx';
import classes from './EmailVerification.module.css';

/** A new link goes to the address of whoever is signed in; everybody else logs in first. */
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

/** Calm on purpose: everything works without, so there is nothing red or yellow about it. */
export function VerifyEmailBanner() {
  const tutor = useTutor();
  const resend = useResendVerification();
  if (tutor.emailVerified) return null;
  return (
    <section className={classes.banner} aria-label="Confirm your e-mail">
      <IconMail size={22} stroke={1.8} className={classes.icon} />
      <p>
        Please confirm your e-mail: open the link we sent to{' '}
        <b>{tutor.pendingEmail ?? tutor.email}</b>.
      </p>
      <Button variant="light" disabled={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isPending ? 'Sending...' : 'Send again'}
      </Button>
    </section>
  );
}
