import { useParams } from '@tanstack/react-router';
import { FamilyButton, FamilySheet } from '../components/FamilySheet.tsx';
import { useStopReminders } from '../features/messages/stop-reminders.ts';
import { failureText } from '../lib/query.ts';

/** Opening it changes nothing: mail programs look into links by themselves. */
export function UnsubscribePage() {
  const { token } = useParams({ from: '/unsubscribe/$token' });
  const stop = useStopReminders(token);
  if (stop.data) {
    return (
      <FamilySheet title="Reminders stopped">
        <p role="status">No more reminders from {stop.data.tutorName}. Invoices still come.</p>
      </FamilySheet>
    );
  }
  return (
    <FamilySheet title="Stop reminders?">
      <p>You get no more reminders at this address. Invoices still come.</p>
      {stop.error && (
        <p role="alert">
          {failureText(stop.error, { errorFallback: 'That did not work. Please try again.' })}
        </p>
      )}
      <FamilyButton disabled={stop.isPending} onClick={() => stop.mutate()}>
        {stop.isPending ? 'Stopping...' : 'Stop reminders'}
      </FamilyButton>
    </FamilySheet>
  );
}
