import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { GoogleSignIn } from '../features/accounts/GoogleSignIn.tsx';
import { LoginForm, PasskeySignIn } from '../features/accounts/LoginForm.tsx';
import { LoginLayout } from '../features/accounts/LoginLayout.tsx';
import classes from './Login.module.css';

const TwoFactorForm = lazy(async () => ({
  default: (await import('../features/accounts/TwoFactorForm.tsx')).TwoFactorForm,
}));

export function LoginPage() {
  const [step, setStep] = useState<'login' | 'two-factor'>('login');
  const showLogin = useCallback(() => setStep('login'), []);
  if (step === 'two-factor')
    return (
      <AuthLayout title="One more step" lead="This book asks for a second proof that it is you.">
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
