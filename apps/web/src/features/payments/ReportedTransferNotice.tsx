import type { FamilyDetails } from '@lessonbook/contract/families';
import { Button } from '@mantine/core';
import { Card } from '../../components/Card.tsx';
import { firstName, formatShortDate } from '../../lib/format.ts';
import { useDismissReportedTransfer } from './api.ts';
import { formatRecordLabel } from './format-refund-and-reversal-impact.ts';
import { RecordPaymentButton } from './RecordPaymentButton.tsx';
import classes from './ReportedTransferNotice.module.css';

/** A transfer reported by the payer. It is not a payment until the tutor records it. */
export function ReportedTransferNotice({
  family,
  today,
}: {
  family: FamilyDetails;
  today: string;
}) {
  const dismiss = useDismissReportedTransfer();
  const { id, name, claim, balances } = family;
  if (!claim) return null;
  const currency = claim.currency ?? balances.find(({ owed }) => owed > 0)?.currency ?? 'GBP';
  return (
    <Card>
      <p className={classes.text}>
        {firstName(name)} reported a bank transfer on {formatShortDate(claim.claimedOn, today)}
      </p>
      <div className={classes.actions}>
        <RecordPaymentButton target={{ familyId: id }}>
          {formatRecordLabel(claim.amount, currency)}
        </RecordPaymentButton>
        <Button variant="subtle" disabled={dismiss.isPending} onClick={() => dismiss.mutate(id)}>
          Dismiss
        </Button>
      </div>
    </Card>
  );
}
