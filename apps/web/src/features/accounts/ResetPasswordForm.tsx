import { ResetPasswordInput } from '@lessonbook/contract/accounts';
import { PasswordInput } from '@mantine/core';
import { Form } from '../../components/Form.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { isDeadLink, useResetPassword } from './api.ts';

interface Props {
  token: string;
  onChanged: () => void;
  onDeadLink: () => void;
}

export function ResetPasswordForm({ token, onChanged, onDeadLink }: Props) {
  const reset = useResetPassword();
  const { form, onSubmit, showRefusal } = useContractForm(ResetPasswordInput, {
    token,
    password: '',
  });

  const save = onSubmit((values) =>
    reset.mutate(values, {
      onSuccess: onChanged,
      onError: (error) => (isDeadLink(error) ? onDeadLink() : showRefusal(error)),
    }),
  );

  return (
    <Form onSubmit={save} submit="Save password" busy="Saving..." isBusy={reset.isPending}>
      <PasswordInput
        label="New password"
        description="At least 8 characters"
        autoComplete="new-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </Form>
  );
}
