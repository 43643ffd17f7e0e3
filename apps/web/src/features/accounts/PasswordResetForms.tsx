import { ForgotPasswordInput, ResetPasswordInput } from '@lessonbook/contract/accounts';
import { PasswordInput, TextInput } from '@mantine/core';
import { Form } from '../../components/Form.tsx';
import { useSchemaForm } from '../../lib/use-form.ts';
import { isInvalidLink, useForgotPassword, useResetPassword } from './api.ts';

export function ForgotPasswordForm({ onSent }: { onSent: () => void }) {
  const forgot = useForgotPassword();
  const { form, onSubmit, showServerErrors } = useSchemaForm(ForgotPasswordInput, { account: '' });
  return (
    <Form
      onSubmit={onSubmit((values) =>
        forgot.mutate(values, { onSuccess: onSent, onError: showServerErrors }),
      )}
      submitLabel="Send link"
      busyLabel="Sending..."
      isBusy={forgot.isPending}
    >
      <TextInput
        label="Email or username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        key={form.key('account')}
        {...form.getInputProps('account')}
      />
    </Form>
  );
}

interface Props {
  token: string;
  onChanged: () => void;
  onInvalidLink: () => void;
}

export function ResetPasswordForm({ token, onChanged, onInvalidLink }: Props) {
  const reset = useResetPassword();
  const { form, onSubmit, showServerErrors } = useSchemaForm(ResetPasswordInput, {
    token,
    password: '',
  });

  const save = onSubmit((values) =>
    reset.mutate(values, {
      onSuccess: onChanged,
      onError: (error) => (isInvalidLink(error) ? onInvalidLink() : showServerErrors(error)),
    }),
  );

  return (
    <Form
      onSubmit={save}
      submitLabel="Save password"
      busyLabel="Saving..."
      isBusy={reset.isPending}
    >
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
