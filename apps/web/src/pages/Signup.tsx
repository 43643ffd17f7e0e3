import { SignupInput } from '@lessonbook/contract/accounts';
import { PasswordInput, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { Form } from '../components/Form.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { useAuth } from '../features/accounts/AuthProvider.tsx';
import { useSignup } from '../features/accounts/api.ts';
import { GoogleSignIn } from '../features/accounts/GoogleSignIn.tsx';
import { useForm } from '../lib/use-form.ts';

const TwoFactorForm = lazy(async () => ({
  default: (await import('../features/accounts/TwoFactorForm.tsx')).TwoFactorForm,
}));

export function SignupPage() {
  // An existing account may also sign in with Google here, and then needs its second factor.
  const [step, setStep] = useState<'signup' | 'two-factor'>('signup');
  const showSignup = useCallback(() => setStep('signup'), []);
  if (step === 'two-factor')
    return (
      <AuthLayout title="One more step" lead="Enter your second sign-in step.">
        <Suspense fallback={<RowSkeleton rows={1} />}>
          <TwoFactorForm onBack={showSignup} />
        </Suspense>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title="Create your account"
      lead="14-day free trial, no credit card."
      footer={
        <>
          Already have an account? <Link to="/login">Log in</Link>
        </>
      }
    >
      <GoogleSignIn from="signup" onMfaRequired={() => setStep('two-factor')}>
        <SignupForm />
      </GoogleSignIn>
    </AuthLayout>
  );
}

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
