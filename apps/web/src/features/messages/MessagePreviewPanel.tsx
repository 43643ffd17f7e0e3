import type { CustomMessageRecipient } from '@lessonbook/contract/bulk-messages';
import { fillPlaceholders } from '@lessonbook/contract/message-placeholders';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import classes from './BulkMessages.module.css';
import { ChannelLabel } from './message-labels.tsx';
import { formatSendPlan } from './message-send-plan.ts';

interface Props {
  recipients: readonly CustomMessageRecipient[];
  isLoading: boolean;
  text: { subject: string; text: string };
}

/** The message as each family will receive it, and on which channel. */
export function MessagePreviewPanel({ recipients, isLoading, text }: Props) {
  const [index, setIndex] = useState(0);
  const position = Math.min(index, recipients.length - 1);
  const current = recipients[position];
  const move = (step: number) =>
    setIndex((position + step + recipients.length) % recipients.length);
  return (
    <Card
      heading="Preview"
      aside={
        recipients.length > 1 && (
          <span className={classes.pager}>
            {position + 1} of {recipients.length}
            <ActionIcon
              variant="default"
              size={44}
              aria-label="Previous family"
              onClick={() => move(-1)}
            >
              <IconChevronLeft size={18} stroke={1.8} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size={44}
              aria-label="Next family"
              onClick={() => move(1)}
            >
              <IconChevronRight size={18} stroke={1.8} />
            </ActionIcon>
          </span>
        )
      }
    >
      {isLoading && recipients.length === 0 && <RowSkeleton rows={2} />}
      {!current && !isLoading && (
        <p className={classes.muted}>Choose a family to see their message.</p>
      )}
      {current && (
        <div className={classes.form}>
          <div className={classes.preview}>
            <p className={classes.muted}>
              To {current.toName}, {current.channel === 'email' ? 'by email' : 'in WhatsApp'}
            </p>
            {current.channel === 'email' && text.subject && (
              <b>{fillPlaceholders(text.subject, current.values)}</b>
            )}
            <p>{fillPlaceholders(text.text, current.values)}</p>
          </div>
          <ul className={classes.recipients}>
            {recipients.map((recipient, row) => (
              <li key={recipient.familyId}>
                <button
                  type="button"
                  aria-current={row === position || undefined}
                  onClick={() => setIndex(row)}
                >
                  <span>{recipient.toName}</span>
                  {recipient.problem === null ? (
                    <small>
                      <ChannelLabel channel={recipient.channel} />
                      {recipient.channel === 'whatsapp' && ', you send'}
                    </small>
                  ) : (
                    <small data-problem>{recipient.problem}</small>
                  )}
                </button>
              </li>
            ))}
          </ul>
          <ImpactNotice>
            <p>{formatSendPlan(recipients)}</p>
          </ImpactNotice>
        </div>
      )}
    </Card>
  );
}
