import type { PublicBill } from '@lessonbook/contract/bills';

/** What was due in one currency when the payer left for the card provider. */
export type Asked = PublicBill['amounts'][number];

const keyOf = (token: string): string => `lessonbook-asked-${token}`;

/** Kept by this window alone, over the way to the provider and back. Storage that is closed to us costs only the memory. */
export function rememberAsked(token: string, asked: Asked): void {
  try {
    sessionStorage.setItem(keyOf(token), JSON.stringify(asked));
  } catch {
    // See above.
  }
}

export function askedBefore(token: string): Asked | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(token)) ?? 'null') as Asked | null;
  } catch {
    return null;
  }
}
