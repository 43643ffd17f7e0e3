import type { User } from '@lessonbook/contract/accounts';
import { Button } from '@mantine/core';
import { IconUserX } from '@tabler/icons-react';
import { plainDate } from '../../lib/format.ts';
import { dateAt } from '../../lib/moments.ts';
import { useKeepAccount } from './api.ts';
import classes from './LeavingBanner.module.css';

/** On every page while the account waits to be deleted, with the way back. */
export function LeavingBanner({ tutor }: { tutor: User }) {
  const keep = useKeepAccount();
  if (!tutor.deletesAt) return null;
  return (
    <section className={classes.banner} aria-label="Account deletion">
      <IconUserX size={22} stroke={1.8} className={classes.icon} />
      <p>
        Your account will be deleted on <b>{plainDate(dateAt(tutor.deletesAt, tutor))}</b>. Nothing
        is sent to families by itself until then.
      </p>
      <Button variant="light" disabled={keep.isPending} onClick={() => keep.mutate()}>
        {keep.isPending ? 'Keeping...' : 'Keep my account'}
      </Button>
    </section>
  );
}
