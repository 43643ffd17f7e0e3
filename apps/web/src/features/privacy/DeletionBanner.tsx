import type { User } from '@lessonbook/contract/accounts';
import { Button } from '@mantine/core';
import { IconUserX } from '@tabler/icons-react';
import { formatDateWithYear } from '../../lib/format.ts';
import { toLocalDate } from '../../lib/format-timestamp.ts';
import { useCancelDeletion } from './api.ts';
import classes from './DeletionBanner.module.css';

/** Shown on every page while the account is scheduled for deletion, with a button to cancel it. */
export function DeletionBanner({ tutor }: { tutor: User }) {
  const cancel = useCancelDeletion();
  if (!tutor.deletesAt) return null;
  return (
    <section className={classes.banner} aria-label="Account deletion">
      <IconUserX size={22} stroke={1.8} className={classes.icon} />
      <p>
        Your account will be deleted on{' '}
        <b>{formatDateWithYear(toLocalDate(tutor.deletesAt, tutor))}</b>. Automatic messages are
        paused until then.
      </p>
      <Button variant="light" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        {cancel.isPending ? 'Cancelling...' : 'Keep my account'}
      </Button>
    </section>
  );
}
