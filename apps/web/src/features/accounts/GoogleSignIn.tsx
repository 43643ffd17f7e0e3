import type {
  AuthPage,
  GoogleCallbackResult,
  PendingGoogleUser,
} from '@lessonbook/contract/google-sign-in';
import { Button } from '@mantine/core';
import { IconBrandGoogleFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { AlternativeSignIn } from '../../components/AuthFormParts.tsx';
import { useExternalRedirect } from '../../lib/external-navigation.ts';
import { toastError } from '../../lib/toast.ts';
import { useOneTimeParam } from '../../lib/use-one-time-param.ts';
import { signInOptionsQuery } from './current-user.ts';
import { googleAuthUrl, googleErrorMessages, useGoogleLogin } from './google-api.ts';

const failureReasons: Partial<Record<GoogleCallbackResult, string>> = {
  cancelled: 'You left Google without choosing an account.',
  busy: 'Too many attempts. Please wait a few minutes and try again.',
};

/** After the redirect back from Google, continues the login or shows why it failed. */
function useGoogleCallback(from: AuthPage, continueLogin: () => void): void {
  const result = useOneTimeParam('google');
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

/** Lazy, because it is needed at most once per account. */
const LinkGoogleForm = lazy(async () => ({
  default: (await import('./LinkGoogleForm.tsx')).LinkGoogleForm,
}));

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

/** The page's form with the Google button above it, if the server offers it, or the form for linking an account. */
export function GoogleSignIn({ from, onMfaRequired, children }: Props) {
  const { data: options } = useQuery(signInOptionsQuery);
  const [pendingUser, setPendingUser] = useState<PendingGoogleUser | null>(null);
  const googleLogin = useGoogleLogin(from, setPendingUser, onMfaRequired);
  const { isRedirecting, redirectTo } = useExternalRedirect();
  useGoogleCallback(from, googleLogin.mutate);

  if (pendingUser) {
    return (
      <Suspense fallback={null}>
        <LinkGoogleForm
          from={from}
          pendingUser={pendingUser}
          onBack={() => setPendingUser(null)}
          onMfaRequired={onMfaRequired}
        />
      </Suspense>
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
