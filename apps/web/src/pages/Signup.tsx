import { Link } from '@tanstack/react-router';
import { EntryLayout } from '../components/EntryLayout.tsx';
import { GoogleEntry } from '../features/accounts/GoogleEntry.tsx';
import { SignupForm } from '../features/accounts/SignupForm.tsx';

export function SignupPage() {
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
      <GoogleEntry from="signup">
        <SignupForm />
      </GoogleEntry>
    </EntryLayout>
  );
}
