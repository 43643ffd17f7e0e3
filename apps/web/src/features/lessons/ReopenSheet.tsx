import type { Session } from '@lessonbook/contract/sessions';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { money } from '../../lib/format.ts';
import { useReopenSession } from './api.ts';
import { OverlapWarning } from './OverlapWarning.tsx';
import { useOverlaps } from './overlaps.ts';
import classes from './SessionSheets.module.css';

interface Props {
  session: Session;
  opened: boolean;
  onClose: () => void;
}

export function ReopenSheet({ session, opened, onClose }: Props) {
  const reopen = useReopenSession();
  const overlaps = useOverlaps(session, session);
  return (
    <BottomSheet title="Reopen" opened={opened} onClose={onClose}>
      <div className={classes.sheet}>
        <p className={classes.hint}>{consequence(session)}</p>
        <OverlapWarning overlaps={overlaps} />
        <SheetButtons
          onCancel={onClose}
          confirm={overlaps.length > 0 ? 'Reopen anyway' : 'Reopen'}
          busy="Reopening..."
          isBusy={reopen.isPending}
          onConfirm={() =>
            reopen.mutate(
              { params: { id: session.id }, body: { acceptOverlaps: overlaps.length > 0 } },
              { onSuccess: onClose },
            )
          }
        />
      </div>
    </BottomSheet>
  );
}

function consequence({ title, charged, currency }: Session): string {
  if (!charged) return `${title} is scheduled again.`;
  const amount = money(charged, currency);
  return `${title} is scheduled again. The charge of ${amount} is taken back; what was paid for it stays as credit.`;
}
