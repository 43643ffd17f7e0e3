import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { confirmDiscard } from '../../lib/unsaved-changes.ts';
import { LoginForm, PasskeySignIn } from './LoginForm.tsx';
import classes from './Security.module.css';

const TwoFactorForm = lazy(async () => ({
  default: (await import('./TwoFactorForm.tsx')).TwoFactorForm,
}));

/** Shown over a page with unsaved changes when the login has ended, so that the changes can still be saved. */
export function LoginAgainDialog({ opened }: { opened: boolean }) {
  const [step, setStep] = useState<'login' | 'two-factor'>('login');
  // Without a login, the page cannot be used, so leaving the dialog means leaving the page.
  const leave = () =>
    void confirmDiscard().then((discarded) => discarded && window.location.assign('/login'));
  return (
    <ResponsiveModal title="Log in again" opened={opened} onClose={leave}>
      <div className={classes.form}>
        <p className={classes.text}>You've been logged out. Log in to keep your changes.</p>
        <div>
          {step === 'login' ? (
            <LoginForm
              onMfaRequired={() => setStep('two-factor')}
              help={
                <>
                  <PasskeySignIn />
                  <OtherTabLogin />
                </>
              }
            />
          ) : (
            <Suspense fallback={<RowSkeleton rows={1} />}>
              <TwoFactorForm onBack={() => setStep('login')} />
            </Suspense>
          )}
        </div>
      </div>
    </ResponsiveModal>
  );
}

/** For Google, which would replace this page. The login is detected when the tutor returns to this tab. */
function OtherTabLogin() {
  return (
    <Button component="a" variant="subtle" href="/login" target="_blank" rel="noopener">
      Log in another way
    </Button>
  );
}
