import { IconArrowRight, IconCheck, IconClock, IconFileText, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { handleRowKeys } from '../lib/row-keyboard-navigation.ts';
import classes from './Timeline.module.css';

const MARKS = {
  scheduled: IconClock,
  completed: IconCheck,
  cancelled: IconX,
  moved: IconArrowRight,
  money: IconFileText,
};

export interface TimelineItem {
  key: string;
  /** '17 Nov' */
  date: string;
  /** 'Tue' or 'Today' */
  weekday: string;
  mark: keyof typeof MARKS;
  title: ReactNode;
  text?: ReactNode;
  amount?: string | undefined;
  /** Below the amount, such as 'Paid'. */
  state?: ReactNode;
}

/** A record's dated entries along a vertical line, newest first. */
export function Timeline({ label, items }: { label: string; items: readonly TimelineItem[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the entries have links
    <ol className={classes.timeline} aria-label={label} onKeyDown={(event) => handleRowKeys(event)}>
      {items.map(({ key, date, weekday, mark, title, text, amount, state }) => {
        const Mark = MARKS[mark];
        return (
          <li key={key} className={classes.item} data-mark={mark}>
            <p className={classes.date}>
              <b>{date}</b> <small>{weekday}</small>
            </p>
            <span className={classes.mark} aria-hidden="true">
              <Mark size={13} stroke={2.2} />
            </span>
            <div className={classes.text}>
              <h3>{title}</h3>
              {text && <p>{text}</p>}
            </div>
            {(amount || state) && (
              <p className={classes.amount}>
                {amount && <b>{amount}</b>} {state && <small>{state}</small>}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
