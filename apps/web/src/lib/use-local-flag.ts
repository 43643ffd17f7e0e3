import { useState } from 'react';

/** A display preference stored in this browser. Without storage, it is lost when the page is reloaded. */
export function useLocalFlag(key: string): [on: boolean, set: (on: boolean) => void] {
  const [on, setOn] = useState(() => readLocalFlag(key));
  return [
    on,
    (next) => {
      setOn(next);
      writeFlag(key, next);
    },
  ];
}

export function readLocalFlag(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'yes';
  } catch {
    return false;
  }
}

function writeFlag(key: string, on: boolean) {
  try {
    localStorage.setItem(key, on ? 'yes' : 'no');
  } catch {
    // Without storage, the flag is lost when the page is reloaded.
  }
}
