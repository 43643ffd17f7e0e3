import { useEffect } from 'react';

/** Mounted forms with unsaved input. */
export const unsavedForms = new Set<object>();

function preventUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

/** While `dirty` is true, the browser prompts before leaving the page, and the app does not reload it. */
export function useUnsavedChanges(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return undefined;
    const form = {};
    unsavedForms.add(form);
    window.addEventListener('beforeunload', preventUnload);
    return () => {
      unsavedForms.delete(form);
      // Browsers do not keep pages with this listener in the back/forward cache, so it is removed as soon as possible.
      if (unsavedForms.size === 0) window.removeEventListener('beforeunload', preventUnload);
    };
  }, [dirty]);
}
