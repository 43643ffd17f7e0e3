import type { Notification, NotificationKind } from '@lessonbook/contract/notifications';
import { Button } from '@mantine/core';
import {
  IconAddressBook,
  IconBellOff,
  IconBuildingBank,
  IconCalendarDollar,
  IconCalendarEvent,
  IconCalendarOff,
  IconCalendarX,
  IconCash,
  IconClipboardCheck,
  IconCreditCardOff,
  IconFileOff,
  IconGavel,
  IconHourglass,
  IconMailX,
  IconMessageQuestion,
  IconPlugConnectedX,
  IconReceiptOff,
  IconReceiptRefund,
  IconStack2,
  IconUsersMinus,
} from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { inboxQuery, useMarkDone, useMarkRead } from '../features/notifications/api.ts';
import { useUnreadCount } from '../features/notifications/live-updates.ts';
import { type DateContext, formatTimestamp } from '../lib/format-timestamp.ts';
import classes from './Notifications.module.css';

/** Lazy, because few notifications are about a small group. */
const GroupBelowMinimumActions = lazy(async () => ({
  default: (await import('../features/lessons/GroupBelowMinimumActions.tsx'))
    .GroupBelowMinimumActions,
}));

/** Lazy, because it loads the family portal's contract. */
const PortalCancellationActions = lazy(async () => ({
  default: (await import('../features/notifications/PortalCancellationActions.tsx'))
    .PortalCancellationActions,
}));

/** Lazy, for the same reason. */
const MoveRequestActions = lazy(async () => ({
  default: (await import('../features/lessons/MoveRequestActions.tsx')).MoveRequestActions,
}));

export function NotificationsPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader action={<MarkAllReadButton />} />
      <Inbox dateContext={tutor} />
    </NarrowContainer>
  );
}

function MarkAllReadButton() {
  const unread = useUnreadCount();
  const markRead = useMarkRead();
  if (unread === 0) return null;
  return (
    <Button variant="default" disabled={markRead.isPending} onClick={() => markRead.mutate(null)}>
      Mark all as read
    </Button>
  );
}

const icons: Record<NotificationKind, typeof IconCash> = {
  payment_received: IconCash,
  payment_disputed: IconGavel,
  payment_refunded: IconReceiptRefund,
  payment_failed: IconCreditCardOff,
  payment_details_missing: IconBuildingBank,
  refund_failed: IconReceiptOff,
  transfer_claimed: IconBuildingBank,
  message_failed: IconMailX,
  batch_failed: IconMailX,
  reminders_stopped: IconBellOff,
  reminders_paused: IconBellOff,
  email_failed: IconMailX,
  calendar_disconnected: IconCalendarOff,
  calendar_changed: IconCalendarEvent,
  payouts_disabled: IconCreditCardOff,
  cards_disconnected: IconPlugConnectedX,
  card_update_failed: IconCreditCardOff,
  sessions_to_complete: IconClipboardCheck,
  overlap_accepted: IconStack2,
  group_below_minimum: IconUsersMinus,
  lesson_cancelled: IconCalendarX,
  move_requested: IconCalendarEvent,
  charge_queried: IconMessageQuestion,
  contact_changed: IconAddressBook,
  instalment_missed: IconCalendarDollar,
  trial_ending: IconHourglass,
  export_failed: IconFileOff,
};

/** Splits a path into the router's `to` and `search`. */
function splitPath(path: string): { to: string; search: Record<string, string> } {
  const { pathname, searchParams } = new URL(path, 'http://here');
  return { to: pathname, search: Object.fromEntries(searchParams) };
}

interface Props {
  notification: Notification;
  dateContext: DateContext;
  onRead: () => void;
  /** Set for notifications that require action. */
  onDone?: () => void;
}

