import { Button } from '@mantine/core';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { useLast } from '../../lib/last.ts';
import classes from './Security.module.css';

/** Shown this once: the server keeps only what it needs to know them again. */
export function NewCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const shown = useLast(codes.length > 0 ? codes : null) ?? [];
  return (
    <Dialog title="Keep your recovery codes" opened={codes.length > 0} onClose={onClose}>
      <div className={classes.codes}>
        <p className={classes.words}>
          If you lose your phone, one of these lets you in. Print them or put them into your
          password manager now: they are not shown again.
        </p>
        <ol aria-label="Recovery codes">
          {shown.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className={classes.kept}>
          <CopyButton text={shown.join('\n')} of="all recovery codes" label="Copy all" />
          <Button onClick={onClose}>I have kept them</Button>
        </div>
      </div>
    </Dialog>
  );
}
