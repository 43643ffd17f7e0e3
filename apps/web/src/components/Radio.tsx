import type { ComponentProps } from 'react';
import classes from './Radio.module.css';

/** The round box of one choice among several. */
export const Radio = (props: Omit<ComponentProps<'input'>, 'type' | 'className'>) => (
  <input type="radio" className={classes.radio} {...props} />
);
