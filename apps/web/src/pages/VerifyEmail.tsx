import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { EntryLayout } from '../components/EntryLayout.tsx';
import { isDeadLink, useConfirmEmail } from '../features/accounts/api.ts';
import { ResendVerification } from '../features/accounts/ResendVerification.tsx';

/** Opening the link confirms nothing, since mail scanners open links too: it takes a press of the button. */
export function VerifyEmailPage() {
  const { token } = useParams({ from: '/frame/verify-email/$token' });
  const confirm = useConfirmEmail();

  if (confirm.isSuccess) {
    return (
      <EntryLayout title="E-mail confirmed" lead={`${confirm.data.email} is yours. Thank you.`}>
        <ButtonLink to="/" fullWidth>
          Go to your book
        </ButtonLink>
      </EntryLayout>
    );
  }
  if (isDeadLink(confirm.error)) {
    return (
      <EntryLayout
        title="This link has run out"
        lead="It was used already or is too old. If your address is not confirmed yet, ask for a new link."
      >
        <ResendVerification />
      </EntryLayout>
    );
  }
  return (
    <EntryLayout
      title="Confirm your e-mail"
      lead="One press and we know that this address is yours."
    >
      <Button fullWidth disabled={confirm.isPending} onClick={() => confirm.mutate(token)}>
        {confirm.isPending ? 'Confirming...' : 'Confirm e-mail'}
      </Button>
    </EntryLayout>
  );
}
