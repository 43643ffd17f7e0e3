import type { Message } from '@lessonbook/contract/messages';
import { Link } from '@tanstack/react-router';
import classes from './Drafts.module.css';

/** Why it cannot be opened, and where that is mended. */
export function BadNumber({ message: { problem, openUrl, familyId, toName } }: Props) {
  if (openUrl) return null;
  const name = { children: 'Fix number', 'aria-label': `Fix number, ${toName}` };
  return (
    <p className={classes.problem}>
      {problem ?? 'This number does not work with WhatsApp.'}{' '}
      {familyId === null ? (
        <Link to="/schedule" search={{ view: 'students' }} {...name} />
      ) : (
        <Link to="/families/$id" params={{ id: String(familyId) }} {...name} />
      )}
    </p>
  );
}

interface Props {
  message: Message;
}
