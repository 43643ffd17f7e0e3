import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { EntryLayout } from '../components/EntryLayout.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { GoogleEntry } from '../features/accounts/GoogleEntry.tsx';
import { SignupForm } from '../features/accounts/SignupForm.tsx';

const SecondStepForm = lazy(async () => ({
  default: (await import('../features/accounts/SecondStepForm.tsx')).SecondStepForm,
}));

export function SignupPage() {
  // Whoever has a book already may come by Google from here too.
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
