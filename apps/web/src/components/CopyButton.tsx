import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { toastError } from '../lib/toast.ts';
import classes from './CopyButton.module.css';

/** Long enough to notice. */
const COPIED_MS = 2_000;

/** Copies text to the clipboard and briefly sets `copied`. */
function useClipboard() {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Some in-app browsers block the clipboard; the text can still be selected.
      toastError('Press and hold the text to copy it.', 'Not copied');
    }
  }

  return { copied, copy };
}

interface Props {
  text: string;
  /** What is copied, so that screen reader users can distinguish several 'Copy' buttons. */
  itemName: string;
  label?: string;
}

/** Does not use the component library, because the pages for families do not load it. */
export function CopyButton({ text, itemName, label = 'Copy' }: Props) {
  const { copied, copy } = useClipboard();
  return (
    <>
      <button
        type="button"
        className={classes.copy}
        aria-label={`${label}, ${itemName}`}
        onClick={() => void copy(text)}
      >
        {copied ? <IconCheck size={16} stroke={2.2} /> : <IconCopy size={16} stroke={1.8} />}
        {copied ? 'Copied' : label}
      </button>
      <span role="status" className={classes.hidden}>
        {copied && `Copied, ${itemName}`}
      </span>
    </>
  );
}
