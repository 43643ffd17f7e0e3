import { CodeInput } from '@lessonbook/contract/second-factor';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { QrCode } from '../../components/QrCode.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { CodeField } from './CodeField.tsx';
import { useDelicate } from './ConfirmGate.tsx';
import classes from './Security.module.css';
import { useTurnOnAuthenticator } from './security-api.ts';

export interface Secret {
  secret: string;
  uri: string;
}

interface Props {
  /** None: the dialog is closed. */
  secret: Secret | null;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

export function AuthenticatorDialog({ secret, onClose, onCodes }: Props) {
  return (
    <Dialog title="Turn on the authenticator app" opened={secret !== null} onClose={onClose}>
      {secret && <TurnOnForm secret={secret} onClose={onClose} onCodes={onCodes} />}
    </Dialog>
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
      <div className={classes.scan}>
        <QrCode text={secret.uri} label="QR code for the authenticator app" />
      </div>
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
