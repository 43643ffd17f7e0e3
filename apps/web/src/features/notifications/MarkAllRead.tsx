import { Button } from '@mantine/core';
import { useMarkRead } from './api.ts';
import { useUnread } from './unread.ts';

export function MarkAllRead() {
  const unread = useUnread();
  const markRead = useMarkRead();
  if (unread === 0) return null;
  return (
    <Button variant="default" disabled={markRead.isPending} onClick={() => markRead.mutate(null)}>
      Mark all as read
    </Button>
  );
}
