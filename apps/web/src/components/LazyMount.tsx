import { type ReactNode, Suspense, useState } from 'react';

/** Mounts a lazy dialog or modal when it is first opened, and keeps it mounted for the closing transition. */
export function LazyMount({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [hasOpened, setHasOpened] = useState(opened);
  if (opened && !hasOpened) setHasOpened(true);
  return hasOpened && <Suspense fallback={null}>{children}</Suspense>;
}
