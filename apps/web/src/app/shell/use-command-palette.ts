import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Fast fingers are ahead of a palette that is still being fetched. Their letters are kept for its field, and do not end up in
 * whatever has the focus below. Gives what was typed so far, once.
 */
function useKeystrokeBuffer(opened: boolean): () => string {
  const typed = useRef('');

  useEffect(() => {
    if (!opened) return undefined;
    typed.current = '';
    const keep = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isInPlace = document.activeElement?.closest('[aria-modal]');
      if (isInPlace || ctrlKey || metaKey || altKey) return;
      if (key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (key.length === 1) typed.current += key;
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', keep, true);
    return () => window.removeEventListener('keydown', keep, true);
  }, [opened]);

  return useCallback(() => {
    const words = typed.current;
    typed.current = '';
    return words;
  }, []);
}

/** What the key is called on this keyboard; both work on either. */
export const SHORTCUT = /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** Whether the palette is open, and where the focus was before. */
export function useCommandPalette() {
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

  return {
    opened,
    origin,
    open,
    close: () => setOpened(false),
    takeTyped: useKeystrokeBuffer(opened),
  };
}
