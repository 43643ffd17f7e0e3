import type { UseMutationResult } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { isConfirmationNeeded } from './refusals.ts';

const StillYou = lazy(async () => ({ default: (await import('./StillYou.tsx')).StillYou }));

type Ask = (goOn: () => void) => void;
const AskAgain = createContext<Ask | null>(null);

/** Around screens with something delicate: asks whether it is still the tutor, and goes on with what was begun. */
export function ConfirmGate({ children }: { children: ReactNode }) {
  const [goOn, setGoOn] = useState<(() => void) | null>(null);
  const close = () => setGoOn(null);
  return (
    <AskAgain value={(next) => setGoOn(() => next)}>
      {children}
      {goOn && (
        <Suspense>
          <StillYou
            onClose={close}
            onProven={() => {
              close();
              goOn();
            }}
          />
        </Suspense>
      )}
    </AskAgain>
  );
}

interface Callbacks<Output> {
  onSuccess?: (output: Output) => void;
  onError?: (error: Error) => void;
}

/** `run` in place of a mutation's `mutate`: where the server asks, the tutor is asked, and then it runs again. */
export function useDelicate<Output, Input>(mutation: UseMutationResult<Output, Error, Input>) {
  const ask = useContext(AskAgain);
  if (!ask) throw new Error('useDelicate must be used inside ConfirmGate');
  function run(input: Input, callbacks: Callbacks<Output> = {}) {
    mutation.mutate(input, {
      onSuccess: (output) => callbacks.onSuccess?.(output),
      onError: (error) => {
        if (isConfirmationNeeded(error)) ask?.(() => run(input, callbacks));
        else callbacks.onError?.(error);
      },
    });
  }
  return run;
}
