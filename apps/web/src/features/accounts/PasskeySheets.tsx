import { PasskeyNameInput } from '@lessonbook/contract/second-factor';
import type { Passkey } from '@lessonbook/contract/security';
import { TextInput } from '@mantine/core';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { ConfirmSheet, SheetButtons } from '../../components/ConfirmSheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useLast } from '../../lib/last.ts';
import { useDelicate } from './ConfirmGate.tsx';
import classes from './Security.module.css';
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from './security-api.ts';

/** What can be done about passkeys; one at a time. */
export type PasskeyAct = 'add' | { rename: Passkey } | { remove: Passkey };

interface Props {
  act: PasskeyAct | null;
  /** A first name for a new one. */
  thisDevice: string;
  isLast: boolean;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

export function PasskeySheets({ act, thisDevice, isLast, onClose, onCodes }: Props) {
  const renaming = act !== null && act !== 'add' && 'rename' in act ? act.rename : null;
  const removing = act !== null && act !== 'add' && 'remove' in act ? act.remove : null;
  return (
    <>
      <BottomSheet title="Add a passkey" opened={act === 'add'} onClose={onClose}>
        <AddForm name={thisDevice} onClose={onClose} onCodes={onCodes} />
      </BottomSheet>
      <RenameSheet passkey={renaming} onClose={onClose} />
      <RemoveSheet passkey={removing} isLast={isLast} onClose={onClose} />
    </>
  );
}

interface AddProps {
  name: string;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

function AddForm({ name, onClose, onCodes }: AddProps) {
  const add = useAddPasskey();
  const run = useDelicate(add);
  const { form, onSubmit, showRefusal } = useContractForm(PasskeyNameInput, { name });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit((values) =>
        run(values.name, {
          onSuccess: ({ recoveryCodes }) => {
            onClose();
            onCodes(recoveryCodes);
          },
          onError: showRefusal,
        }),
      )}
    >
      <TextInput
        label="Name"
        description="So that you know it again in the list"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <p className={classes.words}>
        Your device asks you next. From then on a login with your password asks for it too, and
        every other browser is logged out.
      </p>
      <SheetButtons
        onCancel={onClose}
        confirm="Continue"
        busy="Waiting..."
        isBusy={add.isPending}
      />
    </form>
  );
}

function RenameSheet({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const last = useLast(passkey);
  return (
    <BottomSheet title="Rename passkey" opened={passkey !== null} onClose={onClose}>
      {last && <RenameForm passkey={last} onClose={onClose} />}
    </BottomSheet>
  );
}

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey();
  const run = useDelicate(rename);
  const { form, onSubmit, showRefusal } = useContractForm(PasskeyNameInput, { name: passkey.name });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit(({ name }) =>
        run({ id: passkey.id, name }, { onSuccess: onClose, onError: showRefusal }),
      )}
    >
      <TextInput
        label="Name"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <SheetButtons onCancel={onClose} confirm="Save" busy="Saving..." isBusy={rename.isPending} />
    </form>
  );
}

interface RemoveProps {
  passkey: Passkey | null;
  isLast: boolean;
  onClose: () => void;
}

function RemoveSheet({ passkey, isLast, onClose }: RemoveProps) {
  const last = useLast(passkey);
  const remove = useRemovePasskey();
  const run = useDelicate(remove);
  return (
    <ConfirmSheet
      title="Remove passkey?"
      opened={passkey !== null}
      onClose={onClose}
      confirm="Remove"
      busy="Removing..."
      isBusy={remove.isPending}
      onConfirm={() => last && run(last.id, { onSuccess: onClose })}
    >
      <p>
        <b>{last?.name}</b> will no longer open your book.
        {isLast && ' It is your only passkey.'}
      </p>
    </ConfirmSheet>
  );
}
