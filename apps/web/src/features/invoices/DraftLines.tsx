import type { Invoice, InvoiceLine } from '@lessonbook/contract/invoices';
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { formatAmount, formatShortDate } from '../../lib/format.ts';
import classes from './DraftLines.module.css';
import { groupByStudent } from './invoice-lines.ts';

interface Props {
  invoice: Pick<Invoice, 'lines' | 'currency'>;
  today: string;
  isBusy: boolean;
  onRemove: (line: InvoiceLine) => void;
}

/** A draft's lines grouped by child, each with a remove button. */
export function DraftLines({ invoice, today, isBusy, onRemove }: Props) {
  const groups = groupByStudent(invoice.lines);
  return groups.map(({ name, lines }) => (
    <section key={name ?? ''} className={classes.child}>
      {/* The lines of a student who pays for themselves have no name, and need no heading. */}
      {groups[0]?.name && <h3>{name ?? 'Other'}</h3>}
      <ul>
        {lines.map((line) => (
          <li key={line.position} className={classes.line}>
            <p className={classes.description}>
              <span>{line.description}</span>
              <small>
                {formatShortDate(line.date, today)}
                {line.isFutureSession && ', upcoming'}
              </small>
            </p>
            <b className={classes.amount}>{formatAmount(line.amount, invoice.currency, true)}</b>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              disabled={isBusy}
              aria-label={`Remove ${line.description}, ${formatShortDate(line.date, today)}`}
              onClick={() => onRemove(line)}
            >
              <IconX size={18} stroke={1.8} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  ));
}
