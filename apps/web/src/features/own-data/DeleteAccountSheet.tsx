import { type Deletion, DeletionInput, GRACE_DAYS } from '@lessonbook/contract/own-data';
import { PasswordInput, TextInput } from '@mantine/core';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useAskForDeletion } from './api.ts';
import classes from './OwnData.module.css';

interface Props {
  proof: Deletion['proof'] | undefined;
  opened: boolean;
  onClose: () => void;
}

export function DeleteAccountSheet({ proof, opened, onClose }: Props) {
  return (
    <BottomSheet title="Delete your account?" opened={opened} onClose={onClose}>
      {proof && <Question proof={proof} onClose={onClose} />}
    </BottomSheet>
  );
}

function Question({ proof, onClose }: Pick<Deletion, 'proof'> & { onClose: () => void }) {
  const ask = useAskForDeletion();
  const { form, onSubmit, showRefusal } = useContractForm(DeletionInput, { proof: '' });
  const Field = proof === 'password' ? PasswordInput : TextInput;
  return (
    <form
      className={classes.question}
      noValidate
      onSubmit={onSubmit((values) =>
        ask.mutate(values, { onSuccess: onClose, onError: showRefusal }),
      )}
    >
      <p>
        Students, families, lessons, payments and invoices: all of it goes in {GRACE_DAYS} days. You
        get a mail now, and one when it is done.
      </p>
      <Field
        label={proof === 'password' ? 'Your password' : 'Type your username'}
        autoComplete={proof === 'password' ? 'current-password' : 'off'}
        data-autofocus
        key={form.key('proof')}
        {...form.getInputProps('proof')}
      />
      <SheetButtons
        color="red"
        onCancel={onClose}
        confirm="Delete account"
        busy="Deleting..."
        isBusy={ask.isPending}
      />
    </form>
  );
}
