import { useCallback, useEffect, useRef } from 'react';

/**
 * Fast fingers are ahead of a palette that is still being fetched. Their letters are kept for its field, and do not end up in
 * whatever has the focus below. Gives what was typed so far, once.
 */
export function useTypedAhead(opened: boolean): () => string {
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
