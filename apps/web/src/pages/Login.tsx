import { Link } from '@tanstack/react-router';
import { EntryLayout } from '../components/EntryLayout.tsx';
import { GoogleEntry } from '../features/accounts/GoogleEntry.tsx';
import { LoginForm } from '../features/accounts/LoginForm.tsx';
import classes from './Login.module.css';

export function LoginPage() {
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
      <GoogleEntry from="login">
        <LoginForm
          help={
            <p className={classes.forgot}>
              <Link to="/forgot-password">Forgot your password?</Link>
            </p>
          }
        />
      </GoogleEntry>
    </EntryLayout>
  );
}
