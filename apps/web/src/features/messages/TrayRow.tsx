import type { ComponentProps } from 'react';
import { BadNumber } from './BadNumber.tsx';
import { DraftActions } from './DraftActions.tsx';
import { DraftMenu } from './DraftMenu.tsx';
import classes from './Drafts.module.css';
import { KIND_NAMES } from './message-words.ts';

/** One draft: to whom, how it begins, and the one thing to do next. */
export function TrayRow(props: ComponentProps<typeof DraftMenu>) {
  const { message } = props;
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <b>{message.toName}</b> <small>{KIND_NAMES[message.kind]}</small>
        <p>{message.text.replace(/\s+/g, ' ')}</p>
        <BadNumber message={message} />
      </div>
      <div className={classes.actions}>
        <DraftActions message={message} />
        <DraftMenu {...props} />
      </div>
    </li>
  );
}
