import { useCallback, useEffect, useState } from 'react';
import { useTypedAhead } from './use-typed-ahead.ts';

/** What the key is called on this keyboard; both work on either. */
export const SHORTCUT = /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** Whether the palette is open, and where the focus was before. */
export function usePalette() {
  const [opened, setOpened] = useState(false);
  const [origin, setOrigin] = useState<HTMLElement | null>(null);

  const open = useCallback(() => {
    setOrigin(document.activeElement as HTMLElement | null);
    setOpened(true);
  }, []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey, key } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || shiftKey || altKey) return;
      // A dialog is about one thing: nothing is searched for above it.
      if (document.querySelector('[aria-modal]')) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);

  return { opened, origin, open, close: () => setOpened(false), takeTyped: useTypedAhead(opened) };
}
