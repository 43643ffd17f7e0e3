/** Whoever is being erased: by what they can be found in other places of the book. */
export interface ErasedPerson {
  readonly kind: 'student' | 'carer';
  readonly id: number;
  /** Full name, addresses and numbers: nobody else's, so they may be taken out of any text. */
  readonly identifiers: readonly string[];
  /** Also other people's; looked for only in what was written to or about this family. */
  readonly firstName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

interface PersonDetails {
  name: string;
  email: string | null;
  phone: string | null;
}

/** A single word ('Maya') is the name of others too, and stays out of the marks. */
export function identifyingStrings({ name, email, phone }: PersonDetails): string[] {
  const full = name.trim();
  return [/\s/.test(full) ? full : null, email, phone].filter(
    (mark): mark is string => mark !== null && mark.length > 3,
  );
}

export const isSameName = (typed: string, name: string): boolean =>
  normalizeName(typed) === normalizeName(name);

const normalizeName = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
