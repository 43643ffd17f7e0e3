import type { Invoice } from '@lessonbook/contract/invoices';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { TickBox } from '../../components/TickBox.tsx';
import { count } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import { DraftLines } from './DraftLines.tsx';
import classes from './EveryoneRow.module.css';
import { canBeIssued } from './everyone.ts';
import { useDraft } from './use-draft.ts';

interface Props {
  invoice: Invoice;
  today: string;
  amount: string;
  ticked: boolean;
  onTick: (on: boolean) => void;
}

/** A payer's draft: ticked as it is, or unfolded to take a line off. */
export function EveryoneRow({ invoice, today, amount, ticked, onTick }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  const draft = useDraft(invoice);
  const id = useId();
  return (
    <li className={classes.item}>
      <div className={classes.row}>
        <TickBox
          checked={ticked}
          disabled={!canBeIssued(invoice)}
          aria-label={`Issue to ${invoice.familyName}`}
          onChange={onTick}
        />
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={unfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!unfolded)}
        >
          <span className={classes.who}>
            <b>{invoice.familyName}</b> <small>{aboutOf(invoice)}</small>
          </span>
          <b className={classes.amount}>{amount}</b>
          <IconChevronDown size={18} stroke={1.8} />
        </button>
      </div>
      <div id={id} className={classes.lines} hidden={!unfolded}>
        <DraftLines invoice={invoice} today={today} isBusy={draft.isBusy} onRemove={draft.remove} />
      </div>
    </li>
  );
}

/** 'Maya and Leo, 5 lines' */
const aboutOf = ({ students, lines }: Invoice): string =>
  lines.length === 0
    ? 'Nothing stands on it any more'
    : [namesInWords(students), count(lines.length, 'line')].filter(Boolean).join(', ');
