import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { toastFailed } from '../lib/toast.ts';
import classes from './CopyButton.module.css';

/** Long enough to be seen, gone before the next thing is copied. */
const COPIED_MS = 2_000;

/** Puts text where it can be pasted, and says for a moment that it did. */
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
      // Some browsers inside other apps keep the clipboard to themselves; the text itself can be marked.
      toastFailed('Press and hold the text to copy it.', 'Not copied');
    }
  }

  return { copied, copy };
}

interface Props {
  text: string;
  /** What is copied, for whoever hears six buttons called 'Copy'. */
  of: string;
  label?: string;
}

/** Without the component library: families pay on a page that does without. */
export function CopyButton({ text, of, label = 'Copy' }: Props) {
  const { copied, copy } = useClipboard();
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
