import type { DefaultMethod } from '@lessonbook/contract/cards';
import { type ReactNode, useId } from 'react';
import { Radio } from '../../components/Radio.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { METHOD_HINTS, METHOD_TITLES } from './card-words.ts';
import classes from './MethodSheet.module.css';

interface Props {
  method: DefaultMethod;
  /** The name that the radios of one choice share. */
  group: string;
  chosen: DefaultMethod;
  onChoose: (method: DefaultMethod) => void;
  /** Unfolds below, once it is chosen. */
  children?: ReactNode;
}

/** One way to be paid: the whole head of the sheet is to be pressed. */
export function MethodSheet({ method, group, chosen, onChoose, children }: Props) {
  const id = useId();
  const title = useId();
  const hint = useId();
  const isChosen = method === chosen;
  return (
    <Sheet>
      <label className={classes.head} htmlFor={id}>
        <Radio
          id={id}
          name={group}
          value={method}
          checked={isChosen}
          aria-labelledby={title}
          aria-describedby={hint}
          onChange={() => onChoose(method)}
        />
        <span className={classes.words}>
          <span id={title} className={classes.title}>
            {METHOD_TITLES[method]}
          </span>
          <small id={hint}>{METHOD_HINTS[method]}</small>
        </span>
      </label>
      {isChosen && children}
    </Sheet>
  );
}
