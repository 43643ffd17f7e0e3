import { CodeInput } from '@lessonbook/contract/second-factor';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { CodeField } from './CodeField.tsx';
import { useDelicate } from './ConfirmGate.tsx';
import { QrCode } from './QrCode.tsx';
import classes from './Security.module.css';
import {
  useBeginAuthenticator,
  useTurnOffAuthenticator,
  useTurnOnAuthenticator,
} from './security-api.ts';

interface Props {
  isOn: boolean;
  locked: boolean;
  onCodes: (codes: string[]) => void;
}

interface Secret {
  secret: string;
  uri: string;
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
      <Dialog
        title="Turn on the authenticator app"
        opened={secret !== null}
        onClose={() => setSecret(null)}
      >
        {secret && <TurnOnForm secret={secret} onClose={() => setSecret(null)} onCodes={onCodes} />}
      </Dialog>
      <TurnOffSheet opened={turningOff} onClose={() => setTurningOff(false)} />
    </Sheet>
  );
}

interface FormProps {
  secret: Secret;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

function TurnOnForm({ secret, onClose, onCodes }: FormProps) {
  const turnOn = useTurnOnAuthenticator();
  const run = useDelicate(turnOn);
  const { form, onSubmit, showRefusal } = useContractForm(CodeInput, { code: '' });
  const grouped = secret.secret.replaceAll(/.{4}(?=.)/g, '$& ');
  return (
    <DialogForm
      onSubmit={onSubmit(({ code }) =>
        run(code, {
          onSuccess: ({ recoveryCodes }) => {
            onClose();
            onCodes(recoveryCodes);
          },
          onError: showRefusal,
        }),
      )}
      onCancel={onClose}
      submit="Turn on"
      isBusy={turnOn.isPending}
    >
      <p className={classes.words}>
        Scan this with an authenticator app, such as the one in your password manager, and enter the
        six digits that it shows. Every other browser is then logged out.
      </p>
      <QrCode text={secret.uri} label="QR code for the authenticator app" />
      <div className={classes.secret}>
        <div className={classes.what}>
          <small>Or type this key into the app</small>
          <b className={classes.key}>{grouped}</b>
        </div>
        <CopyButton text={secret.secret} of="key for the app" />
      </div>
      <CodeField key={form.key('code')} kind="app" field={form.getInputProps('code')} />
    </DialogForm>
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
