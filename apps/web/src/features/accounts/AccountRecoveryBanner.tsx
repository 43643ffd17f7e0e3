import type { User } from '@lessonbook/contract/accounts';
import { Button } from '@mantine/core';
import { IconShieldExclamation } from '@tabler/icons-react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { formatDateWithYear } from '../../lib/format.ts';
import { formatTimeAt, toLocalDate } from '../../lib/format-timestamp.ts';
import classes from './AccountRecoveryBanner.module.css';
import { useCancelOwnMfaRemoval } from './mfa-removal-and-email-revert-api.ts';

/** Shown on every page while two-step login is about to be removed, or access to the account has to be reviewed. */
export function AccountRecoveryBanner({ tutor }: { tutor: User }) {
  const cancel = useCancelOwnMfaRemoval();
  if (tutor.mfaRemovalAt) {
    return (
      <section className={classes.banner} aria-label="Two-step login">
        <IconShieldExclamation size={22} stroke={1.8} className={classes.icon} />
        <p>
          Two-step login will be removed on{' '}
          <b>
            {formatDateWithYear(toLocalDate(tutor.mfaRemovalAt, tutor))} at{' '}
            {formatTimeAt(tutor.mfaRemovalAt, tutor)}
          </b>
          , because someone with access to your email asked for it.
        </p>
        <Button
          className={classes.action ?? ''}
          variant="light"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {cancel.isPending ? 'Cancelling...' : 'Keep two-step login'}
        </Button>
      </section>
    );
  }
  return (
    <section className={classes.banner} aria-label="Account recovery">
      <IconShieldExclamation size={22} stroke={1.8} className={classes.icon} />
      <p>Your account was recovered recently. Check what still has access to it.</p>
      <ButtonLink to="/settings/security/review" variant="light" className={classes.action ?? ''}>
        Review access
      </ButtonLink>
    </section>
  );
}
