import type { Message } from '@lessonbook/contract/messages';
import { ActionIcon, Menu } from '@mantine/core';
import { IconBrandWhatsapp, IconDotsVertical, IconThumbUp, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, lazy, useRef, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { remindersQuery } from '../reminders/api.ts';
import { outboxQuery, useOpenMessage, useResolveDraft } from './api.ts';
import { DraftActions, InvalidNumber } from './DraftActions.tsx';
import { groupByDay, KIND_LABELS } from './message-format.ts';
import classes from './Outbox.module.css';

/** One draft: to whom, how it begins, and the one thing to do next. */
function OutboxRow(props: ComponentProps<typeof DraftMenu>) {
  const { message } = props;
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <b>{message.toName}</b> <small>{KIND_LABELS[message.kind]}</small>
        <p>{message.text.replace(/\s+/g, ' ')}</p>
        <InvalidNumber message={message} />
      </div>
      <div className={classes.actions}>
        <DraftActions message={message} />
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
  /** WhatsApp messages can go by themselves to whoever agreed. */
  canAutoSend: boolean;
  /** The row, and with it this menu, is gone. */
  onRemoved: () => void;
}

/** What else can be done with a draft. */
export function DraftMenu({ message, canAutoSend, onRemoved }: DraftMenuProps) {
  const { id, toName, openUrl, state } = message;
  const settle = useResolveDraft();
  const open = useOpenMessage();
  const [agreeing, setAgreeing] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={canAutoSend ? 280 : 220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={44} aria-label={`More, ${toName}`}>
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
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
              onClick={() => setAgreeing(true)}
            >
              {toName} agreed: send by itself
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconTrash size={18} stroke={1.8} />}
            onClick={() =>
              settle.mutate(
                { params: { id }, body: { outcome: 'dismissed' } },
                { onSuccess: onRemoved },
              )
            }
          >
            Dismiss
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LazyMount opened={agreeing}>
        <WhatsAppConsentModal
          message={message}
          opened={agreeing}
          onClose={() => setAgreeing(false)}
          onRemoved={onRemoved}
        />
      </LazyMount>
    </>
  );
}

/** WhatsApp drafts that wait for the tutor's own thumb. */
export function Outbox({ dateContext }: { dateContext: DateContext }) {
  const tray = useQuery(outboxQuery);
  const { data: reminders } = useQuery(remindersQuery);
  const place = useRef<HTMLDivElement>(null);

  if (!tray.data) {
    return (
      <Card>
        {tray.isError ? (
          <LoadError onRetry={() => void tray.refetch()}>
            What is to be sent could not be loaded.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Card>
    );
  }
  return (
    // Takes the focus when the row that had it is gone.
    <div ref={place} tabIndex={-1} className={classes.place}>
      {tray.data.length === 0 ? (
        <Card>
          <EmptyState drawing={<Illustration name="talk" size={112} />}>
            Nothing to send. Messages by WhatsApp wait here until you have sent them.
          </EmptyState>
        </Card>
      ) : (
        <Card heading={`${tray.data.length} to send`}>
          {groupByDay(tray.data, dateContext).map(({ name, messages }) => (
            <section key={name} className={classes.day}>
              <h3>{name}</h3>
              <ul>
                {messages.map((message) => (
                  <OutboxRow
                    key={message.id}
                    message={message}
                    canAutoSend={reminders?.whatsAppAutomatic ?? false}
                    onRemoved={() => place.current?.focus()}
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
