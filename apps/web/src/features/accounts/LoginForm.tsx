import { LoginInput, type SignInOptions } from '@lessonbook/contract/accounts';
import { PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from '../../components/Form.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useLogin } from './api.ts';
import { useAuth } from './auth.tsx';
import { DemoHint } from './DemoHint.tsx';
import { isSecondStep } from './refusals.ts';
import { signInOptionsQuery } from './sign-in-options.ts';

interface Props {
  onSecondStep: () => void;
  /** Stands right under the button, where a hand goes after a refusal. */
  help: ReactNode;
}

export function LoginForm({ help, onSecondStep }: Props) {
  const login = useLogin();
  const { state } = useAuth();
  const { form, onSubmit, showRefusal } = useContractForm(LoginInput, {
    username: '',
    password: '',
  });
  // Signed in already, the page changes in a moment: the button must not invite a second try.
  const isBusy = login.isPending || state === 'signed in';

  const refused = (error: Error) => (isSecondStep(error) ? onSecondStep() : showRefusal(error));

  return (
    <>
      <Form
        onSubmit={onSubmit((values) => login.mutate(values, { onError: refused }))}
        submit="Log in"
        busy="Logging in..."
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
      <Demo isBusy={isBusy} onTry={(demo) => login.mutate(demo)} />
    </>
  );
}

interface DemoProps {
  isBusy: boolean;
  onTry: (demo: NonNullable<SignInOptions['demo']>) => void;
}

/** Only where the server has a demo account; a server that does not answer simply offers none. */
function Demo({ isBusy, onTry }: DemoProps) {
  const { data } = useQuery(signInOptionsQuery);
  const demo = data?.demo;
  return demo ? <DemoHint demo={demo} isBusy={isBusy} onTry={() => onTry(demo)} /> : null;
}
