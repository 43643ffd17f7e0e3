import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from '../lib/copy.ts';
import classes from './CopyButton.module.css';

interface Props {
  text: string;
  /** What is copied, for whoever hears six buttons called 'Copy'. */
  of: string;
  label?: string;
}

/** Without the component library: families pay on a page that does without. */
export function CopyButton({ text, of, label = 'Copy' }: Props) {
  const { copied, copy } = useCopy();
  return (
    <>
      <button
        type="button"
        className={classes.copy}
        aria-label={`${label}, ${of}`}
        onClick={() => void copy(text)}
      >
        {copied ? <IconCheck size={16} stroke={2.2} /> : <IconCopy size={16} stroke={1.8} />}
        {copied ? 'Copied' : label}
      </button>
      <span role="status" className={classes.hidden}>
        {copied && `Copied, ${of}`}
      </span>
    </>
  );
}
