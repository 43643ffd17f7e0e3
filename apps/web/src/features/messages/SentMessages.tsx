import type { Message } from '@lessonbook/contract/messages';
import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { DataTable, type DataTableColumn } from '../../components/DataTable.tsx';
import { FilterPills } from '../../components/FilterPills.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { useHasRoomForDetail } from '../../components/ListWithDetail.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { handleRowKeys } from '../../lib/row-keyboard-navigation.ts';
import { messagesQuery } from './api.ts';
import { MessageStatus } from './MessageStatus.tsx';
import classes from './Messages.module.css';
import { ChannelLabel, KIND_LABELS } from './message-labels.tsx';
import { LOG_DAYS, type MessagesSearch, toLogFilter } from './messages-search-params.ts';

interface Props {
  search: MessagesSearch;
  dateContext: DateContext;
}

/** The log of messages, newest first: a table on desktops, a list on smaller screens. */
export function SentMessages({ search, dateContext }: Props) {
  const log = useInfiniteQuery(messagesQuery(toLogFilter(search)));
  const isTable = useHasRoomForDetail();
  const messages = log.data?.pages.flat();
  const isFiltered = Boolean(search.filter || search.q || search.days);
  const isEmpty = log.isSuccess && messages?.length === 0;
  if (log.isError && !messages) {
    return (
      <Card>
        <LoadError onRetry={() => void log.refetch()}>
          We couldn't load your messages. Your records are safe.
        </LoadError>
      </Card>
    );
  }
  return (
    <div className={classes.log}>
      {(!isEmpty || isFiltered) && search.family === undefined && <LogFilters search={search} />}
      {isEmpty ? (
        <NoMessages search={search} isFiltered={isFiltered} />
      ) : isTable ? (
        <MessageTable
          search={search}
          messages={messages}
          isBusy={log.isPlaceholderData}
          dateContext={dateContext}
        />
      ) : (
        <Card>
          {messages ? (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows are links
            <ul onKeyDown={(event) => handleRowKeys(event)}>
              {messages.map((message) => (
                <MessageRow
                  key={message.id}
                  search={search}
                  message={message}
                  dateContext={dateContext}
                />
              ))}
            </ul>
          ) : (
            <RowSkeleton rows={5} />
          )}
        </Card>
      )}
      {log.isFetchNextPageError ? (
        <LoadError onRetry={() => void log.fetchNextPage()}>
          We couldn't load the older messages.
        </LoadError>
      ) : (
        <ShowMore list={log} />
      )}
    </div>
  );
}

function NoMessages({ search, isFiltered }: { search: MessagesSearch; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <p className={classes.none} role="status">
        No messages match.{' '}
        <Link to="/messages" search={{ show: 'sent' }}>
          Clear filters
        </Link>
      </p>
    );
  }
  return (
    <Card>
      <EmptyState illustration={<Illustration name="envelope" size={112} />}>
        {search.family === undefined
          ? 'Messages you send will appear here, and so will reminders.'
          : "You haven't sent this family a message yet."}
      </EmptyState>
    </Card>
  );
}

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'automatic', label: 'Automatic' },
  { value: 'tutor', label: 'Sent by you' },
  { value: 'failed', label: 'Not delivered' },
] as const;

const DAY_OPTIONS = [
  { value: '', label: 'Any time' },
  ...LOG_DAYS.map((days) => ({
    value: String(days),
    label: days === 365 ? 'Last 12 months' : `Last ${days} days`,
  })),
];

function LogFilters({ search }: { search: MessagesSearch }) {
  const navigate = useNavigate();
  const { filter = 'all', q = '', days } = search;
  const change = (next: Partial<MessagesSearch>) => {
    const { message: _message, ...kept } = { ...search, ...next };
    void navigate({ to: '/messages', search: kept, replace: true });
  };
  return (
    <div className={classes.filters}>
      <SearchField
        label="Search messages"
        placeholder="Family, student or text"
        className={classes.search}
        value={q}
        onChange={(text) => change({ q: text || undefined })}
      />
      <FilterPills
        label="Sent messages"
        value={filter === 'whatsapp' ? 'all' : filter}
        options={FILTERS}
        onChange={(value) => change({ filter: value === 'all' ? undefined : value })}
      />
      <NativeSelect
        aria-label="Date sent"
        className={classes.days}
        data={DAY_OPTIONS}
        value={days ? String(days) : ''}
        onChange={(event) =>
          change({ days: LOG_DAYS.find((each) => String(each) === event.currentTarget.value) })
        }
      />
    </div>
  );
}

const titleOf = ({ subject, kind }: Message): string => subject || KIND_LABELS[kind];

interface TableProps extends Props {
  messages: readonly Message[] | undefined;
  isBusy: boolean;
}

const linkToMessage = (search: MessagesSearch, { id }: Message) =>
  ({
    to: '/messages',
    search: { ...search, message: id },
    replace: true,
    resetScroll: false,
  }) as const;

const createColumns = (
  search: MessagesSearch,
  dateContext: DateContext,
): DataTableColumn<Message>[] => [
  {
    key: 'when',
    label: 'When',
    cell: ({ sentAt, createdAt }) => formatTimestamp(sentAt ?? createdAt, dateContext),
  },
  {
    key: 'to',
    label: 'To',
    isRowHeader: true,
    cell: (message) => <Link {...linkToMessage(search, message)}>{message.toName}</Link>,
  },
  { key: 'message', label: 'Message', cell: titleOf },
  { key: 'channel', label: 'Channel', cell: ({ channel }) => <ChannelLabel channel={channel} /> },
  {
    key: 'sentBy',
    label: 'Sent by',
    from: 'wide',
    cell: ({ sentBy }) => (sentBy === 'automatic' ? 'Automatic' : 'You'),
  },
  { key: 'state', label: 'Status', cell: (message) => <MessageStatus message={message} /> },
];

function MessageTable({ search, messages, isBusy, dateContext }: TableProps) {
  const navigate = useNavigate();
  const columns = createColumns(search, dateContext);
  return (
    <DataTable
      label="Sent messages"
      columns={columns}
      rows={messages}
      isBusy={isBusy}
      currentId={search.message}
      onCurrentChange={(message) => void navigate(linkToMessage(search, message))}
      footer="We don't track whether emails or links were opened."
    />
  );
}

function MessageRow({ search, message, dateContext }: Props & { message: Message }) {
  const { toName, sentAt, createdAt, channel, id } = message;
  return (
    <li className={classes.row}>
      <Link to="/messages" search={{ ...search, message: id }} className={classes.rowLink}>
        <span className={classes.rowText}>
          <b>{toName}</b>
          <small>{titleOf(message)}</small>
        </span>
        <span className={classes.rowEnd}>
          <MessageStatus message={message} />
          <small>
            <ChannelLabel channel={channel} /> {formatTimestamp(sentAt ?? createdAt, dateContext)}
          </small>
        </span>
      </Link>
    </li>
  );
}
