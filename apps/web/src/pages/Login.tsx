import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { EntryLayout } from '../components/EntryLayout.tsx';
import { GoogleEntry } from '../features/accounts/GoogleEntry.tsx';
import { LoginForm } from '../features/accounts/LoginForm.tsx';
import { PasskeyEntry } from '../features/accounts/PasskeyEntry.tsx';
import { SecondStepForm } from '../features/accounts/SecondStepForm.tsx';
import classes from './Login.module.css';

export function LoginPage() {
  const [step, setStep] = useState<'first' | 'second'>('first');
  const goBack = useCallback(() => setStep('first'), []);
  if (step === 'second')
    return (
      <EntryLayout title="One more step" lead="This book asks for a second proof that it is you.">
        <SecondStepForm onBack={goBack} />
      </EntryLayout>
    );
  const goOn = () => setStep('second');
  return (
    <EntryLayout
      title="Welcome back"
      lead="Pick up where the last lesson ended."
      foot={
        <>
          New here? <Link to="/signup">Start your 14-day free trial</Link>
        </>
      }
    >
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
    </EntryLayout>
  );
}
