import { type ReactNode, Suspense, useState } from 'react';

/** A lazy dialog or sheet is fetched when it is first opened, and stays for the moment in which it closes. */
export function LazyMount({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [ever, setEver] = useState(opened);
  if (opened && !ever) setEver(true);
  return ever && <Suspense fallback={null}>{children}</Suspense>;
}
