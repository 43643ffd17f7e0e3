import { useRef } from 'react';

/**
 * Returns a key for each input. The same input keeps its key, so that a double click or a retry saves only once; a
 * different input, or any input after a success, gets a new key.
 */
export function useIdempotencyKey() {
  const last = useRef({ json: '', key: '' });

  function keyFor(input: unknown): string {
    const json = JSON.stringify(input);
    if (json !== last.current.json) last.current = { json, key: crypto.randomUUID() };
    return last.current.key;
  }

  function reset() {
    last.current = { json: '', key: '' };
  }

  return { keyFor, reset };
}
