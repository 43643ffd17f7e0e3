import { useEffect, useState } from 'react';
import { toastFailed } from './toast.ts';

/** Long enough to be seen, gone before the next thing is copied. */
const COPIED_MS = 2_000;

/** Puts text where it can be pasted, and says for a moment that it did. */
export function useCopy() {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Some browsers inside other apps keep the clipboard to themselves; the text itself can be marked.
      toastFailed('Press and hold the text to copy it.', 'Not copied');
    }
  }

  return { copied, copy };
}
