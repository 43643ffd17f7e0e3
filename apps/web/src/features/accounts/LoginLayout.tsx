import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AuthLayout } from '../../components/AuthLayout.tsx';

/** What stands around the login form. The build draws it ahead, so that the page is there before its scripts. */
export function LoginLayout({ children }: { children: ReactNode }) {
  return (
    <AuthLayout
      title="Welcome back"
      lead="Pick up where the last lesson ended."
      foot={
        <>
          New here? <Link to="/signup">Start your 14-day free trial</Link>
        </>
      }
    >
      {children}
    </AuthLayout>
  );
}
