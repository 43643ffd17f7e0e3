import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { formatDateWithYear } from '../../lib/format.ts';
import { type DateContext, formatTimeAt, toLocalDate } from '../../lib/format-timestamp.ts';

interface Props {
  /** Null unless the bank details were changed in the last day. */
  changedAt: string | null;
  dateContext: DateContext;
}

/** Shown to the tutor for a day, because a stranger may have changed where families pay. */
export function BankDetailsChangedNotice({ changedAt, dateContext }: Props) {
  if (!changedAt) return null;
  const date = formatDateWithYear(toLocalDate(changedAt, dateContext));
  return (
    <Card>
      <p role="status">
        Bank details changed on {date} at {formatTimeAt(changedAt, dateContext)}. If this wasn't
        you, correct them under <Link to="/settings/business">Business</Link> and{' '}
        <Link to="/settings/security">choose a new password</Link>.
      </p>
    </Card>
  );
}
