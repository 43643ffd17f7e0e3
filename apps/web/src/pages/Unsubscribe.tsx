import type { emailPreferences, ReminderPreferences } from '@lessonbook/contract/email-preferences';
import type { ReminderKind } from '@lessonbook/contract/messages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PublicButton } from '../components/PublicButtons.tsx';
import { PublicCheckbox } from '../components/PublicCheckbox.tsx';
import { PublicLayout } from '../components/PublicLayout.tsx';
import { callApi } from '../lib/http.ts';
import { getErrorMessage } from '../lib/query-client.ts';

/* Defined here rather than in `api.ts`, so that a family's phone does not load the contract's schemas for a few buttons. */
const preferencesEndpoint = {
  method: 'GET',
  path: '/api/unsubscribe/:token/reminders',
} as const satisfies Pick<typeof emailPreferences.reminderPreferences, 'method' | 'path'>;

const saveEndpoint = {
  method: 'PUT',
  path: '/api/unsubscribe/:token/reminders',
  // `callApi` sends a body only if the endpoint has one.
  body: {} as typeof emailPreferences.saveReminderPreferences.body,
} as const satisfies Pick<
  typeof emailPreferences.saveReminderPreferences,
  'method' | 'path' | 'body'
>;

const reportEndpoint = {
  method: 'POST',
  path: '/api/unsubscribe/:token/report',
} as const satisfies Pick<typeof emailPreferences.reportEmail, 'method' | 'path'>;

const withdrawEndpoint = {
  method: 'DELETE',
  path: '/api/unsubscribe/:token/report',
} as const satisfies Pick<typeof emailPreferences.withdrawReport, 'method' | 'path'>;

const LABELS: Record<ReminderKind, string> = {
  lesson_reminder: 'Lesson reminders',
  payment_reminder: 'Payment reminders',
  lesson_notes: 'Emails with lesson notes',
};
const KINDS = Object.keys(LABELS) as ReminderKind[];

const preferencesKey = (token: string) => ['reminder-preferences', token];

function useSavePreferences(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (stoppedKinds: ReminderKind[]) =>
      callApi(saveEndpoint as typeof emailPreferences.saveReminderPreferences, {
        params: { token },
        body: { stoppedKinds },
      }),
    // The page shows the error.
    meta: { isErrorShownInline: () => true },
    onSuccess: (preferences) => client.setQueryData(preferencesKey(token), preferences),
  });
}

const ActionError = ({ error }: { error: Error | null }) =>
  error && (
    <p role="alert">
      {getErrorMessage(error, { errorFallback: "That didn't work. Please try again." })}
    </p>
  );

/** Opening the page does not unsubscribe, because mail scanners open links too. The user has to press the button. */
export function UnsubscribePage({ token }: { token: string }) {
  const [isReporting, setReporting] = useState(false);
  const preferences = useQuery({
    queryKey: preferencesKey(token),
    queryFn: () =>
      callApi(preferencesEndpoint as typeof emailPreferences.reminderPreferences, {
        params: { token },
      }),
    retry: false,
    meta: { isErrorShownInline: () => true },
  });
  if (isReporting) return <ReportEmails token={token} onCancel={() => setReporting(false)} />;
  if (!preferences.data) {
    return (
      <PublicLayout title={preferences.error ? 'Link not found' : 'Reminders'}>
        <ActionError error={preferences.error} />
        {preferences.isPending && <p role="status">Loading...</p>}
      </PublicLayout>
    );
  }
  return preferences.data.stoppedKinds.length > 0 ? (
    <StoppedReminders
      token={token}
      preferences={preferences.data}
      onReport={() => setReporting(true)}
    />
  ) : (
    <StopReminders
      token={token}
      tutorName={preferences.data.tutorName}
      onReport={() => setReporting(true)}
    />
  );
}

interface StopRemindersProps {
  token: string;
  tutorName: string;
  onReport: () => void;
}

function StopReminders({ token, tutorName, onReport }: StopRemindersProps) {
  const [selected, setSelected] = useState<readonly ReminderKind[]>(KINDS);
  const save = useSavePreferences(token);
  return (
    <PublicLayout title="Stop reminders?">
      <p>
        Choose which reminders from {tutorName} to stop. You'll still receive invoices and changes
        to lessons.
      </p>
      <div>
        {KINDS.map((kind) => (
          <PublicCheckbox
            key={kind}
            label={LABELS[kind]}
            checked={selected.includes(kind)}
            onChange={(on) =>
              setSelected(KINDS.filter((each) => (each === kind ? on : selected.includes(each))))
            }
          />
        ))}
      </div>
      <ActionError error={save.error} />
      <PublicButton
        disabled={save.isPending || selected.length === 0}
        onClick={() => save.mutate([...selected])}
      >
        {save.isPending ? 'Stopping...' : 'Stop reminders'}
      </PublicButton>
      <ReportOffer onReport={onReport} />
    </PublicLayout>
  );
}

const ReportOffer = ({ onReport }: { onReport: () => void }) => (
  <>
    <p>Not meant for you, or spam? You can stop all emails from this tutor.</p>
    <PublicButton secondary onClick={onReport}>
      Report these emails
    </PublicButton>
  </>
);

/** What was stopped, with a button to turn each kind on again. */
function StoppedReminders({
  token,
  preferences: { tutorName, stoppedKinds },
  onReport,
}: {
  token: string;
  preferences: ReminderPreferences;
  onReport: () => void;
}) {
  const save = useSavePreferences(token);
  const labels = KINDS.filter((kind) => stoppedKinds.includes(kind)).map((kind) =>
    LABELS[kind].toLowerCase(),
  );
  const stopped = labels.join(', ').replace(/, ([^,]*)$/, ' or $1');
  return (
    <PublicLayout title="Reminders stopped">
      <p role="status">
        You won't get {stopped} from {tutorName}. You'll still receive invoices and changes to
        lessons.
      </p>
      <ActionError error={save.error} />
      {KINDS.map((kind) =>
        stoppedKinds.includes(kind) ? (
          <PublicButton
            key={kind}
            secondary
            disabled={save.isPending}
            onClick={() => save.mutate(stoppedKinds.filter((each) => each !== kind))}
          >
            Get {LABELS[kind].toLowerCase()} again
          </PublicButton>
        ) : (
          <PublicButton
            key={kind}
            secondary
            disabled={save.isPending}
            onClick={() => save.mutate([...stoppedKinds, kind])}
          >
            Stop {LABELS[kind].toLowerCase()} too
          </PublicButton>
        ),
      )}
      <ReportOffer onReport={onReport} />
    </PublicLayout>
  );
}

function usePublicAction(endpoint: typeof reportEndpoint | typeof withdrawEndpoint, token: string) {
  return useMutation({
    mutationFn: () =>
      callApi(endpoint as typeof emailPreferences.reportEmail, { params: { token } }),
    // The page shows the error.
    meta: { isErrorShownInline: () => true },
  });
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
        {report.isPending ? 'Reporting...' : 'Report these emails'}
      </PublicButton>
      <PublicButton secondary disabled={report.isPending} onClick={onCancel}>
        Cancel
      </PublicButton>
    </PublicLayout>
  );
}
