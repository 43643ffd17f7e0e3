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

const reportEndpoint = {
  method: 'POST',
  path: '/api/unsubscribe/:token/report',
} as const satisfies Pick<typeof messages.reportEmail, 'method' | 'path'>;

function usePublicAction(
  endpoint: typeof unsubscribeEndpoint | typeof reportEndpoint,
  token: string,
) {
  return useMutation({
    mutationFn: () => call(endpoint as typeof messages.unsubscribe, { params: { token } }),
    // The page shows the error.
    meta: { errorShownInPlace: () => true },
  });
}

/** Opening the page does not unsubscribe, because mail scanners open links too. The user has to press the button. */
export function UnsubscribePage() {
  const { token } = useParams({ from: '/unsubscribe/$token' });
  const unsubscribe = usePublicAction(unsubscribeEndpoint, token);
  const report = usePublicAction(reportEndpoint, token);
  if (report.data) {
    return (
      <PublicLayout title="Thank you for telling us">
        <p role="status">
          {report.data.tutorName} can no longer send emails to this address through Lessonbook.
        </p>
      </PublicLayout>
    );
  }
  if (unsubscribe.data) {
    return (
      <PublicLayout title="Reminders stopped">
        <p role="status">
          No more reminders from {unsubscribe.data.tutorName}. Invoices still come.
        </p>
      </PublicLayout>
    );
  }
  const error = report.error ?? unsubscribe.error;
  const isPending = unsubscribe.isPending || report.isPending;
  return (
    <PublicLayout title="Stop reminders?">
      <p>You get no more reminders at this address. Invoices still come.</p>
      {error && (
        <p role="alert">
          {getErrorMessage(error, {
            errorFallback: 'That did not work. Please try again.',
          })}
        </p>
      )}
      <PublicButton disabled={isPending} onClick={() => unsubscribe.mutate()}>
        {unsubscribe.isPending ? 'Stopping...' : 'Stop reminders'}
      </PublicButton>
      <p>Not meant for you, or spam? We'll stop all emails from this tutor to this address.</p>
      <PublicButton secondary disabled={isPending} onClick={() => report.mutate()}>
        {report.isPending ? 'Reporting...' : 'Report these emails'}
      </PublicButton>
    </PublicLayout>
  );
}
