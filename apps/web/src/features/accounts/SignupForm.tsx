import { SignupInput } from '@lessonbook/contract/accounts';
import { PasswordInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Form } from '../../components/Form.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useAuth } from './AuthProvider.tsx';
import { useSignup } from './api.ts';

export function SignupForm() {
  const signup = useSignup();
  const navigate = useNavigate();
  const { state } = useAuth();
  const { form, onSubmit } = useForm({
    schema: SignupInput,
    initialValues: { name: '', email: '', username: '', password: '' },
  });

  const create = onSubmit(
    (values) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return signup.mutateAsync({ ...values, timeZone });
    },
    // The account was created, but the automatic login failed.
    (user) => !user && void navigate({ to: '/login' }),
  );

  return (
    <Form
      onSubmit={create}
      submitLabel="Create account"
      busyLabel="Creating account..."
      isBusy={signup.isPending || state === 'signed in'}
    >
      <TextInput
        label="Full Name"
        autoComplete="name"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="email"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label="Password"
        description="At least 8 characters"
        autoComplete="new-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </Form>
  );
}
