import type { messages } from '@lessonbook/contract/messages';
import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { PublicButton, PublicLayout } from '../components/PublicLayout.tsx';
import { call } from '../lib/http.ts';
import { getErrorMessage } from '../lib/query.ts';

/* Not in `api.ts`, as on the public bill: a family's phone must not load the contract's schemas for a single button. */
const unsubscribeEndpoint = {
  method: 'POST',
  path: '/api/unsubscribe/:token',
} as const satisfies Pick<typeof messages.unsubscribe, 'method' | 'path'>;

function useUnsubscribe(token: string) {
  return useMutation({
    mutationFn: () =>
      call(unsubscribeEndpoint as typeof messages.unsubscribe, { params: { token } }),
    // The page shows the error.
    meta: { errorShownInPlace: () => true },
  });
}

/** Opening the page does not unsubscribe, because mail scanners open links too. The user has to press the button. */
export function UnsubscribePage() {
  const { token } = useParams({ from: '/unsubscribe/$token' });
  const unsubscribe = useUnsubscribe(token);
  if (unsubscribe.data) {
    return (
      <PublicLayout title="Reminders stopped">
        <p role="status">
          No more reminders from {unsubscribe.data.tutorName}. Invoices still come.
        </p>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout title="Stop reminders?">
      <p>You get no more reminders at this address. Invoices still come.</p>
      {unsubscribe.error && (
        <p role="alert">
          {getErrorMessage(unsubscribe.error, {
            errorFallback: 'That did not work. Please try again.',
          })}
        </p>
      )}
      <PublicButton disabled={unsubscribe.isPending} onClick={() => unsubscribe.mutate()}>
        {unsubscribe.isPending ? 'Stopping...' : 'Stop reminders'}
      </PublicButton>
    </PublicLayout>
  );
}
