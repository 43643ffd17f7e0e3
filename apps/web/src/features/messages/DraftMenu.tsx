import type { Message } from '@lessonbook/contract/messages';
import { ActionIcon, Menu } from '@mantine/core';
import { IconBrandWhatsapp, IconDotsVertical, IconThumbUp, IconTrash } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { useOpenMessage, useSettleMessage } from './api.ts';

const AgreedSheet = lazy(async () => ({
  default: (await import('./AgreedSheet.tsx')).AgreedSheet,
}));

interface Props {
  message: Message;
  /** WhatsApp messages can go by themselves to whoever agreed. */
  byItself: boolean;
  /** The row, and with it this menu, is gone. */
  onGone: () => void;
}

/** What else can be done with a draft. */
export function DraftMenu({ message, byItself, onGone }: Props) {
  const { id, toName, openUrl, state } = message;
  const settle = useSettleMessage();
  const open = useOpenMessage();
  const [agreeing, setAgreeing] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={byItself ? 280 : 220}>
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
          {openUrl && byItself && (
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
                { onSuccess: onGone },
              )
            }
          >
            Dismiss
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WhenOpened opened={agreeing}>
        <AgreedSheet
          message={message}
          opened={agreeing}
          onClose={() => setAgreeing(false)}
          onGone={onGone}
        />
      </WhenOpened>
    </>
  );
}
