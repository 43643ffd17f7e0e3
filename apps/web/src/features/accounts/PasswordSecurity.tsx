import { NewPasswordInput } from '@lessonbook/contract/security';
import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useDelicate } from './ConfirmGate.tsx';
import classes from './Security.module.css';
import { useChangePassword } from './security-api.ts';

interface Props {
  hasPassword: boolean;
  locked: boolean;
}

export function PasswordSecurity({ hasPassword, locked }: Props) {
  const [opened, setOpened] = useState(false);
  const act = hasPassword ? 'Change password' : 'Choose a password';
  return (
    <Sheet
      heading="Password"
      aside={
        !locked && (
          <Button variant="light" onClick={() => setOpened(true)}>
            {act}
          </Button>
        )
      }
    >
      <p className={classes.words}>
        {hasPassword
          ? 'A long one that you use nowhere else is the best guard.'
          : 'You log in with Google. A password is a second way in.'}
      </p>
      <BottomSheet title={act} opened={opened} onClose={() => setOpened(false)}>
        <PasswordForm act={act} onClose={() => setOpened(false)} />
      </BottomSheet>
    </Sheet>
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
