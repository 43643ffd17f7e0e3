import type { messages } from '@lessonbook/contract/messages';
import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { PublicButton, PublicLayout } from '../components/PublicLayout.tsx';
import { call } from '../lib/http.ts';
import { getErrorMessage } from '../lib/query.ts';

/* Defined here and not in `api.ts`, so that a family's phone does not load the contract's schemas for a few buttons. */
const unsubscribeEndpoint = {
  method: 'POST',
  path: '/api/unsubscribe/:token',
} as const satisfies Pick<typeof messages.unsubscribe, 'method' | 'path'>;

const reportEndpoint = {
  method: 'POST',
  path: '/api/unsubscribe/:token/report',
} as const satisfies Pick<typeof messages.reportEmail, 'method' | 'path'>;

const withdrawEndpoint = {
  method: 'DELETE',
  path: '/api/unsubscribe/:token/report',
} as const satisfies Pick<typeof messages.withdrawReport, 'method' | 'path'>;

function usePublicAction(
  endpoint: typeof unsubscribeEndpoint | typeof reportEndpoint | typeof withdrawEndpoint,
  token: string,
) {
  return useMutation({
    mutationFn: () => call(endpoint as typeof messages.unsubscribe, { params: { token } }),
    // The page shows the error.
    meta: { isErrorShownInline: () => true },
  });
}

const ActionError = ({ error }: { error: Error | null }) =>
  error && (
    <p role="alert">
      {getErrorMessage(error, { errorFallback: 'That did not work. Please try again.' })}
    </p>
  );

/** Opening the page does not unsubscribe, because mail scanners open links too. The user has to press the button. */
export function UnsubscribePage() {
  const { token } = useParams({ from: '/unsubscribe/$token' });
  const [isReporting, setReporting] = useState(false);
  const unsubscribe = usePublicAction(unsubscribeEndpoint, token);
  if (isReporting) return <ReportEmails token={token} onCancel={() => setReporting(false)} />;
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
      <ActionError error={unsubscribe.error} />
      <PublicButton disabled={unsubscribe.isPending} onClick={() => unsubscribe.mutate()}>
        {unsubscribe.isPending ? 'Stopping...' : 'Stop reminders'}
      </PublicButton>
      <p>Not meant for you, or spam? You can stop all emails from this tutor.</p>
      <PublicButton secondary disabled={unsubscribe.isPending} onClick={() => setReporting(true)}>
        Report these emails
      </PublicButton>
    </PublicLayout>
  );
}

function ReportEmails({ token, onCancel }: { token: string; onCancel: () => void }) {
  const report = usePublicAction(reportEndpoint, token);
  const withdraw = usePublicAction(withdrawEndpoint, token);
  if (withdraw.data) {
    return (
      <PublicLayout title="Report withdrawn">
        <p role="status">{withdraw.data.tutorName} can email you again.</p>
      </PublicLayout>
    );
  }
  if (report.data) {
    return (
      <PublicLayout title="Thank you for letting us know">
        <p role="status">{report.data.tutorName} can no longer email you through Lessonbook.</p>
        <ActionError error={withdraw.error} />
        <PublicButton secondary disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          This was a mistake
        </PublicButton>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout title="Report these emails?">
      <p>
        Are you sure? This tutor won't be able to email you any more. That includes invoices and
        changes to lessons.
      </p>
      <ActionError error={report.error} />
      <PublicButton disabled={report.isPending} onClick={() => report.mutate()}>
        {report.isPending ? 'Reporting...' : 'Report'}
      </PublicButton>
      <PublicButton secondary disabled={report.isPending} onClick={onCancel}>
        Cancel
      </PublicButton>
    </PublicLayout>
  );
}
