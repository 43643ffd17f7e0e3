import {
  DELETION_GRACE_DAYS,
  DeletionInput,
  type DeletionStatus,
} from '@lessonbook/contract/privacy';
import { PasswordInput, TextInput } from '@mantine/core';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useSchemaForm } from '../../lib/use-form.ts';
import { useScheduleDeletion } from './api.ts';
import classes from './Privacy.module.css';

interface Props {
  proof: DeletionStatus['proof'] | undefined;
  opened: boolean;
  onClose: () => void;
}

export function DeleteAccountModal({ proof, opened, onClose }: Props) {
  return (
    <ResponsiveModal title="Delete your account?" opened={opened} onClose={onClose}>
      {proof && <DeleteAccountForm proof={proof} onClose={onClose} />}
    </ResponsiveModal>
  );
}

function DeleteAccountForm({
  proof,
  onClose,
}: Pick<DeletionStatus, 'proof'> & { onClose: () => void }) {
  const scheduleDeletion = useScheduleDeletion();
  const { form, onSubmit, showServerErrors } = useSchemaForm(DeletionInput, { proof: '' });
  const Field = proof === 'password' ? PasswordInput : TextInput;
  return (
    <form
      className={classes.question}
      noValidate
      onSubmit={onSubmit((values) =>
        scheduleDeletion.mutate(values, { onSuccess: onClose, onError: showServerErrors }),
      )}
    >
      <p>
        Students, families, lessons, payments and invoices: all of it goes in {DELETION_GRACE_DAYS}{' '}
        days. You get a mail now, and one when it is done.
      </p>
      <Field
        label={proof === 'password' ? 'Your password' : 'Type your username'}
        autoComplete={proof === 'password' ? 'current-password' : 'off'}
        data-autofocus
        key={form.key('proof')}
        {...form.getInputProps('proof')}
      />
      <ModalActions
        color="red"
        onCancel={onClose}
        confirmLabel="Delete account"
        busyLabel="Deleting..."
        isBusy={scheduleDeletion.isPending}
      />
    </form>
  );
}
