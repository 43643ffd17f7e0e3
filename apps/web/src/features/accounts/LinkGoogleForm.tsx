import {
  type AuthPage,
  LinkGoogleInput,
  type PendingGoogleUser,
} from '@lessonbook/contract/google-sign-in';
import { Button, PasswordInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { FormIntro, FormLinks } from '../../components/AuthFormParts.tsx';
import { Form } from '../../components/Form.tsx';
import { ApiError } from '../../lib/http.ts';
import { useForm } from '../../lib/use-form.ts';
import { isMfaRequired } from './auth-error-checks.ts';
import { useLinkGoogle } from './google-api.ts';

interface Props {
  from: AuthPage;
  pendingUser: PendingGoogleUser;
  onBack: () => void;
  onMfaRequired: () => void;
}

/** For the first Google login to an existing account: the password proves ownership. */
export function LinkGoogleForm({ from, pendingUser, onBack, onMfaRequired }: Props) {
  const connect = useLinkGoogle(from);
  const { form, onSubmit } = useForm({
    schema: LinkGoogleInput,
    initialValues: { credential: pendingUser.credential, password: '' },
    confirmsDiscard: false,
  });

  // This form replaces another without a click, so focus has to be moved.
  const { getInputNode } = form;
  useEffect(() => getInputNode('password')?.focus(), [getInputNode]);

  function handleError(error: Error) {
    if (isMfaRequired(error)) return onMfaRequired();
    // The credential has expired, so the login has to start again.
    if (error instanceof ApiError && error.code === 'link_expired') onBack();
  }

  return (
    <section aria-label="Connect Google">
      <FormIntro>
        You already have an account with <b>{pendingUser.email}</b>. Enter its password to connect
        Google.
      </FormIntro>
      <Form
        onSubmit={onSubmit((values) => connect.mutateAsync(values, { onError: handleError }))}
        submitLabel="Connect Google"
        busyLabel="Connecting..."
        isBusy={connect.isPending || connect.isSuccess}
      >
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </Form>
      <FormLinks>
        <Link to="/forgot-password">Forgot your password?</Link>
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
      </FormLinks>
    </section>
  );
}
