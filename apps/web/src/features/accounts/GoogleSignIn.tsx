import {
  type AuthPage,
  type GoogleCallbackResult,
  LinkGoogleInput,
  type PendingGoogleUser,
} from '@lessonbook/contract/google-sign-in';
import { Button, PasswordInput } from '@mantine/core';
import { IconBrandGoogleFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { AlternativeSignIn, FormIntro, FormLinks } from '../../components/AuthLayout.tsx';
import { Form } from '../../components/Form.tsx';
import { useCallbackParam, useExternalRedirect } from '../../lib/external-navigation.ts';
import { ApiError } from '../../lib/http.ts';
import { toastFailed } from '../../lib/toast.ts';
import { useSchemaForm } from '../../lib/use-form.ts';
import { isMfaRequired } from './auth-errors.ts';
import { signInOptionsQuery } from './current-user.ts';
import { googleAuthUrl, googleErrorMessages, useGoogleLogin, useLinkGoogle } from './google-api.ts';

const failureReasons: Partial<Record<GoogleCallbackResult, string>> = {
  cancelled: 'You left Google without choosing an account.',
  busy: 'Too many attempts. Please wait a little and try again.',
};

/** After the redirect back from Google, continues the login or shows why it failed. */
function useGoogleCallback(from: AuthPage, continueLogin: () => void): void {
  const result = useCallbackParam('google');
  const done = useRef(false);
  const onDone = useEffectEvent(continueLogin);

  useEffect(() => {
    // The ticket can be used only once, so the effect must not run twice.
    if (!result || done.current) return;
    done.current = true;
    if (result === 'done') return onDone();
    const { errorTitle, errorFallback } = googleErrorMessages[from];
    toastFailed(failureReasons[result as GoogleCallbackResult] ?? errorFallback, errorTitle);
  }, [result, from]);
}

interface LinkGoogleProps {
  from: AuthPage;
  person: PendingGoogleUser;
  onBack: () => void;
  onMfaRequired: () => void;
}

/** For the first Google login to an existing account: the password proves ownership. */
function LinkGoogleForm({ from, person, onBack, onMfaRequired }: LinkGoogleProps) {
  const connect = useLinkGoogle(from);
  const { form, onSubmit, showServerErrors } = useSchemaForm(LinkGoogleInput, {
    credential: person.credential,
    password: '',
  });

  // This form replaces another without a click, so the focus has to be moved.
  const { getInputNode } = form;
  useEffect(() => getInputNode('password')?.focus(), [getInputNode]);

  function handleError(error: Error) {
    if (isMfaRequired(error)) return onMfaRequired();
    showServerErrors(error);
    // The ticket has expired, so the login has to start again.
    if (error instanceof ApiError && error.code === 'link_expired') onBack();
  }

  return (
    <section aria-label="Connect Google">
      <FormIntro>
        You already have an account with <b>{person.email}</b>. Enter its password to connect
        Google.
      </FormIntro>
      <Form
        onSubmit={onSubmit((values) => connect.mutate(values, { onError: handleError }))}
        submit="Connect Google"
        busy="Connecting..."
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

const labels = {
  login: { button: 'Sign in with Google', busy: 'Signing in...', or: 'or with your username' },
  signup: { button: 'Sign up with Google', busy: 'Signing up...', or: 'or with your email' },
} satisfies Record<AuthPage, object>;

interface Props {
  from: AuthPage;
  /** The account has a second factor. */
  onMfaRequired: () => void;
  /** The page's own form, for logging in without Google. */
  children: ReactNode;
}

/** The Google button above the page's form, if the server offers it, or the form for linking an existing account. */
export function GoogleSignIn({ from, onMfaRequired, children }: Props) {
  const { data: options } = useQuery(signInOptionsQuery);
  const [person, setPerson] = useState<PendingGoogleUser | null>(null);
  const googleLogin = useGoogleLogin(from, setPerson, onMfaRequired);
  const { isRedirecting, redirectTo } = useExternalRedirect();
  useGoogleCallback(from, googleLogin.mutate);

  if (person) {
    return (
      <LinkGoogleForm
        from={from}
        person={person}
        onBack={() => setPerson(null)}
        onMfaRequired={onMfaRequired}
      />
    );
  }
  const isBusy = isRedirecting || googleLogin.isPending || googleLogin.isSuccess;
  return (
    <>
      {(options?.google || isBusy) && (
        <AlternativeSignIn or={labels[from].or}>
          <Button
            variant="default"
            fullWidth
            leftSection={<IconBrandGoogleFilled size={18} />}
            disabled={isBusy}
            onClick={() => redirectTo(googleAuthUrl(from))}
          >
            {isBusy ? labels[from].busy : labels[from].button}
          </Button>
        </AlternativeSignIn>
      )}
      {children}
    </>
  );
}
