import type { Message } from '@lessonbook/contract/messages';
import { ActionIcon } from '@mantine/core';
import { IconBrandWhatsapp, IconDotsVertical, IconThumbUp, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, lazy, useRef, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { remindersQuery } from '../reminders/api.ts';
import { outboxQuery, useMarkMessageOpened, useSetMessageOutcome } from './api.ts';
import { groupByDay, KIND_LABELS } from './message-labels-and-grouping.ts';
import { InvalidNumberWarning, WhatsAppDraftActions } from './WhatsAppDraftActions.tsx';
import classes from './WhatsAppOutbox.module.css';

/** One draft: the recipient, the start of the text and the next action. */
function OutboxRow(props: ComponentProps<typeof DraftMenu>) {
  const { message } = props;
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <b>{message.toName}</b> <small>{KIND_LABELS[message.kind]}</small>
        <p>{message.text.replace(/\s+/g, ' ')}</p>
        <InvalidNumberWarning message={message} />
      </div>
      <div className={classes.actions}>
        <WhatsAppDraftActions message={message} />
        <DraftMenu {...props} />
      </div>
    </li>
  );
}

const WhatsAppConsentModal = lazy(async () => ({
  default: (await import('./WhatsAppConsentModal.tsx')).WhatsAppConsentModal,
}));

interface DraftMenuProps {
  message: Message;
  /** Whether WhatsApp messages can be sent automatically to contacts who have consented. */
  canAutoSend: boolean;
  /** Called when the row, including this menu, is removed. */
  onRemoved: () => void;
}

export function DraftMenu({ message, canAutoSend, onRemoved }: DraftMenuProps) {
  const { id, toName, openUrl, state } = message;
  const resolve = useSetMessageOutcome();
  const open = useMarkMessageOpened();
  const [consentOpened, setConsentOpened] = useState(false);
  return (
    <>
      <DropdownMenu
        width={canAutoSend ? 280 : 220}
        target={
          <ActionIcon variant="subtle" color="gray" size={44} aria-label={`More, ${toName}`}>
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            {openUrl && state === 'opened' && (
              <Menu.Item
                component="a"
                href={openUrl}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconBrandWhatsapp size={18} stroke={1.8} />}
                onClick={() => open.mutate(id)}
              >
                Open again
              </Menu.Item>
            )}
            {openUrl && canAutoSend && (
              <Menu.Item
                leftSection={<IconThumbUp size={18} stroke={1.8} />}
                onClick={() => setConsentOpened(true)}
              >
                {toName} agreed: send automatically
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconTrash size={18} stroke={1.8} />}
              onClick={() =>
                resolve.mutate(
                  { params: { id }, body: { outcome: 'dismissed' } },
                  { onSuccess: onRemoved },
                )
              }
            >
              Dismiss
            </Menu.Item>
          </>
        )}
      </DropdownMenu>
      <LazyMount opened={consentOpened}>
        <WhatsAppConsentModal
          message={message}
          opened={consentOpened}
          onClose={() => setConsentOpened(false)}
          onRemoved={onRemoved}
        />
      </LazyMount>
    </>
  );
}

/** WhatsApp drafts that the tutor sends from their own WhatsApp. */
export function WhatsAppOutbox({ dateContext }: { dateContext: DateContext }) {
  const outbox = useQuery(outboxQuery);
  const { data: reminders } = useQuery(remindersQuery);
  const container = useRef<HTMLDivElement>(null);

  if (!outbox.data) {
    return (
      <Card>
        {outbox.isError ? (
          <LoadError onRetry={() => void outbox.refetch()}>
            What is to be sent could not be loaded.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Card>
    );
  }
  return (
    // Takes the focus when the focused row is removed.
    <div ref={container} tabIndex={-1} className={classes.container}>
      {outbox.data.length === 0 ? (
        <Card>
          <EmptyState illustration={<Illustration name="talk" size={112} />}>
            Nothing to send. Messages by WhatsApp wait here until you have sent them.
          </EmptyState>
        </Card>
      ) : (
        <Card heading={`${outbox.data.length} to send`}>
          {groupByDay(outbox.data, dateContext).map(({ name, messages }) => (
            <section key={name} className={classes.day}>
              <h3>{name}</h3>
              <ul>
                {messages.map((message) => (
                  <OutboxRow
                    key={message.id}
                    message={message}
                    canAutoSend={reminders?.whatsAppAutomatic ?? false}
                    onRemoved={() => container.current?.focus()}
                  />
                ))}
              </ul>
            </section>
          ))}
        </Card>
      )}
    </div>
  );
}
