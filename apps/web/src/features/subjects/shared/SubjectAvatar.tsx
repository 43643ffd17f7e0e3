import type { SubjectColor } from '@lessonbook/contract/subjects';
import { IconUsers } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import classes from './SubjectAvatar.module.css';

export interface SubjectAvatarProps {
  /** If omitted, the avatar shows a group. */
  initials?: string | undefined;
  color: SubjectColor;
}

/** Initials in the subject's colour. Decorative, because the name is shown beside it. */
export function SubjectAvatar({ initials, color }: SubjectAvatarProps) {
  return (
    <span className={classes.square} style={subjectColorStyle(color)} aria-hidden="true">
      {initials ?? <IconUsers size={19} stroke={1.8} />}
    </span>
  );
}

/** The subject's colours as CSS variables. */
export const subjectColorStyle = (color: SubjectColor) =>
  ({
    '--subject-bg': `var(--${color}-bg)`,
    '--subject-ink': `var(--${color}-ink)`,
  }) as CSSProperties;
