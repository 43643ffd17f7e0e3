import type { LoginRow } from '@lessonbook/contract/security';
import { Button } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { count } from '../../lib/format.ts';
import { momentInWords, type Wall } from '../../lib/moments.ts';
import { useDelicate } from './ConfirmGate.tsx';
import classes from './Security.module.css';
import { loginsQuery, useEndLogin, useEndOtherLogins } from './security-api.ts';

export function LoginList({ wall, locked }: { wall: Wall; locked: boolean }) {
  const logins = useQuery(loginsQuery);
  const [endingAll, setEndingAll] = useState(false);
  const others = logins.data?.filter(({ isThis }) => !isThis).length ?? 0;
  return (
    <Sheet
      heading="Where you are logged in"
      aside={
        !locked &&
        others > 0 && (
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
          <Row key={login.id} login={login} wall={wall} locked={locked} />
        ))}
      </ul>
      <EndAll others={others} opened={endingAll} onClose={() => setEndingAll(false)} />
    </Sheet>
  );
}

interface RowProps {
  login: LoginRow;
  wall: Wall;
  locked: boolean;
}

function Row({ login, wall, locked }: RowProps) {
  const end = useEndLogin();
  const run = useDelicate(end);
  const Icon = /iPhone|iPad|Android/.test(login.device) ? IconDeviceMobile : IconDeviceLaptop;
  const since = momentInWords(login.firstSeenAt, wall);
  return (
    <li className={classes.row}>
      <Icon size={22} stroke={1.8} className={classes.icon} />
      <div className={classes.what}>
        <b>{login.device}</b>
        <small>
          {login.isThis
            ? `This browser, since ${since}`
            : `Since ${since}, last seen ${momentInWords(login.lastSeenAt, wall)}`}
        </small>
      </div>
      {!login.isThis && !locked && (
        <Button
          variant="subtle"
          size="sm"
          aria-label={`Log out, ${login.device}, since ${since}`}
          disabled={end.isPending}
          onClick={() => run(login.id)}
        >
          Log out
        </Button>
      )}
    </li>
  );
}

interface AllProps {
  others: number;
  opened: boolean;
  onClose: () => void;
}

function EndAll({ others, opened, onClose }: AllProps) {
  const end = useEndOtherLogins();
  const run = useDelicate(end);
  return (
    <ConfirmSheet
      title="Log out everywhere else?"
      opened={opened}
      onClose={onClose}
      confirm={`Log out ${count(others, 'browser')}`}
      busy="Logging out..."
      isBusy={end.isPending}
      onConfirm={() => run(undefined, { onSuccess: onClose })}
    >
      <p>You stay logged in here. Elsewhere the password is asked for again.</p>
    </ConfirmSheet>
  );
}
