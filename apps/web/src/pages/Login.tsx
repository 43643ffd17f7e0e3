import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { GoogleSignIn } from '../features/accounts/GoogleSignIn.tsx';
import { LoginForm, PasskeySignIn } from '../features/accounts/LoginForm.tsx';
import classes from './Login.module.css';

const TwoFactorForm = lazy(async () => ({
  default: (await import('../features/accounts/TwoFactorForm.tsx')).TwoFactorForm,
}));

export function LoginPage() {
  const [step, setStep] = useState<'login' | 'two-factor'>('login');
  const showLogin = useCallback(() => setStep('login'), []);
  if (step === 'two-factor')
    return (
      <AuthLayout title="One more step" lead="Enter your second sign-in step.">
        <Suspense fallback={<RowSkeleton rows={1} />}>
          <TwoFactorForm onBack={showLogin} />
        </Suspense>
      </AuthLayout>
    );
  const showTwoFactor = () => setStep('two-factor');
  return (
    <LoginLayout>
      <GoogleSignIn from="login" onMfaRequired={showTwoFactor}>
        <LoginForm
          onMfaRequired={showTwoFactor}
          help={
            <div className={classes.help}>
              <Link to="/forgot-password">Forgot your password?</Link>
              <PasskeySignIn />
            </div>
          }
        />
      </GoogleSignIn>
    </LoginLayout>
  );
}

/** The page around the login form. The build prerenders it, so that it is visible before its scripts load. */
export function LoginLayout({ children }: { children: ReactNode }) {
  return (
    <AuthLayout
      title="Welcome back"
      lead="Log in to your account."
      footer={
        <>
          New here? <Link to="/signup">Start your 14-day free trial</Link>
        </>
      }
    >
      {children}
    </AuthLayout>
  );
}
