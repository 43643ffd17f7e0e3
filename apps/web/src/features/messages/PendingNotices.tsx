import type { PendingNotice } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { firstName, formatShortDate, formatTimeRange, pluralize } from '../../lib/format.ts';
import { notifyFamiliesStore } from '../lessons/shared/notify-families-store.ts';
import { pendingNoticesQuery } from './api.ts';
import classes from './PendingNotices.module.css';

/** Offers to notify the family as long as this session's latest change has not been sent to them. */
export function SessionPendingNotice({ sessionId, today }: { sessionId: number; today: string }) {
  const { data: notices = [] } = useQuery(pendingNoticesQuery(sessionId));
  return notices.map((notice) => (
    <Card key={notice.sessionId}>
      <section aria-label="Not sent yet">
        <NoticeText notice={notice} today={today} />
        <div className={classes.actions}>
          <Button variant="light" onClick={() => openNotice(notice)}>
            Notify {firstName(notice.toName)}
          </Button>
        </div>
      </section>
    </Card>
  ));
}

/** All upcoming sessions with changes that have not been sent to the families. */
export function PendingNoticeList({ today }: { today: string }) {
  const { data: notices = [] } = useQuery(pendingNoticesQuery());
  if (notices.length === 0) return null;
  return (
    <Card heading={`${pluralize(notices.length, 'change')} not sent to families`}>
      <ul>
        {notices.map((notice) => (
          <li key={notice.sessionId} className={classes.row}>
            <NoticeText notice={notice} today={today} />
            <Button
              variant="light"
              aria-label={formatNotifyLabel(notice)}
              onClick={() => openNotice(notice)}
            >
              Notify
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const formatNotifyLabel = ({ toName, studentName }: PendingNotice): string =>
  toName === studentName ? `Notify ${toName}` : `Notify ${toName}, ${studentName}`;

const openNotice = ({ sessionId }: PendingNotice) =>
  notifyFamiliesStore.open({ sessions: [{ id: sessionId }] });

function NoticeText({ notice, today }: { notice: PendingNotice; today: string }) {
  return (
    <div className={classes.text}>
      <b>{formatChange(notice, today)}</b>
      <p>{formatLastCommunicated(notice, today)}</p>
    </div>
  );
}

type LocalSlot = Pick<PendingNotice, 'date' | 'startTime' | 'endTime'>;

const formatSlot = ({ date, startTime, endTime }: LocalSlot, today: string): string =>
  `${formatShortDate(date, today)}, ${formatTimeRange(startTime, endTime)}`;

function formatChange(notice: PendingNotice, today: string): string {
  const { change, studentName } = notice;
  const lesson = `${firstName(studentName)}'s lesson`;
  if (change === 'cancelled') return `${lesson} has been cancelled`;
  if (change === 'restored') return `${lesson} has been reinstated: ${formatSlot(notice, today)}`;
  return `${lesson} is now ${formatSlot(notice, today)}`;
}

function formatLastCommunicated(
  { toName, lastCommunicated, wasInformed }: PendingNotice,
  today: string,
): string {
  const recipient = firstName(toName);
  const lastMessage = `The last message to ${recipient} said`;
  if (lastCommunicated === null) return `${lastMessage} it was cancelled.`;
  const slot = formatSlot(lastCommunicated, today);
  return wasInformed
    ? `${lastMessage} ${slot}.`
    : `It was planned for ${slot}. We haven't let ${recipient} know about the change.`;
}
