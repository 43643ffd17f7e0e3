import { PasskeyNameInput } from '@lessonbook/contract/mfa';
import { NewPasswordInput, type Passkey } from '@lessonbook/contract/security';
import { PasswordInput, TextInput } from '@mantine/core';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import classes from './Security.module.css';
import {
  useAddPasskey,
  useChangePassword,
  useRemovePasskey,
  useRenamePasskey,
} from './security-api.ts';

interface PasswordModalProps {
  title: string;
  opened: boolean;
  onClose: () => void;
}

export function PasswordModal({ title, opened, onClose }: PasswordModalProps) {
  return (
    <ResponsiveModal title={title} opened={opened} onClose={onClose}>
      <PasswordForm title={title} onClose={onClose} />
    </ResponsiveModal>
  );
}

function PasswordForm({ title, onClose }: { title: string; onClose: () => void }) {
  const change = useChangePassword();
  const { form, onSubmit } = useForm({
    schema: NewPasswordInput,
    initialValues: { password: '' },
    confirmsDiscard: false,
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit(({ password }) => change.mutateAsync(password), onClose)}
    >
      <PasswordInput
        label="New password"
        description="At least 8 characters"
        autoComplete="new-password"
        data-autofocus
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <ImpactNotice>You'll be logged out of every other browser.</ImpactNotice>
      <ModalActions
        onCancel={onClose}
        confirmLabel={title}
        busyLabel="Saving..."
        isBusy={change.isPending}
      />
    </form>
  );
}

/** The passkey modal that is open. */
export type PasskeyAction = 'add' | { rename: Passkey } | { remove: Passkey };

interface Props {
  action: PasskeyAction | null;
  /** The default name of a new passkey. */
  deviceName: string;
  isLast: boolean;
  onClose: () => void;
  onRecoveryCodes: (codes: string[]) => void;
}

export function PasskeyModals({ action, deviceName, isLast, onClose, onRecoveryCodes }: Props) {
  const renaming = action !== null && action !== 'add' && 'rename' in action ? action.rename : null;
  const removing = action !== null && action !== 'add' && 'remove' in action ? action.remove : null;
  return (
    <>
      <ResponsiveModal title="Add a passkey" opened={action === 'add'} onClose={onClose}>
        <AddPasskeyForm name={deviceName} onClose={onClose} onRecoveryCodes={onRecoveryCodes} />
      </ResponsiveModal>
      <RenamePasskeyModal passkey={renaming} onClose={onClose} />
      <RemovePasskeyModal passkey={removing} isLast={isLast} onClose={onClose} />
    </>
  );
}

interface AddProps {
  name: string;
  onClose: () => void;
  onRecoveryCodes: (codes: string[]) => void;
}

function AddPasskeyForm({ name, onClose, onRecoveryCodes }: AddProps) {
  const add = useAddPasskey();
  const { form, onSubmit } = useForm({ schema: PasskeyNameInput, initialValues: { name } });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit(
        (values) => add.mutateAsync(values.name),
        ({ recoveryCodes }) => {
          onClose();
          onRecoveryCodes(recoveryCodes);
        },
      )}
    >
      <TextInput
        label="Name"
        description="So you can recognise it in the list"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <p className={classes.text}>
        Your device will guide you through the next step. After that, you'll also need the passkey
        when you log in with your password, and you'll be logged out of every other browser.
      </p>
      <ModalActions
        onCancel={onClose}
        confirmLabel="Continue"
        busyLabel="Waiting..."
        isBusy={add.isPending}
      />
    </form>
  );
}

function RenamePasskeyModal({
  passkey,
  onClose,
}: {
  passkey: Passkey | null;
  onClose: () => void;
}) {
  const last = useLastValue(passkey);
  return (
    <ResponsiveModal title="Rename passkey" opened={passkey !== null} onClose={onClose}>
      {last && <RenamePasskeyForm passkey={last} onClose={onClose} />}
    </ResponsiveModal>
  );
}

function RenamePasskeyForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey();
  const { form, onSubmit } = useForm({
    schema: PasskeyNameInput,
    initialValues: { name: passkey.name },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit(({ name }) => rename.mutateAsync({ id: passkey.id, name }), onClose)}
    >
      <TextInput
        label="Name"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <ModalActions
        onCancel={onClose}
        confirmLabel="Save"
        busyLabel="Saving..."
        isBusy={rename.isPending}
      />
    </form>
  );
}

interface RemoveProps {
  passkey: Passkey | null;
  isLast: boolean;
  onClose: () => void;
}

function RemovePasskeyModal({ passkey, isLast, onClose }: RemoveProps) {
  const last = useLastValue(passkey);
  const remove = useRemovePasskey();
  return (
    <ConfirmModal
      title="Remove passkey?"
      opened={passkey !== null}
      onClose={onClose}
      confirmLabel="Remove"
      busyLabel="Removing..."
      isBusy={remove.isPending}
      onConfirm={() => last && remove.mutate(last.id, { onSuccess: onClose })}
    >
      <p>
        <b>{last?.name}</b> will no longer log you in.
        {isLast && ' It is your only passkey.'}
      </p>
    </ConfirmModal>
  );
}
