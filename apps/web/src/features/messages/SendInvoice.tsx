import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { CHANNEL_NAMES } from '../../lib/channel-names.ts';
import { momentInWords, type Wall } from '../../lib/moments.ts';
import { messagesQuery } from './api.ts';
import { lastSent } from './last-sent.ts';
import { MessageResult } from './MessageResult.tsx';
import classes from './SendInvoice.module.css';

const SendInvoiceSheet = lazy(async () => ({
  default: (await import('./SendInvoiceSheet.tsx')).SendInvoiceSheet,
}));

interface Props {
  invoice: { id: number; familyId: number };
  /** It was issued a moment ago: sending is the next thing to do. */
  atOnce: boolean;
  wall: Wall;
}

/** The button, when it was last pressed, and the sheet behind it. */
export function SendInvoice({ invoice: { id, familyId }, atOnce, wall }: Props) {
  const [opened, setOpened] = useState(atOnce);
  const log = useInfiniteQuery(messagesQuery(familyId, 100));
  const last = lastSent(log.data?.pages.flat() ?? [], id);
  return (
    <div className={classes.send}>
      <Button leftSection={<IconSend size={18} stroke={1.8} />} onClick={() => setOpened(true)}>
        {last ? 'Send again' : 'Send'}
      </Button>
      {last && (
        <p>
          <MessageResult state={last.state} /> {momentInWords(last.sentAt ?? last.createdAt, wall)},{' '}
          {CHANNEL_NAMES[last.channel]} to {last.toName}
        </p>
      )}
      <WhenOpened opened={opened}>
        <SendInvoiceSheet id={id} opened={opened} onClose={() => setOpened(false)} />
      </WhenOpened>
    </div>
  );
}
