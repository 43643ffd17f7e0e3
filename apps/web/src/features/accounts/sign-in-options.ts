import type { accounts } from '@lessonbook/contract/accounts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

/* Written out, as the current user's call is: it is made while the sign-in page itself is still on its way. */
const signInOptions = {
  method: 'GET',
  path: '/api/sign-in-options',
} as const satisfies Pick<typeof accounts.signInOptions, 'method' | 'path'>;

/** What the sign-in pages offer here. */
export const signInOptionsQuery = queryOptions({
  queryKey: [signInOptions.path],
  queryFn: () => call(signInOptions as typeof accounts.signInOptions),
});
