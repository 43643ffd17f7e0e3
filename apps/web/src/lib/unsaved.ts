import { useEffect } from 'react';
import { unsavedForms } from './unsaved-forms.ts';

function askFirst(event: BeforeUnloadEvent) {
  event.preventDefault();
}

/** While `dirty` is true the browser asks before the page goes, in its own words, and nothing of ours reloads it. */
export function useUnsaved(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return undefined;
    const form = {};
    unsavedForms.add(form);
    window.addEventListener('beforeunload', askFirst);
    return () => {
      unsavedForms.delete(form);
      // Browsers keep no page with such a listener for the way back, so it goes as soon as it may.
      if (unsavedForms.size === 0) window.removeEventListener('beforeunload', askFirst);
    };
  }, [dirty]);
}
