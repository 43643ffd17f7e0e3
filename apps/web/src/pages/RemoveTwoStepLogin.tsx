import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { isInvalidLink } from '../features/accounts/api.ts';
import {
  useCancelMfaRemoval,
  useRequestMfaRemoval,
  useStartMfaRemoval,
} from '../features/accounts/mfa-removal-and-email-revert-api.ts';
import { AccountNameForm } from './PasswordReset.tsx';

/* For a tutor who cannot use a passkey, the authenticator app or a recovery code. */

const backToLogin = <Link to="/login">Back to login</Link>;

export function AccountRecoveryPage() {
  const [sent, setSent] = useState(false);
  const request = useRequestMfaRemoval();
  if (sent) {
    // The text is the same whether or not the account exists.
    return (
      <AuthLayout
        title="Check your email"
        lead="If that account uses two-step login, we've sent a link to its email address. The link works for one hour."
        footer={backToLogin}
      />
    );
  }
  return (
    <AuthLayout
      title="Lost your phone and recovery codes?"
      lead="We can remove two-step login, but only after three days. We'll email every address linked to the account first, so you can stop it if someone else asked."
      footer={backToLogin}
    >
      <AccountNameForm request={request} onSent={() => setSent(true)} />
    </AuthLayout>
  );
}

const formatWhen = (timestamp: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' }).format(
    new Date(timestamp),
  );

/** Opening the link starts nothing, because mail scanners open links too. */
export function RemoveTwoStepPage() {
  const { token } = useParams({ from: '/remove-two-step/$token' });
  const start = useStartMfaRemoval();
  if (start.isSuccess) {
    return (
      <AuthLayout
        title="Two-step login will be removed"
        lead={`You can log in with only your password from ${formatWhen(start.data.removalAt)}. We'll email you then. Logging in as usual before that cancels the removal.`}
        footer={backToLogin}
      />
    );
  }
  if (isInvalidLink(start.error)) return <ExpiredRemovalLink />;
  return (
    <AuthLayout
      title="Remove two-step login?"
      lead="Your passkeys, authenticator app and recovery codes will be removed in three days. You'll still need your password."
      footer={backToLogin}
    >
      <Button fullWidth disabled={start.isPending} onClick={() => start.mutate(token)}>
        {start.isPending ? 'Starting...' : 'Remove in three days'}
      </Button>
    </AuthLayout>
  );
}

const ExpiredRemovalLink = () => (
  <AuthLayout
    title="This link has expired"
    lead="It has already been used or is too old. You can ask for a new one."
    footer={backToLogin}
  >
    <ButtonLink to="/account-recovery" fullWidth>
      Send a new link
    </ButtonLink>
  </AuthLayout>
);

export function KeepTwoStepPage() {
  const { token } = useParams({ from: '/keep-two-step/$token' });
  const cancel = useCancelMfaRemoval();
  if (cancel.isSuccess) {
    return (
      <AuthLayout
        title="Two-step login stays on"
        lead="If you didn't ask for it to be removed, someone else may have access to your email. Change your email password, then choose a new password here."
        footer={backToLogin}
      >
        <ButtonLink to="/forgot-password" fullWidth>
          Choose a new password
        </ButtonLink>
      </AuthLayout>
    );
  }
  if (isInvalidLink(cancel.error)) {
    return (
      <AuthLayout
        title="This link has expired"
        lead="The removal has already been cancelled, or the three days are over. Log in to check your security settings."
        footer={backToLogin}
      />
    );
  }
  return (
    <AuthLayout
      title="Keep two-step login?"
      lead="This cancels the request to remove it. Nothing else changes."
    >
      <Button fullWidth disabled={cancel.isPending} onClick={() => cancel.mutate(token)}>
        {cancel.isPending ? 'Cancelling...' : 'Keep two-step login'}
      </Button>
    </AuthLayout>
  );
}
