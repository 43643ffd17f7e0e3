import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { EntryLayout } from '../components/EntryLayout.tsx';
import { GoogleEntry } from '../features/accounts/GoogleEntry.tsx';
import { SecondStepForm } from '../features/accounts/SecondStepForm.tsx';
import { SignupForm } from '../features/accounts/SignupForm.tsx';

export function SignupPage() {
  // Whoever has a book already may come by Google from here too.
  const [step, setStep] = useState<'first' | 'second'>('first');
  const goBack = useCallback(() => setStep('first'), []);
  if (step === 'second')
    return (
      <EntryLayout title="One more step" lead="This book asks for a second proof that it is you.">
        <SecondStepForm onBack={goBack} />
      </EntryLayout>
    );
  return (
    <EntryLayout
      title="Open your book"
      lead="14-day free trial, no credit card."
      foot={
        <>
          Already have one? <Link to="/login">Log in</Link>
        </>
      }
    >
      <GoogleEntry from="signup" onSecondStep={() => setStep('second')}>
        <SignupForm />
      </GoogleEntry>
    </EntryLayout>
  );
}
