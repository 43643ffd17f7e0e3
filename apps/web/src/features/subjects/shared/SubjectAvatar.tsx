import type { SubjectColor } from '@lessonbook/contract/subjects';
import type { CSSProperties } from 'react';
import classes from './SubjectAvatar.module.css';

export interface SubjectAvatarProps {
  letters: string;
  tone: SubjectColor;
}

/** Initials on a quiet colour. The name stands beside it, so it says nothing by itself. */
export function SubjectAvatar({ letters, tone }: SubjectAvatarProps) {
  return (
    <span className={classes.square} style={subjectColorStyle(tone)} aria-hidden="true">
      {letters}
    </span>
  );
}

/** The tone as variables, for whatever wears it. */
export const subjectColorStyle = (tone: SubjectColor) =>
  ({ '--tone-bg': `var(--${tone}-bg)`, '--tone-ink': `var(--${tone}-ink)` }) as CSSProperties;
