import { IconChevronRight } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';
import classes from './SettingsRow.module.css';

interface RowProps {
  label: string;
  value?: string;
}

/** The content of a row; the link or button around it makes the whole row clickable. */
function RowContent({ label, value }: RowProps) {
  return (
    <>
      <span className={classes.label}>{label}</span>
      {value && <span className={classes.value}>{value}</span>}
      <IconChevronRight size={18} stroke={1.8} className={classes.chevron} />
    </>
  );
}

interface AnchorProps extends RowProps {
  href?: string;
  ref?: Ref<HTMLAnchorElement>;
}

function AnchorRow({ label, value, ...anchor }: AnchorProps) {
  return (
    <a {...anchor} className={classes.row}>
      <RowContent label={label} {...(value && { value })} />
    </a>
  );
}

export const SettingsLink = createLink(AnchorRow);

export function SettingsButton({ onClick, ...row }: RowProps & { onClick: () => void }) {
  return (
    <button type="button" className={classes.row} onClick={onClick}>
      <RowContent {...row} />
    </button>
  );
}