/** A notification. Tapping it marks it as read and opens its page, if it has one. */
function InboxRow({ notification, dateContext, onRead, onDone }: Props) {
  const { kind, text, path, at, read } = notification;
  const Icon = icons[kind];
  const content = (
    <>
      <Icon size={20} stroke={1.8} className={classes.icon} />
      <span className={classes.text}>
        <span>{text}</span> <small>{formatTimestamp(at, dateContext)}</small>
      </span>
      {!read && (
        <span className={classes.dot}>
          <span>Unread</span>
        </span>
      )}
    </>
  );
  const rowProps = { className: classes.row, 'data-unread': !read || undefined, onClick: onRead };
  return (
    <li className={classes.item}>
      {path ? (
        <Link {...splitPath(path)} {...rowProps}>
          {content}
        </Link>
      ) : (
        <button type="button" {...rowProps}>
          {content}
        </button>
      )}
      {onDone && <Actions notification={notification} tutor={dateContext} onDone={onDone} />}
    </li>
  );
}

interface ActionsProps {
  notification: Notification;
  tutor: DateContext;
  onDone: () => void;
}

/** The buttons for a notification that requires action. */
function Actions({ notification, tutor, onDone }: ActionsProps) {
  const { kind, text, targetId } = notification;
  if (kind === 'group_below_minimum') {
    return (
      targetId !== null && (
        <div className={classes.done}>
          <Suspense fallback={null}>
            <GroupBelowMinimumActions
              text={text}
              sessionId={targetId}
              tutor={tutor}
              onTeach={onDone}
            />
          </Suspense>
        </div>
      )
    );
  }
  if (kind === 'lesson_cancelled' && targetId !== null) {
    return (
      <div className={classes.done}>
        <Suspense fallback={null}>
          <PortalCancellationActions text={text} cancellationId={targetId} onDone={onDone} />
        </Suspense>
      </div>
    );
  }
  if (kind === 'move_requested' && targetId !== null) {
    return (
      <div className={classes.done}>
        <Suspense fallback={null}>
          <MoveRequestActions requestId={targetId} today={tutor.today} />
        </Suspense>
      </div>
    );
  }
  return (
    <Button
      variant="default"
      size="sm"
      className={classes.done}
      aria-label={`Done: ${text}`}
      onClick={onDone}
    >
      Done
    </Button>
  );
}

/** First the notifications that require action, until they are done or obsolete, then all others. */
function Inbox({ dateContext }: { dateContext: DateContext }) {
  const inbox = useInfiniteQuery(inboxQuery);
  const markRead = useMarkRead();
  const markDone = useMarkDone();
  const requiringAction = inbox.data?.pages[0]?.open ?? [];
  const all = inbox.data?.pages.flatMap((page) => page.notifications) ?? [];
  const openIds = new Set(requiringAction.map(({ id }) => id));
  const otherNotifications = all.filter(({ id }) => !openIds.has(id));

  const renderList = (notifications: readonly Notification[]) => (
    <ul>
      {notifications.map((notification) => (
        <InboxRow
          key={notification.id}
          notification={notification}
          dateContext={dateContext}
          onRead={() => !notification.read && markRead.mutate([notification.id])}
          {...(openIds.has(notification.id) && {
            onDone: () => markDone.mutate(notification.id),
          })}
        />
      ))}
    </ul>
  );

  if (all.length === 0 && requiringAction.length === 0) {
    return (
      <Card>
        {inbox.isPending && <RowSkeleton rows={4} />}
        {inbox.isError && (
          <LoadError onRetry={() => void inbox.refetch()}>
            We couldn't load your notifications.
          </LoadError>
        )}
        {inbox.isSuccess && (
          <EmptyState illustration={<Illustration name="bell" size={112} />}>
            You're all caught up. Updates about lessons and payments appear here.
          </EmptyState>
        )}
      </Card>
    );
  }
  return (
    <>
      {requiringAction.length > 0 && <Card heading="To do">{renderList(requiringAction)}</Card>}
      {(otherNotifications.length > 0 || inbox.hasNextPage) && (
        <Card heading="Earlier">
          {renderList(otherNotifications)}
          {inbox.isError && (
            <LoadError onRetry={() => void inbox.fetchNextPage()}>
              We couldn't load the rest.
            </LoadError>
          )}
          {!inbox.isError && <ShowMore list={inbox} />}
        </Card>
      )}
    </>
  );
}
