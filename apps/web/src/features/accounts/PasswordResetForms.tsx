import { ForgotPasswordInput, ResetPasswordInput } from '@lessonbook/contract/accounts';
import { PasswordInput, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { Form } from '../../components/Form.tsx';
import { useForm } from '../../lib/use-form.ts';
import { isInvalidLink, useResetPassword } from './api.ts';

interface AccountNameFormProps {
  request: UseMutationResult<unknown, Error, ForgotPasswordInput>;
  onSent: () => void;
}

/** Asks for the email address or username to which a link is sent. */
export function AccountNameForm({ request, onSent }: AccountNameFormProps) {
  const { form, onSubmit } = useForm({
    schema: ForgotPasswordInput,
    initialValues: { account: '' },
    guarded: false,
  });
  return (
    <Form
      onSubmit={onSubmit((values) => request.mutateAsync(values), onSent)}
      submitLabel="Send link"
      busyLabel="Sending..."
      isBusy={request.isPending}
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
  const { form, onSubmit } = useForm({
    schema: ResetPasswordInput,
    initialValues: { token, password: '' },
    guarded: false,
  });

  const save = onSubmit(
    (values) =>
      reset.mutateAsync(values, { onError: (error) => isInvalidLink(error) && onInvalidLink() }),
    onChanged,
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
