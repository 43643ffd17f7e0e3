import type { Session } from '@lessonbook/contract/sessions';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { ButtonLink } from '../../components/ButtonLink.tsx';
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
  return (
    <BottomSheet title="Reopen" opened={opened} onClose={onClose}>
      <div className={classes.sheet}>
        {session.invoice ? (
          <Invoiced invoice={session.invoice} />
        ) : (
          <Question session={session} onClose={onClose} />
        )}
      </div>
    </BottomSheet>
  );
}

function Question({ session, onClose }: Omit<Props, 'opened'>) {
  const reopen = useReopenSession();
  const overlaps = useOverlaps(session, session);
  return (
    <>
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
    </>
  );
}

/** An issued invoice never changes, so what it charged can only be credited. */
function Invoiced({ invoice }: { invoice: NonNullable<Session['invoice']> }) {
  return (
    <>
      <p className={classes.hint}>
        This lesson is on invoice {invoice.number}, which has been issued, so it cannot be reopened.
        A credit note on the invoice takes the charge back.
      </p>
      <ButtonLink to="/invoices/$id" params={{ id: String(invoice.id) }}>
        Go to invoice {invoice.number}
      </ButtonLink>
    </>
  );
}

function consequence({ title, charged, currency }: Session): string {
  if (!charged) return `${title} is scheduled again.`;
  const amount = money(charged, currency);
  return `${title} is scheduled again. The charge of ${amount} is taken back; what was paid for it stays as credit.`;
}
