import type { LoginRow, SecurityOverview } from '@lessonbook/contract/security';
import { Button } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { LazyConfirmModal } from '../components/LazyConfirmModal.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { PasskeysCard } from '../features/accounts/PasskeysCard.tsx';
import {
  AuthenticatorCard,
  GoogleSignInCard,
  PasswordCard,
  RecoveryCodesCard,
} from '../features/accounts/PasswordAndMfaCards.tsx';
import classes from '../features/accounts/Security.module.css';
import {
  loginsQuery,
  securityQuery,
  useEndLogin,
  useEndOtherLogins,
} from '../features/accounts/security-api.ts';
import { formatDateWithYear, pluralize } from '../lib/format.ts';
import { type DateContext, formatTimestamp, toLocalDate } from '../lib/format-timestamp.ts';

const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('../features/accounts/MfaDialogs.tsx')).RecoveryCodesDialog,
}));

export function SettingsSecurityPage() {
  const security = useQuery(securityQuery);
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      {security.isPending && (
        <Card>
          <RowSkeleton rows={3} />
        </Card>
      )}
      {security.isError && !security.data && (
        <Card>
          <LoadError onRetry={() => void security.refetch()}>
            We couldn't load your security settings.
          </LoadError>
        </Card>
      )}
      {security.data && <SecuritySections security={security.data} />}
    </NarrowContainer>
  );
}

function SecuritySections({ security }: { security: SecurityOverview }) {
  const dateContext = useTutor();
  const { data: logins } = useQuery(loginsQuery);
  const [codes, setCodes] = useState<string[]>([]);
  const deviceName = logins?.find(({ isCurrent }) => isCurrent)?.device ?? 'This device';
  const locked = security.isDemo;
  const formatDay = (timestamp: string) => formatDateWithYear(toLocalDate(timestamp, dateContext));
  const hasSecondFactor = security.authenticatorOn || security.passkeys.length > 0;
  return (
    <>
      {locked && (
        <Card>
          <p>This is the demo account, so its login settings can't be changed.</p>
        </Card>
      )}
      <PasswordCard hasPassword={security.hasPassword} locked={locked} />
      {security.passkeysOffered && (
        <PasskeysCard
          passkeys={security.passkeys}
          locked={locked}
          dateContext={dateContext}
          deviceName={deviceName}
          onRecoveryCodes={setCodes}
        />
      )}
      {(security.authenticatorOffered || security.authenticatorOn) && (
        <AuthenticatorCard
          isOn={security.authenticatorOn}
          locked={locked}
          onRecoveryCodes={setCodes}
        />
      )}
      {hasSecondFactor && (
        <RecoveryCodesCard
          remaining={security.recoveryCodesLeft}
          madeOn={security.recoveryCodesCreatedAt && formatDay(security.recoveryCodesCreatedAt)}
          locked={locked}
          onRecoveryCodes={setCodes}
        />
      )}
      {security.googleLinkedAt && (
        <GoogleSignInCard connectedOn={formatDay(security.googleLinkedAt)} />
      )}
      <ActiveLogins dateContext={dateContext} locked={locked} />
      {!locked && (
        <Card
          heading="Review access"
          aside={
            <ButtonLink to="/settings/security/review" variant="light">
              Review
            </ButtonLink>
          }
        >
          <p className={classes.text}>
            Logins, passkeys, Google and calendars: everything that can open your account or see
            your lessons, in one list.
          </p>
        </Card>
      )}
      <LazyMount opened={codes.length > 0}>
        <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />
      </LazyMount>
    </>
  );
}

function ActiveLogins({ dateContext, locked }: { dateContext: DateContext; locked: boolean }) {
  const logins = useQuery(loginsQuery);
  const [endingAll, setEndingAll] = useState(false);
  const otherCount = logins.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <Card
      heading="Where you're logged in"
      aside={
        !locked &&
        otherCount > 0 && (
          <Button variant="light" onClick={() => setEndingAll(true)}>
            Log out all other browsers
          </Button>
        )
      }
    >
      {logins.isPending && <RowSkeleton rows={2} />}
      {logins.isError && !logins.data && (
        <LoadError onRetry={() => void logins.refetch()}>We couldn't load your logins.</LoadError>
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
        You'll stay logged in here. Passkeys, Google and calendars keep their access;{' '}
        <Link to="/settings/security/review">review access</Link> to check those as well.
      </p>
    </LazyConfirmModal>
  );
}
