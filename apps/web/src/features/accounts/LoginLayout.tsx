import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AuthLayout } from '../../components/AuthLayout.tsx';

/** The page around the login form. The build prerenders it, so that it is visible before its scripts load. */
export function LoginLayout({ children }: { children: ReactNode }) {
  return (
    <AuthLayout
      title="Welcome back"
      lead="Pick up where the last lesson ended."
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
