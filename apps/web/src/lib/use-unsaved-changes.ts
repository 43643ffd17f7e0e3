import { useEffect } from 'react';

/** Forms on the screen that hold words which are nowhere else. */
export const unsavedForms = new Set<object>();

function preventUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

/** While `dirty` is true the browser asks before the page goes, in its own words, and nothing of ours reloads it. */
export function useUnsavedChanges(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return undefined;
    const form = {};
    unsavedForms.add(form);
    window.addEventListener('beforeunload', preventUnload);
    return () => {
      unsavedForms.delete(form);
      // Browsers keep no page with such a listener for the way back, so it goes as soon as it may.
      if (unsavedForms.size === 0) window.removeEventListener('beforeunload', preventUnload);
    };
  }, [dirty]);
}
