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

/** Google has sent the browser back: go on with whom it vouched for, or say why not. */
function useGoogleCallback(from: AuthPage, goOn: () => void): void {
  const word = useCallbackParam('google');
  const done = useRef(false);
  const goOnNow = useEffectEvent(goOn);

  useEffect(() => {
    // The ticket is good once, so one arrival must not be two calls.
    if (!word || done.current) return;
    done.current = true;
    if (word === 'done') return goOnNow();
    const { errorTitle, errorFallback } = googleErrorMessages[from];
    toastFailed(failureReasons[word as GoogleCallbackResult] ?? errorFallback, errorTitle);
  }, [word, from]);
}

interface LinkGoogleProps {
  from: AuthPage;
  person: PendingGoogleUser;
  onBack: () => void;
  onMfaRequired: () => void;
}

/** Somebody with an account already comes by Google for the first time: its password shows that it is theirs. */
function LinkGoogleForm({ from, person, onBack, onMfaRequired }: LinkGoogleProps) {
  const connect = useLinkGoogle(from);
  const { form, onSubmit, showServerErrors } = useSchemaForm(LinkGoogleInput, {
    credential: person.credential,
    password: '',
  });

  // It comes by itself and not by a tap, so the hand is led to it.
  const { getInputNode } = form;
  useEffect(() => getInputNode('password')?.focus(), [getInputNode]);

  function refused(error: Error) {
    if (isMfaRequired(error)) return onMfaRequired();
    showServerErrors(error);
    // Too late: only a new way to Google helps.
    if (error instanceof ApiError && error.code === 'link_expired') onBack();
  }

  return (
    <section aria-label="Connect Google">
      <FormIntro>
        You already have an account with <b>{person.email}</b>. Enter its password to connect
        Google.
      </FormIntro>
      <Form
        onSubmit={onSubmit((values) => connect.mutate(values, { onError: refused }))}
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
  /** Whom Google vouches for has a second factor. */
  onMfaRequired: () => void;
  /** The page's own form, for whoever comes without Google. */
  children: ReactNode;
}

/** The way in by Google above the page's form, where the server offers it; and in its place what Google's way still needs. */
export function GoogleSignIn({ from, onMfaRequired, children }: Props) {
  const { data: options } = useQuery(signInOptionsQuery);
  const [person, setPerson] = useState<PendingGoogleUser | null>(null);
  const comeIn = useGoogleLogin(from, setPerson, onMfaRequired);
  const { leaving, leaveFor } = useExternalRedirect();
  useGoogleCallback(from, comeIn.mutate);

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
  const isBusy = leaving || comeIn.isPending || comeIn.isSuccess;
  return (
    <>
      {(options?.google || isBusy) && (
        <AlternativeSignIn or={labels[from].or}>
          <Button
            variant="default"
            fullWidth
            leftSection={<IconBrandGoogleFilled size={18} />}
            disabled={isBusy}
            onClick={() => leaveFor(googleAuthUrl(from))}
          >
            {isBusy ? labels[from].busy : labels[from].button}
          </Button>
        </AlternativeSignIn>
      )}
      {children}
    </>
  );
}
