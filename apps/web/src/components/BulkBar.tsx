import type { Icon } from '@tabler/icons-react';
import { IconX } from '@tabler/icons-react';
import classes from './BulkBar.module.css';

interface BulkAction {
  label: string;
  Icon: Icon;
  onClick: () => void;
  disabled?: boolean;
}

interface Props {
  /** The name of the toolbar for screen readers, such as 'Selected invoices'. */
  label: string;
  /** '3 selected, £205.00 due' */
  summary: string;
  /** The first one is the main action. */
  actions: readonly BulkAction[];
  onClear: () => void;
}

/** The actions for the selected rows of a list. Shown only while at least one is selected. */
export function BulkBar({ label, summary, actions, onClear }: Props) {
  return (
    <div className={classes.space} data-sticky-footer>
      <section className={classes.bar} aria-label={label}>
        <p role="status">{summary}</p>
        <div className={classes.actions}>
          {actions.map(({ label: text, Icon, onClick, disabled }) => (
            <button key={text} type="button" onClick={onClick} disabled={disabled}>
              <Icon size={16} stroke={2} />
              {text}
            </button>
          ))}
          <button type="button" onClick={onClear}>
            <IconX size={16} stroke={2} />
            Clear
          </button>
        </div>
      </section>
    </div>
  );
}
