import { IconCheck } from '@tabler/icons-react';
import { FamilyButton } from '../../components/FamilySheet.tsx';
import { plainDate } from '../../lib/format.ts';
import classes from './PayPage.module.css';
import { useClaimTransfer } from './public-bill.ts';

interface Props {
  token: string;
  tutorName: string;
  claimedOn: string | null;
  /** Where something else is the main thing to do. */
  quiet: boolean;
}

/** The payer's word. Money counts once the tutor sees it, so nothing here says 'paid'. */
export function ClaimTransfer({ token, tutorName, claimedOn, quiet }: Props) {
  const claim = useClaimTransfer(token);
  return (
    <div role="status">
      {claimedOn ? (
        <p className={classes.thanks}>
          <IconCheck size={20} stroke={2.4} />
          <span>
            Thank you. On {plainDate(claimedOn)} you said that the transfer is on its way, and{' '}
            {tutorName} has been told.
          </span>
        </p>
      ) : (
        <FamilyButton quiet={quiet} disabled={claim.isPending} onClick={() => claim.mutate()}>
          {claim.isPending ? 'Saving...' : "I've paid by bank transfer"}
        </FamilyButton>
      )}
    </div>
  );
}
