import { useLeaving } from '../../lib/leaving.ts';
import { failureText } from '../../lib/query.ts';
import { type Asked, rememberAsked } from './asked.ts';
import { usePayByCard } from './public-bill.ts';

const AWAY =
  'Card payments cannot be reached just now. Nothing was charged. Please try again in a few minutes.';

export type CardWay = ReturnType<typeof useCardWay>;

/** To the card provider's page. */
export function useCardWay(token: string) {
  const { mutate, variables, isPending, error } = usePayByCard(token);
  const { leaving, leaveFor } = useLeaving();
  return {
    opening: ((isPending || leaving) && variables) || null,
    refusal: error && failureText(error, { errorFallback: AWAY }),
    pay: (asked: Asked) =>
      mutate(asked, {
        onSuccess: ({ url }) => {
          rememberAsked(token, asked);
          leaveFor(url);
        },
      }),
  };
}
