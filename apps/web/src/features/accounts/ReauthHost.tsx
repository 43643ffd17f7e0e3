import { lazy, Suspense, useEffect, useState } from 'react';
import { setReauthHandler } from '../../lib/http.ts';

const ReauthDialog = lazy(async () => ({
  default: (await import('./ReauthDialog.tsx')).ReauthDialog,
}));

/**
 * Shows the dialog when the server requires recent authentication for a request. `lib/http.ts` repeats the request
 * afterwards, so that nothing typed is lost. Concurrent requests share one dialog.
 */
export function ReauthHost() {
  const [opened, setOpened] = useState(false);
  const [pending] = useState(() => new Set<(isConfirmed: boolean) => void>());

  function close(isConfirmed: boolean) {
    setOpened(false);
    for (const resolve of pending) resolve(isConfirmed);
    pending.clear();
  }

  useEffect(() => {
    setReauthHandler(
      () =>
        new Promise((resolve) => {
          pending.add(resolve);
          setOpened(true);
        }),
    );
    return () => {
      setReauthHandler(null);
      for (const resolve of pending) resolve(false);
      pending.clear();
    };
  }, [pending]);

  if (!opened) return null;
  return (
    <Suspense>
      <ReauthDialog onClose={() => close(false)} onConfirmed={() => close(true)} />
    </Suspense>
  );
}
