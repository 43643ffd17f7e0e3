import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type CreateActionId,
  onCreateRequest,
} from '../../features/command-palette/shared/open-create-dialog.ts';

/**
 * Buffers keys typed while the palette is loading, so that they do not reach the focused element. The returned function
 * returns the buffered text and clears the buffer.
 */
function useKeystrokeBuffer(opened: boolean): () => string {
  const typed = useRef('');

  useEffect(() => {
    if (!opened) return undefined;
    typed.current = '';
    const buffer = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isPaletteFocused = document.activeElement?.closest('[aria-modal]');
      if (isPaletteFocused || ctrlKey || metaKey || altKey) return;
      if (key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (key.length === 1) typed.current += key;
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', buffer, true);
    return () => window.removeEventListener('keydown', buffer, true);
  }, [opened]);

  return useCallback(() => {
    const text = typed.current;
    typed.current = '';
    return text;
  }, []);
}

/** The shortcut as labelled on this keyboard. Ctrl and Cmd both work on every keyboard. */
export const SHORTCUT = /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** Whether the palette is open, and which element had focus before it opened. */
export function useCommandPalette() {
  const [opened, setOpened] = useState(false);
  const [action, setAction] = useState<{ id: CreateActionId } | null>(null);
  const [previousFocus, setPreviousFocus] = useState<HTMLElement | null>(null);

  const open = useCallback(() => {
    setPreviousFocus(document.activeElement as HTMLElement | null);
    setAction(null);
    setOpened(true);
  }, []);

  useEffect(
    () =>
      onCreateRequest((id) => {
        setPreviousFocus(document.activeElement as HTMLElement | null);
        setAction({ id });
        // The palette asks whose payment it is.
        setOpened(id === 'record-payment');
      }),
    [],
  );

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey, key } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || shiftKey || altKey) return;
      // Does not open over another dialog.
      if (document.querySelector('[aria-modal]')) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);

  return {
    opened,
    previousFocus,
    action,
    open,
    close: () => setOpened(false),
    consumeTypedText: useKeystrokeBuffer(opened),
  };
}
