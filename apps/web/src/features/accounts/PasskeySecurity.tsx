import { PasskeyNameInput } from '@lessonbook/contract/second-factor';
import type { Passkey } from '@lessonbook/contract/security';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { ConfirmSheet, SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { nearDate } from '../../lib/format.ts';
import { useLast } from '../../lib/last.ts';
import { dateAt, type Wall } from '../../lib/moments.ts';
import { useDelicate } from './ConfirmGate.tsx';
import { hasPasskeys } from './passkey-device.ts';
import classes from './Security.module.css';
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from './security-api.ts';

interface Props {
  passkeys: readonly Passkey[];
  locked: boolean;
  wall: Wall;
  /** What this browser is called in the list of logins: a first name for its passkey. */
  thisDevice: string;
  onCodes: (codes: string[]) => void;
}

export function PasskeySecurity({ passkeys, locked, wall, thisDevice, onCodes }: Props) {
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  return (
    <Sheet
      heading="Passkeys"
      aside={
        !locked &&
        hasPasskeys() && (
          <Button variant="light" onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      <p className={classes.words}>
        Log in with your finger, face or screen lock. It cannot be guessed and works on our own
        pages alone.
      </p>
      {passkeys.length > 0 && (
        <ul className={classes.rows}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={classes.row}>
              <IconFingerprint size={22} stroke={1.8} className={classes.icon} />
              <div className={classes.what}>
                <b>{passkey.name}</b>
                <small>{historyOf(passkey, wall)}</small>
              </div>
              {!locked && (
                <div className={classes.acts}>
                  <RowAct label={`Rename ${passkey.name}`} onClick={() => setRenaming(passkey)}>
                    <IconPencil size={20} stroke={1.8} />
                  </RowAct>
                  <RowAct label={`Remove ${passkey.name}`} onClick={() => setRemoving(passkey)}>
                    <IconTrash size={20} stroke={1.8} />
                  </RowAct>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      <BottomSheet title="Add a passkey" opened={adding} onClose={() => setAdding(false)}>
        <AddForm name={thisDevice} onClose={() => setAdding(false)} onCodes={onCodes} />
      </BottomSheet>
      <RenameSheet passkey={renaming} onClose={() => setRenaming(null)} />
      <RemoveSheet
        passkey={removing}
        isLast={passkeys.length === 1}
        onClose={() => setRemoving(null)}
      />
    </Sheet>
  );
}

function historyOf({ createdAt, lastUsedAt }: Passkey, wall: Wall): string {
  const day = (moment: string) => nearDate(dateAt(moment, wall), wall.today);
  const added = `Added ${day(createdAt)}`;
  return lastUsedAt ? `${added}, last used ${day(lastUsedAt)}` : `${added}, not used yet`;
}

interface ActProps {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}

const RowAct = ({ label, onClick, children }: ActProps) => (
  <ActionIcon variant="subtle" color="gray" size={44} aria-label={label} onClick={onClick}>
    {children}
  </ActionIcon>
);

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
