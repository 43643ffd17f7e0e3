import type { messages } from '@lessonbook/contract/messages';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

/* Apart from `api.ts`, as on the pay page: a family's phone must not load the contract's schemas for one button. */
const unsubscribe = {
  method: 'POST',
  path: '/api/unsubscribe/:token',
} as const satisfies Pick<typeof messages.unsubscribe, 'method' | 'path'>;

export function useStopReminders(token: string) {
  return useMutation({
    mutationFn: () => call(unsubscribe as typeof messages.unsubscribe, { params: { token } }),
    // The page says it where the button is.
    meta: { errorShownInPlace: () => true },
  });
}
