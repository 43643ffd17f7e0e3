import { ForgotPasswordInput, ResetPasswordInput } from '@lessonbook/contract/accounts';
import { PasswordInput, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Form } from '../components/Form.tsx';
import { isInvalidLink, useForgotPassword, useResetPassword } from '../features/accounts/api.ts';
import { useForm } from '../lib/use-form.ts';

const backToLogin = <Link to="/login">Back to login</Link>;

export function ForgotPasswordPage() {
  const [sent, setSent] = useState(false);
  const forgot = useForgotPassword();
  if (sent) {
    // The text is the same whether or not the account exists.
    return (
      <AuthLayout
        title="Check your email"
        lead="If that account exists, we've sent a link to choose a new password to its email address."
        footer={backToLogin}
      />
    );
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      lead="Enter your email or username, and we'll email you a link to choose a new one."
      footer={backToLogin}
    >
      <AccountNameForm request={forgot} onSent={() => setSent(true)} />
    </AuthLayout>
  );
}

export function ResetPasswordPage() {
  const { token } = useParams({ from: '/reset-password/$token' });
  const navigate = useNavigate();
  const [isExpired, setIsExpired] = useState(false);

  if (isExpired) {
    return (
      <AuthLayout
        title="This link has expired"
        lead="It has already been used or is too old. You can ask for a new one."
        footer={<Link to="/login">Back to login</Link>}
      >
        <ButtonLink to="/forgot-password" fullWidth>
          Send a new link
        </ButtonLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Choose a new password" lead="You'll use it to log in from now on.">
      <ResetPasswordForm
        token={token}
        onChanged={() => void navigate({ to: '/login', replace: true })}
        onInvalidLink={() => setIsExpired(true)}
      />
    </AuthLayout>
  );
}

interface AccountNameFormProps {
  request: UseMutationResult<unknown, Error, ForgotPasswordInput>;
  onSent: () => void;
}

/** Asks for the email address or username to which a link is sent. */
export function AccountNameForm({ request, onSent }: AccountNameFormProps) {
  const { form, onSubmit } = useForm({
    schema: ForgotPasswordInput,
    initialValues: { account: '' },
    confirmsDiscard: false,
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

function ResetPasswordForm({ token, onChanged, onInvalidLink }: Props) {
  const reset = useResetPassword();
  const { form, onSubmit } = useForm({
    schema: ResetPasswordInput,
    initialValues: { token, password: '' },
    confirmsDiscard: false,
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
