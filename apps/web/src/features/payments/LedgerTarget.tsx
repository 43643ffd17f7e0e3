import type { LedgerEntry } from '@lessonbook/contract/families';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, useState } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import classes from './Ledger.module.css';

const TakeBackOpening = lazy(async () => ({
  default: (await import('./TakeBackOpening.tsx')).TakeBackOpening,
}));

interface Props {
  entry: LedgerEntry;
  familyId: number;
  children: ReactNode;
}

/** Where a line leads: the lesson, the payment, or the question whether the opening balance was a mistake. */
export function LedgerTarget({ entry, familyId, children }: Props) {
  const { kind, sessionId, paymentId, reversed } = entry;
  if (sessionId !== null) {
    return (
      <Link to="/sessions/$id" params={{ id: String(sessionId) }} className={classes.target}>
        {children}
      </Link>
    );
  }
  if (kind === 'opening' && !reversed) {
    return (
      <Opening entry={entry} familyId={familyId}>
        {children}
      </Opening>
    );
  }
  if (paymentId !== null && kind !== 'reversal' && kind !== 'opening') {
    return (
      <Link
        to="/families/$id"
        params={{ id: String(familyId) }}
        search={{ payment: paymentId }}
        resetScroll={false}
        className={classes.target}
      >
        {children}
      </Link>
    );
  }
  return <div className={classes.target}>{children}</div>;
}

function Opening({ entry, familyId, children }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" className={classes.target} onClick={() => setOpened(true)}>
        {children}
      </button>
      <WhenOpened opened={opened}>
        <TakeBackOpening
          entry={entry}
          familyId={familyId}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      </WhenOpened>
    </>
  );
}
