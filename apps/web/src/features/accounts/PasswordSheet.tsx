import { NewPasswordInput } from '@lessonbook/contract/security';
import { PasswordInput } from '@mantine/core';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useDelicate } from './ConfirmGate.tsx';
import classes from './Security.module.css';
import { useChangePassword } from './security-api.ts';

interface Props {
  act: string;
  opened: boolean;
  onClose: () => void;
}

export function PasswordSheet({ act, opened, onClose }: Props) {
  return (
    <BottomSheet title={act} opened={opened} onClose={onClose}>
      <PasswordForm act={act} onClose={onClose} />
    </BottomSheet>
  );
}

function PasswordForm({ act, onClose }: { act: string; onClose: () => void }) {
  const change = useChangePassword();
  const run = useDelicate(change);
  const { form, onSubmit, showRefusal } = useContractForm(NewPasswordInput, { password: '' });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit(({ password }) =>
        run(password, { onSuccess: onClose, onError: showRefusal }),
      )}
    >
      <PasswordInput
        label="New password"
        description="At least 8 characters"
        autoComplete="new-password"
        data-autofocus
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <Consequence>Every other browser is logged out.</Consequence>
      <SheetButtons onCancel={onClose} confirm={act} busy="Saving..." isBusy={change.isPending} />
    </form>
  );
}
