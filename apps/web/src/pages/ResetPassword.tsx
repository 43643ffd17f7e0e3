import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthLayout } from '../components/AuthLayout.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { ResetPasswordForm } from '../features/accounts/PasswordResetForms.tsx';

export function ResetPasswordPage() {
  const { token } = useParams({ from: '/reset-password/$token' });
  const navigate = useNavigate();
  const [isExpired, setIsExpired] = useState(false);

  if (isExpired) {
    return (
      <AuthLayout
        title="This link has run out"
        lead="It was used already or is too old. A new one takes a minute."
        footer={<Link to="/login">Back to log in</Link>}
      >
        <ButtonLink to="/forgot-password" fullWidth>
          Send a new link
        </ButtonLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Choose a new password" lead="You will use it from now on to log in.">
      <ResetPasswordForm
        token={token}
        onChanged={() => void navigate({ to: '/login', replace: true })}
        onInvalidLink={() => setIsExpired(true)}
      />
    </AuthLayout>
  );
}
