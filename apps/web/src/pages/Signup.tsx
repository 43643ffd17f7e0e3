import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { GoogleSignIn } from '../features/accounts/GoogleSignIn.tsx';
import { SignupForm } from '../features/accounts/SignupForm.tsx';

const TwoFactorForm = lazy(async () => ({
  default: (await import('../features/accounts/TwoFactorForm.tsx')).TwoFactorForm,
}));

export function SignupPage() {
  // An existing account may also sign in with Google here, and then needs its second factor.
  const [step, setStep] = useState<'signup' | 'two-factor'>('signup');
  const showSignup = useCallback(() => setStep('signup'), []);
  if (step === 'two-factor')
    return (
      <AuthLayout title="One more step" lead="This book asks for a second proof that it is you.">
        <Suspense fallback={<RowSkeleton rows={1} />}>
          <TwoFactorForm onBack={showSignup} />
        </Suspense>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title="Open your book"
      lead="14-day free trial, no credit card."
      footer={
        <>
          Already have one? <Link to="/login">Log in</Link>
        </>
      }
    >
      <GoogleSignIn from="signup" onMfaRequired={() => setStep('two-factor')}>
        <SignupForm />
      </GoogleSignIn>
    </AuthLayout>
  );
}
