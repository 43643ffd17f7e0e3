import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LazyConfirmModal } from '../../components/LazyConfirmModal.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { pluralize } from '../../lib/format.ts';
import type { TotpSecret } from './MfaDialogs.tsx';
import classes from './Security.module.css';
import {
  useDisableAuthenticator,
  useRegenerateRecoveryCodes,
  useStartAuthenticatorSetup,
  useUnlinkGoogle,
} from './security-api.ts';

/** Lazy, because it includes the QR code. */
const AuthenticatorDialog = lazy(async () => ({
  default: (await import('./MfaDialogs.tsx')).AuthenticatorDialog,
}));

interface AuthenticatorCardProps {
  isOn: boolean;
  locked: boolean;
  onRecoveryCodes: (codes: string[]) => void;
}

export function AuthenticatorCard({ isOn, locked, onRecoveryCodes }: AuthenticatorCardProps) {
  const startSetup = useStartAuthenticatorSetup();
  const [secret, setSecret] = useState<TotpSecret | null>(null);
  const [turningOff, setTurningOff] = useState(false);
  return (
    <Card
      heading="Authenticator app"
      aside={
        !locked && (
          <Button
            variant="light"
            disabled={startSetup.isPending}
            onClick={() =>
              isOn ? setTurningOff(true) : startSetup.mutate(undefined, { onSuccess: setSecret })
            }
          >
            {isOn ? 'Turn off' : 'Turn on'}
          </Button>
        )
      }
    >
      <p className={classes.text}>
        {isOn
          ? 'On. When you log in with your password, we ask for the six digits your app shows.'
          : "Off. When it's on, you also need six digits from an app on your phone to log in with your password."}
      </p>
      <LazyMount opened={secret !== null}>
        <AuthenticatorDialog
          secret={secret}
          onClose={() => setSecret(null)}
          onRecoveryCodes={onRecoveryCodes}
        />
      </LazyMount>
      <DisableAuthenticatorModal opened={turningOff} onClose={() => setTurningOff(false)} />
    </Card>
  );
}

function DisableAuthenticatorModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const disable = useDisableAuthenticator();
  return (
    <LazyConfirmModal
      title="Turn off the authenticator app?"
      opened={opened}
      onClose={onClose}
      confirmLabel="Turn off"
      busyLabel="Turning off..."
      isBusy={disable.isPending}
      onConfirm={() => disable.mutate(undefined, { onSuccess: onClose })}
    >
      <p>You'll no longer need a code to log in.</p>
    </LazyConfirmModal>
  );
}

const PasswordModal = lazy(async () => ({
  default: (await import('./PasswordAndPasskeyModals.tsx')).PasswordModal,
}));

interface PasswordCardProps {
  hasPassword: boolean;
  locked: boolean;
}

export function PasswordCard({ hasPassword, locked }: PasswordCardProps) {
  const [opened, setOpened] = useState(false);
  const title = hasPassword ? 'Change password' : 'Choose a password';
  return (
    <Card
      heading="Password"
      aside={
        !locked && (
          <Button variant="light" onClick={() => setOpened(true)}>
            {title}
          </Button>
        )
      }
    >
      <p className={classes.text}>
        {hasPassword
          ? "Use a long password you don't use anywhere else."
          : 'You log in with Google. A password gives you another way to log in.'}
      </p>
      <LazyMount opened={opened}>
        <PasswordModal title={title} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </Card>
  );
}

interface RecoveryCodesCardProps {
  remaining: number;
  /** For example '16 Nov 2026'; null if unknown. */
  madeOn: string | null;
  locked: boolean;
  onRecoveryCodes: (codes: string[]) => void;
}

export function RecoveryCodesCard({
  remaining,
  madeOn,
  locked,
  onRecoveryCodes,
}: RecoveryCodesCardProps) {
  const [confirming, setConfirming] = useState(false);
  const regenerate = useRegenerateRecoveryCodes();
  return (
    <Card
      heading="Recovery codes"
      aside={
        !locked && (
          <Button variant="light" onClick={() => setConfirming(true)}>
            Create new codes
          </Button>
        )
      }
    >
      <p className={classes.text}>
        {remaining === 0
          ? 'None left.'
          : `${pluralize(remaining, 'code')} left${madeOn ? `, created ${madeOn}` : ''}.`}{' '}
        Each works once instead of a passkey or the app.
      </p>
      <LazyConfirmModal
        title="Create new recovery codes?"
        opened={confirming}
        onClose={() => setConfirming(false)}
        confirmLabel="Create ten new codes"
        busyLabel="Creating..."
        isBusy={regenerate.isPending}
        onConfirm={() =>
          regenerate.mutate(undefined, {
            onSuccess: ({ recoveryCodes }) => {
              setConfirming(false);
              onRecoveryCodes(recoveryCodes);
            },
          })
        }
      >
        <p>Your current codes will stop working.</p>
      </LazyConfirmModal>
    </Card>
  );
}

interface GoogleSignInCardProps {
  /** For example '16 Nov 2026'. */
  connectedOn: string;
}

export function GoogleSignInCard({ connectedOn }: GoogleSignInCardProps) {
  const [confirming, setConfirming] = useState(false);
  const unlink = useUnlinkGoogle();
  const close = () => setConfirming(false);
  return (
    <Card
      heading="Google sign-in"
      aside={
        <Button variant="light" onClick={() => setConfirming(true)}>
          Disconnect
        </Button>
      }
    >
      <p className={classes.text}>
        Connected {connectedOn}. You can log in with that Google account.
      </p>
      <LazyConfirmModal
        title="Disconnect Google sign-in?"
        opened={confirming}
        onClose={close}
        confirmLabel="Disconnect"
        busyLabel="Disconnecting..."
        isBusy={unlink.isPending}
        onConfirm={() => unlink.mutate(undefined, { onSettled: close })}
      >
        <p>You'll log in with your password or a passkey. Google Calendar isn't affected.</p>
      </LazyConfirmModal>
    </Card>
  );
}
