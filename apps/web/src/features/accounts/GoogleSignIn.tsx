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
import { useExternalRedirect } from '../../lib/external-navigation.ts';
import { ApiError } from '../../lib/http.ts';
import { toastError } from '../../lib/toast.ts';
import { useCallbackParam } from '../../lib/use-callback-param.ts';
import { useForm } from '../../lib/use-form.ts';
import { isMfaRequired } from './auth-error-checks.ts';
import { signInOptionsQuery } from './current-user.ts';
import { googleAuthUrl, googleErrorMessages, useGoogleLogin, useLinkGoogle } from './google-api.ts';

const failureReasons: Partial<Record<GoogleCallbackResult, string>> = {
  cancelled: 'You left Google without choosing an account.',
  busy: 'Too many attempts. Please wait a few minutes and try again.',
};

/** After the redirect back from Google, continues the login or shows why it failed. */
function useGoogleCallback(from: AuthPage, continueLogin: () => void): void {
  const result = useCallbackParam('google');
  const hasRun = useRef(false);
  const onDone = useEffectEvent(continueLogin);

  useEffect(() => {
    // The credential can be used only once, so the effect must not run twice.
    if (!result || hasRun.current) return;
    hasRun.current = true;
    if (result === 'done') return onDone();
    const { errorTitle, errorFallback } = googleErrorMessages[from];
    toastError(failureReasons[result as GoogleCallbackResult] ?? errorFallback, errorTitle);
  }, [result, from]);
}

interface LinkGoogleProps {
  from: AuthPage;
  pendingUser: PendingGoogleUser;
  onBack: () => void;
  onMfaRequired: () => void;
}

/** For the first Google login to an existing account: the password proves ownership. */
function LinkGoogleForm({ from, pendingUser, onBack, onMfaRequired }: LinkGoogleProps) {
  const connect = useLinkGoogle(from);
  const { form, onSubmit } = useForm({
    schema: LinkGoogleInput,
    initialValues: { credential: pendingUser.credential, password: '' },
    confirmsDiscard: false,
  });

  // This form replaces another without a click, so the focus has to be moved.
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

const labels = {
  login: {
    button: 'Sign in with Google',
    busy: 'Signing in...',
    separator: 'or with your username',
  },
  signup: { button: 'Sign up with Google', busy: 'Signing up...', separator: 'or with your email' },
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
  const [pendingUser, setPendingUser] = useState<PendingGoogleUser | null>(null);
  const googleLogin = useGoogleLogin(from, setPendingUser, onMfaRequired);
  const { isRedirecting, redirectTo } = useExternalRedirect();
  useGoogleCallback(from, googleLogin.mutate);

  if (pendingUser) {
    return (
      <LinkGoogleForm
        from={from}
        pendingUser={pendingUser}
        onBack={() => setPendingUser(null)}
        onMfaRequired={onMfaRequired}
      />
    );
  }
  const isBusy = isRedirecting || googleLogin.isPending || googleLogin.isSuccess;
  return (
    <>
      {(options?.google || isBusy) && (
        <AlternativeSignIn separatorLabel={labels[from].separator}>
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
