import type { Invoice } from '@lessonbook/contract/invoices';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { formatList, pluralize } from '../../lib/format.ts';
import classes from './BulkInvoiceRow.module.css';
import { DraftLines } from './DraftLines.tsx';
import { useDraft } from './use-draft.ts';
import { canIssue } from './use-invoices-by-id.ts';

interface Props {
  invoice: Invoice;
  today: string;
  amount: string;
  selected: boolean;
  onSelect: (on: boolean) => void;
}

/** A payer's draft. Expands so that lines can be removed. */
export function BulkInvoiceRow({ invoice, today, amount, selected, onSelect }: Props) {
  const [expanded, setExpanded] = useState(false);
  const draft = useDraft(invoice);
  const id = useId();
  return (
    <li className={classes.item}>
      <div className={classes.row}>
        <Checkbox
          checked={selected}
          disabled={!canIssue(invoice)}
          aria-label={`Issue to ${invoice.familyName}`}
          onChange={onSelect}
        />
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={expanded}
          aria-controls={id}
          onClick={() => setExpanded(!expanded)}
        >
          <span className={classes.payer}>
            <b>{invoice.familyName}</b> <small>{describeDraft(invoice)}</small>
          </span>
          <b className={classes.amount}>{amount}</b>
          <IconChevronDown size={18} stroke={1.8} />
        </button>
      </div>
      <div id={id} className={classes.lines} hidden={!expanded}>
        <DraftLines invoice={invoice} today={today} isBusy={draft.isBusy} onRemove={draft.remove} />
      </div>
    </li>
  );
}

/** 'Maya and Leo, 5 lines' */
const describeDraft = ({ students, lines }: Invoice): string =>
  lines.length === 0
    ? 'Nothing stands on it any more'
    : [formatList(students), pluralize(lines.length, 'line')].filter(Boolean).join(', ');
