import type { Notification, NotificationKind } from '@lessonbook/contract/notifications';
import {
  IconBuildingBank,
  IconCalendarEvent,
  IconCalendarOff,
  IconCash,
  IconClipboardCheck,
  IconCreditCardOff,
  IconGavel,
  IconHourglass,
  IconMailX,
  IconPlugConnectedX,
  IconReceiptOff,
  IconStack2,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { momentInWords, type Wall } from '../../lib/moments.ts';
import classes from './Inbox.module.css';

const icons: Record<NotificationKind, typeof IconCash> = {
  payment_received: IconCash,
  payment_disputed: IconGavel,
  refund_failed: IconReceiptOff,
  transfer_claimed: IconBuildingBank,
  message_failed: IconMailX,
  calendar_disconnected: IconCalendarOff,
  calendar_changed: IconCalendarEvent,
  payouts_disabled: IconCreditCardOff,
  cards_disconnected: IconPlugConnectedX,
  sessions_to_complete: IconClipboardCheck,
  overlap_accepted: IconStack2,
  trial_ending: IconHourglass,
};

/** The router wants an address and its search apart. */
function apart(path: string): { to: string; search: Record<string, string> } {
  const { pathname, searchParams } = new URL(path, 'http://here');
  return { to: pathname, search: Object.fromEntries(searchParams) };
}

interface Props {
  notification: Notification;
  wall: Wall;
  onRead: () => void;
}

/** One sentence. A tap has read it, and goes where there is something to do about it. */
export function InboxRow({ notification, wall, onRead }: Props) {
  const { kind, text, path, at, read } = notification;
  const Icon = icons[kind];
  const content = (
    <>
      <Icon size={20} stroke={1.8} className={classes.icon} />
      <span className={classes.text}>
        <span>{text}</span> <small>{momentInWords(at, wall)}</small>
      </span>
      {!read && (
        <span className={classes.dot}>
          <span>Unread</span>
        </span>
      )}
    </>
  );
  const row = { className: classes.row, 'data-unread': !read || undefined, onClick: onRead };
  return (
    <li className={classes.item}>
      {path ? (
        <Link {...apart(path)} {...row}>
          {content}
        </Link>
      ) : (
        <button type="button" {...row}>
          {content}
        </button>
      )}
    </li>
  );
}
