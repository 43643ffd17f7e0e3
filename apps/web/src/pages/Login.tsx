import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { EntryLayout } from '../components/EntryLayout.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { GoogleEntry } from '../features/accounts/GoogleEntry.tsx';
import { LoginForm } from '../features/accounts/LoginForm.tsx';
import { LoginFrame } from '../features/accounts/LoginFrame.tsx';
import { PasskeyEntry } from '../features/accounts/PasskeyEntry.tsx';
import classes from './Login.module.css';

const SecondStepForm = lazy(async () => ({
  default: (await import('../features/accounts/SecondStepForm.tsx')).SecondStepForm,
}));

export function LoginPage() {
  const [step, setStep] = useState<'first' | 'second'>('first');
  const goBack = useCallback(() => setStep('first'), []);
  if (step === 'second')
    return (
      <EntryLayout title="One more step" lead="This book asks for a second proof that it is you.">
        <Suspense fallback={<RowSkeleton rows={1} />}>
          <SecondStepForm onBack={goBack} />
        </Suspense>
      </EntryLayout>
    );
  const goOn = () => setStep('second');
  return (
    <LoginFrame>
      <GoogleEntry from="login" onSecondStep={goOn}>
        <LoginForm
          onSecondStep={goOn}
          help={
            <div className={classes.help}>
              <Link to="/forgot-password">Forgot your password?</Link>
              <PasskeyEntry />
            </div>
          }
        />
      </GoogleEntry>
    </LoginFrame>
  );
}
