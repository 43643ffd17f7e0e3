import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { useForgotPassword } from '../features/accounts/api.ts';
import { AccountNameForm } from '../features/accounts/PasswordResetForms.tsx';

const backToLogin = <Link to="/login">Back to log in</Link>;

export function ForgotPasswordPage() {
  const [sent, setSent] = useState(false);
  const forgot = useForgotPassword();
  if (sent) {
    // The text is the same whether or not the account exists.
    return (
      <AuthLayout
        title="Check your e-mail"
        lead="If there is an account by that name, a link to choose a new password is on its way to its e-mail address."
        footer={backToLogin}
      />
    );
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      lead="Tell us who you are and we will e-mail you a link to choose a new one."
      footer={backToLogin}
    >
      <AccountNameForm request={forgot} onSent={() => setSent(true)} />
    </AuthLayout>
  );
}
