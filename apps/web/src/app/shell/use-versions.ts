import { useEffect } from 'react';

let following = false;

/** On signed-in screens only, and once they stand: the landing page neither needs nor loads it. */
export function useVersions() {
  useEffect(() => {
    if (following) return;
    following = true;
    void import('./new-version.ts').then(({ followVersions }) => followVersions());
  }, []);
}
