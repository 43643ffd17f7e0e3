import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import classes from './MessagesToSend.module.css';
import { navigationCountsQuery } from './navigation-counts.ts';

/** WhatsApp messages that are waiting for the tutor to send them, and messages that failed. */
export function MessagesToSend() {
  const { data: counts } = useQuery(navigationCountsQuery);
  if (!counts || counts.messagesToSend === 0) return null;
  return (
    <Card heading="Messages to send">
      <div className={classes.row}>
        <IconMessages size={22} stroke={1.8} aria-hidden="true" />
        <p>{counts.messagesToSend} waiting for you</p>
        <ButtonLink to="/messages" variant="light" size="sm">
          Open messages
        </ButtonLink>
      </div>
    </Card>
  );
}
