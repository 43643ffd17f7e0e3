import { Button } from '@mantine/core';
import classes from './DemoHint.module.css';

interface Props {
  demo: { username: string; password: string };
  isBusy: boolean;
  onTry: () => void;
}

export function DemoHint({ demo, isBusy, onTry }: Props) {
  return (
    <div className={classes.hint}>
      <p>
        Just looking? Use <b>{demo.username}</b> and <b>{demo.password}</b>.
      </p>
      <Button variant="light" disabled={isBusy} onClick={onTry}>
        Try the demo
      </Button>
    </div>
  );
}
