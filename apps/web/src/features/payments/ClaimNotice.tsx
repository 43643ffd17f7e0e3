import type { FamilyDetails } from '@lessonbook/contract/families';
import { Button } from '@mantine/core';
import { Sheet } from '../../components/Sheet.tsx';
import { shortDate } from '../../lib/format.ts';
import { useDismissClaim } from './api.ts';
import classes from './ClaimNotice.module.css';
import { recordInWords } from './payment-words.ts';
import { RecordPayment } from './RecordPayment.tsx';

/** The payer's word that money is on its way. It pays nothing: the tutor looks at the bank and records it. */
export function ClaimNotice({ family, today }: { family: FamilyDetails; today: string }) {
  const dismiss = useDismissClaim();
  const { id, claim, balances } = family;
  if (!claim) return null;
  const currency = claim.currency ?? balances.find(({ owed }) => owed > 0)?.currency ?? 'GBP';
  return (
    <Sheet>
      <p className={classes.words}>Says it was transferred on {shortDate(claim.on, today)}</p>
      <div className={classes.actions}>
        <RecordPayment paidFor={{ familyId: id }}>
          {(open) => (
            <Button variant="light" onClick={open}>
              {recordInWords(claim.amount, currency)}
            </Button>
          )}
        </RecordPayment>
        <Button variant="subtle" disabled={dismiss.isPending} onClick={() => dismiss.mutate(id)}>
          Dismiss
        </Button>
      </div>
    </Sheet>
  );
}
