import { CodeInput } from '@lessonbook/contract/mfa';
import { Button } from '@mantine/core';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { QrCode } from '../../components/QrCode.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { MfaCodeField } from './MfaCodeField.tsx';
import classes from './Security.module.css';
import { useEnableAuthenticator } from './security-api.ts';

/** The codes are shown only once, because the server stores only hashes. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const shownCodes = useLastValue(codes.length > 0 ? codes : null) ?? [];
  return (
    <Dialog title="Save your recovery codes" opened={codes.length > 0} onClose={onClose}>
      <div className={classes.codes}>
        <p className={classes.text}>
          If you lose your phone, you can log in with one of these. Print them or save them in your
          password manager now: they won't be shown again.
        </p>
        <ol aria-label="Recovery codes">
          {shownCodes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className={classes.codesActions}>
          <CopyButton text={shownCodes.join('\n')} itemName="all recovery codes" label="Copy all" />
          <Button onClick={onClose}>I've saved my codes</Button>
        </div>
      </div>
    </Dialog>
  );
}

export interface TotpSecret {
  secret: string;
  uri: string;
}

interface AuthenticatorDialogProps {
  /** Null closes the dialog. */
  secret: TotpSecret | null;
  onClose: () => void;
  onRecoveryCodes: (codes: string[]) => void;
}

export function AuthenticatorDialog({
  secret,
  onClose,
  onRecoveryCodes,
}: AuthenticatorDialogProps) {
  return (
    <Dialog title="Turn on the authenticator app" opened={secret !== null} onClose={onClose}>
      {secret && (
        <EnableAuthenticatorForm
          secret={secret}
          onClose={onClose}
          onRecoveryCodes={onRecoveryCodes}
        />
      )}
    </Dialog>
  );
}

interface FormProps {
  secret: TotpSecret;
  onClose: () => void;
  onRecoveryCodes: (codes: string[]) => void;
}

function EnableAuthenticatorForm({ secret, onClose, onRecoveryCodes }: FormProps) {
  const enable = useEnableAuthenticator();
  const { form, onSubmit } = useForm({
    schema: CodeInput,
    initialValues: { code: '' },
    confirmsDiscard: false,
  });
  const groupedSecret = secret.secret.replaceAll(/.{4}(?=.)/g, '$& ');
  return (
    <DialogForm
      onSubmit={onSubmit(
        ({ code }) => enable.mutateAsync(code),
        ({ recoveryCodes }) => {
          onClose();
          onRecoveryCodes(recoveryCodes);
        },
      )}
      onCancel={onClose}
      submitLabel="Turn on"
      isBusy={enable.isPending}
    >
      <p className={classes.text}>
        Scan this with an authenticator app, such as the one in your password manager, and enter the
        six digits it shows. You'll be logged out of every other browser.
      </p>
      <div className={classes.scan}>
        <QrCode text={secret.uri} label="QR code for the authenticator app" />
      </div>
      <div className={classes.secret}>
        <div className={classes.description}>
          <small>Or type this key into the app</small>
          <b className={classes.key}>{groupedSecret}</b>
        </div>
        <CopyButton text={secret.secret} itemName="key for the app" />
      </div>
      <MfaCodeField key={form.key('code')} kind="app" field={form.getInputProps('code')} />
    </DialogForm>
  );
}
