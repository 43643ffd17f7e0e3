import type { FamilyResult } from '@lessonbook/contract/bulk-messages';
import { IconAlertTriangle, IconBrandWhatsapp, IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { pluralize } from '../../lib/format.ts';
import classes from './BulkMessages.module.css';

const LABELS: Record<FamilyResult['outcome'], string> = {
  sent: 'On its way',
  to_send: 'Waiting in To send',
  already_sent: 'Not sent again',
  not_sent: 'Not sent',
};

const icons: Record<FamilyResult['outcome'], typeof IconCheck> = {
  sent: IconCheck,
  to_send: IconBrandWhatsapp,
  already_sent: IconCheck,
  not_sent: IconAlertTriangle,
};

/** '4 on their way, 1 waiting in To send, 1 not sent' */
export function formatResults(results: readonly FamilyResult[]): string {
  const count = (...outcomes: FamilyResult['outcome'][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const sent = count('sent');
  const parts = [
    sent > 0 && `${pluralize(sent, 'message')} on ${sent === 1 ? 'its' : 'their'} way`,
    count('to_send') > 0 && `${count('to_send')} waiting in To send`,
    count('already_sent', 'not_sent') > 0 && `${count('already_sent', 'not_sent')} not sent`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The result for each family. Families for which the tutor still has to do something come first. */
export function FamilyResults({ results }: { results: readonly FamilyResult[] }) {
  const order: FamilyResult['outcome'][] = ['not_sent', 'to_send', 'already_sent', 'sent'];
  const sorted = results.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  return (
    <ul className={classes.results}>
      {sorted.map(({ familyId, toName, outcome, problem, messageId }) => {
        const Icon = icons[outcome];
        return (
          <li key={familyId}>
            <Link to="/families/$id" params={{ id: String(familyId) }}>
              {toName}
            </Link>
            <span className={classes.outcome} data-outcome={outcome}>
              <Icon size={15} stroke={2} />
              {LABELS[outcome]}
            </span>
            {problem && <p>{problem}</p>}
            {outcome === 'to_send' && messageId !== null && (
              <Link to="/messages" search={{ message: messageId }} aria-label={`Open, ${toName}`}>
                Open
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
