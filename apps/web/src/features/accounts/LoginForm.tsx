import { LoginInput, type SignInOptions } from '@lessonbook/contract/accounts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from '../../components/Form.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useAuth } from './AuthProvider.tsx';
import { useLogin } from './api.ts';
import { isMfaRequired } from './auth-error-checks.ts';
import { signInOptionsQuery } from './current-user.ts';
import classes from './LoginForm.module.css';
import { usePasskeyLogin } from './mfa-login-api.ts';
import { supportsPasskeys } from './passkey-support.ts';

/** Logs in with a passkey alone, if the server and the browser support it. */
export function PasskeySignIn() {
  const { data } = useQuery(signInOptionsQuery);
  const { state } = useAuth();
  const logIn = usePasskeyLogin();
  if (!data?.passkeys || !supportsPasskeys()) return null;
  return (
    <Button
      variant="subtle"
      px={8}
      leftSection={<IconFingerprint size={18} stroke={1.8} />}
      disabled={logIn.isPending || state === 'signed in'}
      onClick={() => logIn.mutate()}
    >
      Use a passkey
    </Button>
  );
}

interface DemoHintProps {
  demo: { username: string; password: string };
  isBusy: boolean;
  onTry: () => void;
}

function DemoHint({ demo, isBusy, onTry }: DemoHintProps) {
  return (
    <div className={classes.hint}>
      <p>
        Just looking? Use <b>{demo.username}</b> and <b>{demo.password}</b>.
      </p>
      <Button variant="light" disabled={isBusy} onClick={onTry}>
        Try the demo
      </Button>
    </div>
  );
}

interface Props {
  onMfaRequired: () => void;
  /** Help for after a failed login, shown directly below the button. */
  help: ReactNode;
}

export function LoginForm({ help, onMfaRequired }: Props) {
  const login = useLogin();
  const { state } = useAuth();
  const { form, onSubmit } = useForm({
    schema: LoginInput,
    initialValues: { username: '', password: '' },
    confirmsDiscard: false,
  });
  // After a successful login, the page is about to change, so the button stays disabled.
  const isBusy = login.isPending || state === 'signed in';

  return (
    <>
      <Form
        onSubmit={onSubmit((values) =>
          login.mutateAsync(values, {
            onError: (error) => isMfaRequired(error) && onMfaRequired(),
          }),
        )}
        submitLabel="Log in"
        busyLabel="Logging in..."
        isBusy={isBusy}
      >
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
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </Form>
      {help}
      <DemoLogin isBusy={isBusy} onTry={(demo) => login.mutate(demo)} />
    </>
  );
}

interface DemoProps {
  isBusy: boolean;
  onTry: (demo: NonNullable<SignInOptions['demo']>) => void;
}

/** Shown only if the server has a demo account. */
function DemoLogin({ isBusy, onTry }: DemoProps) {
  const { data } = useQuery(signInOptionsQuery);
  const { state } = useAuth();
  // A tutor who has to log in again is not looking for the demo.
  const demo = state === 'login expired' ? null : data?.demo;
  return demo ? <DemoHint demo={demo} isBusy={isBusy} onTry={() => onTry(demo)} /> : null;
}
