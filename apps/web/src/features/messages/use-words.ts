import { useState } from 'react';

export interface Words {
  subject: string;
  text: string;
}

/** The words in view: what is proposed for this person and way, until the tutor writes something else. */
export function useWords(to: string, proposed: Words | undefined) {
  const [own, setOwn] = useState<Readonly<Record<string, Words>>>({});
  const words = own[to] ?? proposed;
  return {
    words: words && { subject: words.subject, text: words.text },
    change: ({ subject, text }: Words) => setOwn({ ...own, [to]: { subject, text } }),
  };
}
