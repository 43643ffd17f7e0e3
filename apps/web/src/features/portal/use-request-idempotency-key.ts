import { useRef } from 'react';

/**
 * The same input keeps its idempotency key. `useIdempotencyKey` is not used here, because the build puts it in a chunk that
 * also loads the styles of the component library.
 */
export function useRequestIdempotencyKey(): (input: unknown) => string {
  const lastRef = useRef({ json: '', key: '' });
  return (input) => {
    const json = JSON.stringify(input);
    if (json !== lastRef.current.json) lastRef.current = { json, key: crypto.randomUUID() };
    return lastRef.current.key;
  };
}
