import { useState } from 'react';

/** A choice about the look of a screen that this browser keeps. Storage that is closed to us costs only the memory. */
export function useLocalFlag(key: string): [on: boolean, set: (on: boolean) => void] {
  const [on, setOn] = useState(() => read(key));
  return [
    on,
    (next) => {
      setOn(next);
      write(key, next);
    },
  ];
}

function read(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'yes';
  } catch {
    return false;
  }
}

function write(key: string, on: boolean) {
  try {
    localStorage.setItem(key, on ? 'yes' : 'no');
  } catch {
    // See above.
  }
}
