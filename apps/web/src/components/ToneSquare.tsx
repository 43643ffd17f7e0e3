import type { Tone } from '@lessonbook/contract/subjects';
import type { CSSProperties } from 'react';
import classes from './ToneSquare.module.css';

export interface ToneSquareProps {
  letters: string;
  tone: Tone;
}

/** Initials on a quiet colour. The name stands beside it, so it says nothing by itself. */
export function ToneSquare({ letters, tone }: ToneSquareProps) {
  return (
    <span className={classes.square} style={toneStyle(tone)} aria-hidden="true">
      {letters}
    </span>
  );
}

/** The tone as variables, for whatever wears it. */
export const toneStyle = (tone: Tone) =>
  ({ '--tone-bg': `var(--${tone}-bg)`, '--tone-ink': `var(--${tone}-ink)` }) as CSSProperties;
