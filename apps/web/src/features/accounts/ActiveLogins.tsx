import type { LoginRow } from '@lessonbook/contract/security';
import { Button } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LazyConfirmModal } from '../../components/LazyConfirmModal.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { pluralize } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import classes from './Security.module.css';
import { loginsQuery, useEndLogin, useEndOtherLogins } from './security-api.ts';

export function ActiveLogins({
  dateContext,
  locked,
}: {
  dateContext: DateContext;
  locked: boolean;
}) {
  const logins = useQuery(loginsQuery);
  const [endingAll, setEndingAll] = useState(false);
  const otherCount = logins.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <Card
      heading="Where you are logged in"
      aside={
        !locked &&
        otherCount > 0 && (
          <Button variant="light" onClick={() => setEndingAll(true)}>
            Log out all others
          </Button>
        )
      }
    >
      {logins.isPending && <RowSkeleton rows={2} />}
      {logins.isError && !logins.data && (
        <LoadError onRetry={() => void logins.refetch()}>
          Your logins could not be loaded.
        </LoadError>
      )}
      <ul className={classes.rows}>
        {logins.data?.map((login) => (
          <Row key={login.id} login={login} dateContext={dateContext} locked={locked} />
        ))}
      </ul>
      <EndOtherLoginsModal
        otherCount={otherCount}
        opened={endingAll}
        onClose={() => setEndingAll(false)}
      />
    </Card>
  );
}

interface RowProps {
  login: LoginRow;
  dateContext: DateContext;
  locked: boolean;
}

function Row({ login, dateContext, locked }: RowProps) {
  const end = useEndLogin();
  const Icon = /iPhone|iPad|Android/.test(login.device) ? IconDeviceMobile : IconDeviceLaptop;
  const since = formatTimestamp(login.firstSeenAt, dateContext);
  return (
    <li className={classes.row}>
      <Icon size={22} stroke={1.8} className={classes.icon} />
      <div className={classes.description}>
        <b>{login.device}</b>
        <small>
          {login.isCurrent
            ? `This browser, since ${since}`
            : `Since ${since}, last seen ${formatTimestamp(login.lastSeenAt, dateContext)}`}
        </small>
      </div>
      {!login.isCurrent && !locked && (
        <Button
          variant="subtle"
          size="sm"
          aria-label={`Log out, ${login.device}, since ${since}`}
          disabled={end.isPending}
          onClick={() => end.mutate(login.id)}
        >
          Log out
        </Button>
      )}
    </li>
  );
}

interface EndOtherLoginsProps {
  otherCount: number;
  opened: boolean;
  onClose: () => void;
}

function EndOtherLoginsModal({ otherCount, opened, onClose }: EndOtherLoginsProps) {
  const end = useEndOtherLogins();
  return (
    <LazyConfirmModal
      title="Log out everywhere else?"
      opened={opened}
      onClose={onClose}
      confirmLabel={`Log out ${pluralize(otherCount, 'browser')}`}
      busyLabel="Logging out..."
      isBusy={end.isPending}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
    >
      <p>
        You stay logged in here. Passkeys, Google and calendars keep their access;{' '}
        <Link to="/settings/security/review">review access</Link> to check those, too.
      </p>
    </LazyConfirmModal>
  );
}
