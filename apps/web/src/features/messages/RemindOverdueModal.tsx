import type { OverdueReminder } from '@lessonbook/contract/bulk-messages';
import { dayNumber } from '@lessonbook/contract/dates';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatRelativeDate, formatTotals, pluralize } from '../../lib/format.ts';
import { type DateContext, toLocalDate } from '../../lib/format-timestamp.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useStartBatch } from '../batches/api.ts';
import { overdueRemindersQuery, paymentReminderPreviewQuery } from './api.ts';
import classes from './BulkMessages.module.css';
import { ChannelLabel } from './message-labels.tsx';
import { EmailPreview } from './shared/EmailPreview.tsx';

interface Props {
  opened: boolean;
  onClose: () => void;
  dateContext: DateContext;
}

/** All overdue families with what they owe. Those reminded in the last week are not ticked. */
export function RemindOverdueModal({ opened, onClose, dateContext }: Props) {
  return (
    <ResponsiveModal title="Send overdue reminders" opened={opened} onClose={onClose}>
      <RemindOverdueForm onClose={onClose} dateContext={dateContext} />
    </ResponsiveModal>
  );
}

const RECENT_DAYS = 7;

const isRecent = ({ lastRemindedAt }: OverdueReminder, dateContext: DateContext): boolean =>
  lastRemindedAt !== null &&
  dayNumber(dateContext.today) - dayNumber(toLocalDate(lastRemindedAt, dateContext)) < RECENT_DAYS;

function RemindOverdueForm({ onClose, dateContext }: Omit<Props, 'opened'>) {
  const overdue = useQuery(overdueRemindersQuery);
  const start = useStartBatch();
  const navigate = useNavigate();
  const idempotency = useIdempotencyKey();
  // The families whose tick the tutor has changed.
  const [changed, setChanged] = useState<ReadonlySet<number>>(new Set());

  if (!overdue.data) {
    return overdue.isError ? (
      <LoadError onRetry={() => void overdue.refetch()}>
        We couldn't load the overdue payments.
      </LoadError>
    ) : (
      <RowSkeleton rows={4} />
    );
  }
  const { families, problem } = overdue.data;
  const isTicked = (family: OverdueReminder) =>
    family.problem === null && changed.has(family.familyId) === isRecent(family, dateContext);
  const ticked = families.filter(isTicked);

  function toggle(familyId: number) {
    const next = new Set(changed);
    if (!next.delete(familyId)) next.add(familyId);
    setChanged(next);
  }

  async function sendAll() {
    const body = {
      kind: 'send_reminders' as const,
      ids: ticked.map(({ familyId }) => familyId),
    };
    const batch = await start
      .mutateAsync({ body, idempotencyKey: idempotency.keyFor(body) })
      // A toast shows the error.
      .catch(() => null);
    if (batch) await navigate({ to: '/batches/$id', params: { id: String(batch.id) } });
  }

  if (families.length === 0) {
    return (
      <div className={classes.form}>
        <p>Nothing is overdue.</p>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    );
  }
  return (
    <div className={classes.form}>
      {problem && (
        <p className={classes.problem} role="alert">
          {problem} <Link to="/settings/business">Add a way to be paid</Link>
        </p>
      )}
      <ul className={classes.families}>
        {families.map((family) => (
          <OverdueRow
            key={family.familyId}
            family={family}
            isTicked={isTicked(family)}
            onToggle={() => toggle(family.familyId)}
            dateContext={dateContext}
          />
        ))}
      </ul>
      {ticked[0] && <ReminderText family={ticked[0]} />}
      <p className={classes.muted}>{formatPlan(ticked)}</p>
      <ModalActions
        onCancel={onClose}
        confirmLabel={`Send ${pluralize(ticked.length, 'reminder')}`}
        busyLabel="Starting..."
        isBusy={start.isPending}
        disabled={ticked.length === 0 || problem !== null}
        onConfirm={() => void sendAll()}
      />
    </div>
  );
}

/** The text for the first family. */
function ReminderText({ family: { familyId, toName, channel } }: { family: OverdueReminder }) {
  const preview = useQuery(paymentReminderPreviewQuery(familyId, channel));
  return <EmailPreview summary={`Preview message to ${toName}`} preview={preview} />;
}

/** Emails are sent now; WhatsApp messages wait unless the family has agreed to automatic ones. */
function formatPlan(ticked: readonly OverdueReminder[]): string {
  const emails = ticked.filter(({ channel }) => channel === 'email').length;
  const whatsApp = ticked.length - emails;
  if (ticked.length === 0) return 'Choose who to remind.';
  return [
    emails > 0 && `${pluralize(emails, 'email')} will be sent now.`,
    whatsApp > 0 &&
      `${pluralize(whatsApp, 'WhatsApp message')} will wait in To send, unless the family has agreed to automatic ones.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function OverdueRow({
  family,
  isTicked,
  onToggle,
  dateContext,
}: {
  family: OverdueReminder;
  isTicked: boolean;
  onToggle: () => void;
  dateContext: DateContext;
}) {
  const { toName, overdue, dueSince, channel, lastRemindedAt, problem } = family;
  const days = dayNumber(dateContext.today) - dayNumber(dueSince);
  const amounts = overdue.map(({ currency, amount }) => ({ currency, minor: amount }));
  return (
    <li>
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the name of the family is in it */}
      <label>
        <Checkbox checked={isTicked} disabled={problem !== null} onChange={onToggle} />
        <span className={classes.name}>
          <b>{toName}</b>
          <small>
            {pluralize(days, 'day')} overdue
            {lastRemindedAt &&
              `, reminded ${formatRelativeDate(toLocalDate(lastRemindedAt, dateContext), dateContext.today)}`}
          </small>
        </span>
        <span className={classes.amount}>
          <b>{formatTotals(amounts)}</b>
          <small>
            <ChannelLabel channel={channel} />
          </small>
        </span>
      </label>
      {problem && <p className={classes.problem}>{problem}</p>}
    </li>
  );
}
