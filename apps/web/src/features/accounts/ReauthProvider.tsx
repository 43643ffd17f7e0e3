import type { UseMutationResult } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { isReauthRequired } from './auth-error-checks.ts';

const ReauthDialog = lazy(async () => ({
  default: (await import('./ReauthDialog.tsx')).ReauthDialog,
}));

type RequestReauth = (resume: () => void) => void;
const ReauthContext = createContext<RequestReauth | null>(null);

/** Prompts the tutor to reauthenticate when an action requires it, then resumes that action. */
export function ReauthProvider({ children }: { children: ReactNode }) {
  const [resume, setResume] = useState<(() => void) | null>(null);
  const close = () => setResume(null);
  return (
    <ReauthContext value={(next) => setResume(() => next)}>
      {children}
      {resume && (
        <Suspense>
          <ReauthDialog
            onClose={close}
            onConfirmed={() => {
              close();
              resume();
            }}
          />
        </Suspense>
      )}
    </ReauthContext>
  );
}

interface Callbacks<Output> {
  onSuccess?: (output: Output) => void;
  onError?: (error: Error) => void;
}

/**
 * Returns `run`, to be called instead of the mutation's `mutate`. If the server requires reauthentication, it
 * prompts the tutor and then repeats the mutation.
 */
export function useReauthMutation<Output, Input>(
  mutation: UseMutationResult<Output, Error, Input>,
) {
  const requestReauth = useContext(ReauthContext);
  if (!requestReauth) throw new Error('useReauthMutation must be used inside ReauthProvider');
  function run(input: Input, callbacks: Callbacks<Output> = {}) {
    mutation.mutate(input, {
      onSuccess: (output) => callbacks.onSuccess?.(output),
      onError: (error) => {
        if (isReauthRequired(error)) requestReauth?.(() => run(input, callbacks));
        else callbacks.onError?.(error);
      },
    });
  }
  return run;
}
