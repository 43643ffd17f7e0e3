import type { Invoice, InvoiceLine } from '@lessonbook/contract/invoices';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Spot } from '../../components/Spot.tsx';
import { TickBox } from '../../components/TickBox.tsx';
import { money, moneyColumn, shortDate } from '../../lib/format.ts';
import { lineChoicesQuery } from './api.ts';
import classes from './InvoiceSheets.module.css';
import { totalOf } from './invoice-lines.ts';

interface Props {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
  today: string;
  isBusy: boolean;
  onAdd: (lines: InvoiceLine[]) => void;
}

/** Lessons of the payer that stand on no invoice, and those still to come. */
export function AddLessons({ opened, onClose, ...choice }: Props) {
  return (
    <BottomSheet title="Add lesson" opened={opened} onClose={onClose}>
      <Choices {...choice} onClose={onClose} />
    </BottomSheet>
  );
}

function Choices({ invoice, onClose, today, isBusy, onAdd }: Omit<Props, 'opened'>) {
  const choices = useQuery(lineChoicesQuery(invoice.id));
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  if (choices.isError && !choices.data) {
    return (
      <LoadError onRetry={() => void choices.refetch()}>The lessons could not be loaded.</LoadError>
    );
  }
  if (!choices.data) return <RowSkeleton rows={3} />;
  if (choices.data.length === 0) {
    return (
      <EmptyState drawing={<Spot name="register" size={88} />}>
        Every lesson of {invoice.familyName} is on an invoice already.
      </EmptyState>
    );
  }

  const chosen = choices.data.filter((line) => ticked.has(keyOf(line)));
  const amount = moneyColumn(choices.data.map((line) => line.amount));
  const sum = money(totalOf(chosen), invoice.currency);

  function toggle(key: string, on: boolean) {
    const next = new Set(ticked);
    if (on) next.add(key);
    else next.delete(key);
    setTicked(next);
  }

  return (
    <div className={classes.sheet}>
      <ul className={classes.rows}>
        {choices.data.map((line) => (
          <li key={keyOf(line)}>
            <label className={classes.row}>
              <TickBox
                checked={ticked.has(keyOf(line))}
                onChange={(on) => toggle(keyOf(line), on)}
              />
              <span className={classes.what}>
                <span>{[line.studentName, line.description].filter(Boolean).join(', ')}</span>
                <small>
                  {shortDate(line.date, today)}
                  {line.ahead && ', still to come'}
                </small>
              </span>
              <b>{amount(line.amount, invoice.currency)}</b>
            </label>
          </li>
        ))}
      </ul>
      <SheetButtons
        onCancel={onClose}
        confirm={chosen.length > 0 ? `Add ${chosen.length}, ${sum}` : 'Add'}
        busy="Saving..."
        isBusy={isBusy}
        disabled={chosen.length === 0}
        onConfirm={() => onAdd(chosen)}
      />
    </div>
  );
}

/** A lesson to come has no charge yet, so it is known by its session. */
const keyOf = ({ chargeId, sessionId }: InvoiceLine): string => `${chargeId} ${sessionId}`;
