import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import type { Secret } from './AuthenticatorDialog.tsx';
import { useDelicate } from './ConfirmGate.tsx';
import classes from './Security.module.css';
import { useBeginAuthenticator, useTurnOffAuthenticator } from './security-api.ts';

/** With the code for a camera, and what draws it. */
const AuthenticatorDialog = lazy(async () => ({
  default: (await import('./AuthenticatorDialog.tsx')).AuthenticatorDialog,
}));

interface Props {
  isOn: boolean;
  locked: boolean;
  onCodes: (codes: string[]) => void;
}

export function AuthenticatorSecurity({ isOn, locked, onCodes }: Props) {
  const begin = useBeginAuthenticator();
  const runBegin = useDelicate(begin);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [turningOff, setTurningOff] = useState(false);
  return (
    <Sheet
      heading="Authenticator app"
      aside={
        !locked && (
          <Button
            variant="light"
            disabled={begin.isPending}
            onClick={() =>
              isOn ? setTurningOff(true) : runBegin(undefined, { onSuccess: setSecret })
            }
          >
            {isOn ? 'Turn off' : 'Turn on'}
          </Button>
        )
      }
    >
      <p className={classes.words}>
        {isOn
          ? 'On. A login with your password asks for the six digits that your app shows.'
          : 'Off. An app on your phone shows six digits that a login with your password then asks for.'}
      </p>
      <WhenOpened opened={secret !== null}>
        <AuthenticatorDialog secret={secret} onClose={() => setSecret(null)} onCodes={onCodes} />
      </WhenOpened>
      <TurnOffSheet opened={turningOff} onClose={() => setTurningOff(false)} />
    </Sheet>
  );
}

function TurnOffSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const turnOff = useTurnOffAuthenticator();
  const run = useDelicate(turnOff);
  return (
    <ConfirmSheet
      title="Turn off the authenticator app?"
      opened={opened}
      onClose={onClose}
      confirm="Turn off"
      busy="Turning off..."
      isBusy={turnOff.isPending}
      onConfirm={() => run(undefined, { onSuccess: onClose })}
    >
      <p>A login with your password then asks for no code any more.</p>
    </ConfirmSheet>
  );
}
