import { useRef } from 'react';

/**
 * Names attempts to save by what they carry. A repeat of the very same keeps its name, so that a double click or a lost
 * answer saves once; whatever differs, and whatever comes after a success, gets a new one.
 */
export function useIdempotencyKey() {
  const last = useRef({ text: '', name: '' });
  return {
    nameOf(input: unknown): string {
      const text = JSON.stringify(input);
      if (text !== last.current.text) last.current = { text, name: crypto.randomUUID() };
      return last.current.name;
    },
    forget() {
      last.current = { text: '', name: '' };
    },
  };
}
