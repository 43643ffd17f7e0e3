import type { Message } from '@lessonbook/contract/messages';
import { IconAlertTriangle, IconBrandWhatsapp, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { FilterPills } from '../../components/FilterPills.tsx';
import { initials } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { handleRowKeys } from '../../lib/row-keyboard-navigation.ts';
import { remindersQuery } from '../reminders/api.ts';
import classes from './Messages.module.css';
import { isInOutbox, KIND_LABELS } from './message-labels.tsx';
import type { MessagesSearch } from './messages-search-params.ts';
import { WhatsAppDraftActions } from './WhatsAppDraftActions.tsx';

interface Props {
  messages: readonly Message[];
  filter: MessagesSearch['filter'];
  /** The message shown beside the list. */
  currentId: number | undefined;
  /** If there is no detail beside the list, the rows have their own action. */
  hasActions: boolean;
  dateContext: DateContext;
}

type ToSendGroup = 'email' | 'whatsapp' | 'failed';

const groupOf = ({ state, channel }: Message): ToSendGroup =>
  isInOutbox(state) ? channel : 'failed';

/** The messages in the order of the list: emails to read, WhatsApp drafts, then messages that could not be sent. */
export function listMessagesToSend(
  messages: readonly Message[],
  filter: MessagesSearch['filter'],
): Message[] {
  const groups = filter === 'whatsapp' || filter === 'failed' ? [filter] : ALL_GROUPS;
  return groups.flatMap((group) => messages.filter((message) => groupOf(message) === group));
}

const ALL_GROUPS: readonly ToSendGroup[] = ['email', 'whatsapp', 'failed'];

/** The messages waiting for the tutor, with their filters. */
export function ToSendList({ messages, filter, ...rowProps }: Props) {
  const navigate = useNavigate();
  const { data: reminders } = useQuery(remindersQuery);
  const isAutomatic = reminders?.whatsAppAutomatic ?? false;
  const count = (group: ToSendGroup) =>
    messages.filter((message) => groupOf(message) === group).length;
  const options = [
    { value: 'all', label: 'All', count: messages.length },
    { value: 'whatsapp', label: 'WhatsApp', count: count('whatsapp') },
    { value: 'failed', label: 'Not delivered', count: count('failed') },
  ] as const;

  const shown = listMessagesToSend(messages, filter);

  /** Shows the message beside the list, where there is room. */
  function select(position: number) {
    const message = shown[position]?.id;
    if (rowProps.hasActions || message === undefined) return;
    void navigate({
      to: '/messages',
      search: { ...(filter && { filter }), message },
      replace: true,
      resetScroll: false,
    });
  }

  return (
    <div className={classes.list}>
      <div className={classes.pills}>
        <FilterPills
          label="Messages to send"
          value={filter === 'whatsapp' || filter === 'failed' ? filter : 'all'}
          options={options}
          onChange={(value) =>
            void navigate({
              to: '/messages',
              search: value === 'all' ? {} : { filter: value },
              replace: true,
            })
          }
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are links; arrow keys are a shortcut. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- see above */}
      <div onKeyDown={(event) => handleRowKeys(event, select)}>
        {ALL_GROUPS.map((group) => {
          const rows = shown.filter((message) => groupOf(message) === group);
          return (
            rows.length > 0 && (
              <Group key={group} {...GROUP_HEADINGS[group]}>
                {rows.map((message) => (
                  <ToSendRow key={message.id} message={message} filter={filter} {...rowProps} />
                ))}
              </Group>
            )
          );
        })}
      </div>
      <p className={classes.footer}>
        Once you've turned reminders on, they're sent automatically by email
        {isAutomatic && ", and by WhatsApp to people who've agreed"}.{' '}
        {isAutomatic ? 'Other WhatsApp messages' : 'WhatsApp messages'} and drafts wait here for you
        to send.
      </p>
    </div>
  );
}

const GROUP_HEADINGS: Record<ToSendGroup, Pick<GroupProps, 'Icon' | 'heading'>> = {
  email: { Icon: IconMail, heading: 'Emails to read and send' },
  whatsapp: { Icon: IconBrandWhatsapp, heading: 'Waiting for you to send in WhatsApp' },
  failed: { Icon: IconAlertTriangle, heading: 'Not delivered' },
};

interface GroupProps {
  Icon: typeof IconAlertTriangle;
  heading: string;
  children: ReactNode;
}

const Group = ({ Icon, heading, children }: GroupProps) => (
  <section aria-label={heading}>
    <h2 className={classes.group}>
      <Icon size={15} stroke={1.8} />
      {heading}
    </h2>
    <ul>{children}</ul>
  </section>
);

type RowProps = Omit<Props, 'messages'> & { message: Message };

function ToSendRow({ message, filter, currentId, hasActions, dateContext }: RowProps) {
  const { id, toName, state, subject, problem, createdAt } = message;
  const link = {
    to: '/messages',
    search: { ...(filter && { filter }), message: id },
    replace: !hasActions,
    resetScroll: false,
  } as const;
  const isFailed = state === 'failed';
  return (
    <li className={classes.row} aria-current={id === currentId || undefined}>
      <Link {...link} className={classes.rowLink}>
        <Avatar initials={initials(toName)} />
        <span className={classes.rowText}>
          <b>{toName}</b>
          {isFailed || (problem && state === 'draft') ? (
            <small data-problem>{problem ?? "It couldn't be sent."}</small>
          ) : (
            <small>{subject || KIND_LABELS[message.kind]}</small>
          )}
        </span>
        {!hasActions && <time>{formatTimestamp(createdAt, dateContext)}</time>}
      </Link>
      {hasActions && (
        <div className={classes.rowAction}>
          {message.channel === 'email' && !isFailed ? (
            <ButtonLink {...link} variant="default" aria-label={`Read, ${toName}`}>
              Read
            </ButtonLink>
          ) : isFailed || !message.openUrl ? (
            <ButtonLink {...link} variant="default" aria-label={`Fix, ${toName}`}>
              Fix
            </ButtonLink>
          ) : (
            <WhatsAppDraftActions message={message} />
          )}
        </div>
      )}
    </li>
  );
}
