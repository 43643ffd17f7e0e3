import type { messages } from '@lessonbook/contract/messages';
import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { PublicButton, PublicLayout } from '../components/PublicLayout.tsx';
import { call } from '../lib/http.ts';
import { errorMessage } from '../lib/query.ts';

/* Apart from `api.ts`, as on the pay page: a family's phone must not load the contract's schemas for one button. */
const unsubscribeEndpoint = {
  method: 'POST',
  path: '/api/unsubscribe/:token',
} as const satisfies Pick<typeof messages.unsubscribe, 'method' | 'path'>;

function useUnsubscribe(token: string) {
  return useMutation({
    mutationFn: () =>
      call(unsubscribeEndpoint as typeof messages.unsubscribe, { params: { token } }),
    // The page says it where the button is.
    meta: { errorShownInPlace: () => true },
  });
}

/** Opening it changes nothing: mail programs look into links by themselves. */
export function UnsubscribePage() {
  const { token } = useParams({ from: '/unsubscribe/$token' });
  const stop = useUnsubscribe(token);
  if (stop.data) {
    return (
      <PublicLayout title="Reminders stopped">
        <p role="status">No more reminders from {stop.data.tutorName}. Invoices still come.</p>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout title="Stop reminders?">
      <p>You get no more reminders at this address. Invoices still come.</p>
      {stop.error && (
        <p role="alert">
          {errorMessage(stop.error, { errorFallback: 'That did not work. Please try again.' })}
        </p>
      )}
      <PublicButton disabled={stop.isPending} onClick={() => stop.mutate()}>
        {stop.isPending ? 'Stopping...' : 'Stop reminders'}
      </PublicButton>
    </PublicLayout>
  );
}
