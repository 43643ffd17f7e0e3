import { isMeetingLink, isOnlinePlace } from '@lessonbook/contract/detect-online-place';
import { formatTime12 } from '@lessonbook/contract/format-time';
import type { SessionMessages } from '@lessonbook/contract/list-messages-about-session';
import type { MessageKind, MessageState } from '@lessonbook/contract/messages';
import type { Session } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import {
  IconArrowRight,
  IconBell,
  IconCurrencyPound,
  IconMapPin,
  IconUserCheck,
  IconUserQuestion,
  IconVideo,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../components/Card.tsx';
import { firstName, formatAmount, formatShortDate } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { sessionMessagesQuery } from './api.ts';
import classes from './SessionDetailsCard.module.css';
import { SessionPayment } from './SessionPayment.tsx';

interface Props {
  session: Session;
  dateContext: DateContext;
  /** Opens the edit form for this date. Undefined unless the session is scheduled. */
  onEdit: (() => void) | undefined;
}

/** Place, money, reminder and outcome of a lesson. */
export function SessionDetailsCard({ session, dateContext, onEdit }: Props) {
  const { today } = dateContext;
  const { rescheduledTo, rescheduledFrom, attendance, cancelledBy } = session;
  return (
    <Card>
      <dl className={classes.list}>
        <PlaceRows session={session} onEdit={onEdit} />
        <Row
          name="Money"
          Icon={IconCurrencyPound}
          aside={session.invoice && <InvoiceLink {...session.invoice} />}
        >
          <Money session={session} today={today} />
        </Row>
        {(session.status === 'scheduled' || hasMissed(session)) && (
          <MessageRows sessionId={session.id} dateContext={dateContext} />
        )}
        {attendance && (
          <Row name="Attendance" Icon={IconUserCheck}>
            {attendanceLabels[attendance]}
          </Row>
        )}
        {cancelledBy && (
          <Row name="Cancelled by" Icon={IconUserCheck}>
            {cancelledByLabels[cancelledBy]}
            {session.cancelReason && <small>{session.cancelReason}</small>}
          </Row>
        )}
        {rescheduledTo && (
          <Row name="Moved to" Icon={IconArrowRight}>
            <SessionLink {...rescheduledTo} today={today} />
          </Row>
        )}
        {rescheduledFrom && (
          <Row name="Moved from" Icon={IconArrowRight}>
            <SessionLink {...rescheduledFrom} today={today} />
          </Row>
        )}
      </dl>
    </Card>
  );
}

const attendanceLabels = { attended: 'Attended', late: 'Late', absent: 'Absent' } as const;
const cancelledByLabels = { tutor: 'You', student: 'The student', carer: 'The carer' } as const;

interface RowProps {
  name: string;
  Icon: typeof IconBell;
  children: ReactNode;
  aside?: ReactNode;
}

function Row({ name, Icon, children, aside }: RowProps) {
  return (
    <div>
      <dt>
        <Icon size={19} stroke={1.7} aria-hidden="true" />
        {name}
      </dt>
      <dd>{children}</dd>
      {aside && <dd className={classes.aside}>{aside}</dd>}
    </div>
  );
}

/** Addresses have a house number or a comma; 'Online' or 'At school' would find nothing on a map. */
const isAddress = (place: string): boolean => /[\d,]/.test(place);
const mapUrl = (place: string): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`;

interface PlaceRowsProps {
  session: Session;
  onEdit: (() => void) | undefined;
}

/** The place of a lesson is an address or a meeting link. */
function PlaceRows({ session, onEdit }: PlaceRowsProps) {
  const { place, usesGoogleMeet, status } = session;
  const change = (label: string) =>
    onEdit && (
      <Button variant="subtle" size="compact-md" className={classes.change ?? ''} onClick={onEdit}>
        {label}
      </Button>
    );
  if (place && isMeetingLink(place)) {
    return (
      <Row name="Meeting link" Icon={IconVideo} aside={change('Change')}>
        <a href={place} target="_blank" rel="noreferrer">
          {place.replace(/^https?:\/\//i, '')}
        </a>
      </Row>
    );
  }
  if (usesGoogleMeet && status === 'scheduled') {
    return (
      <Row name="Meeting link" Icon={IconVideo} aside={change('Change')}>
        <span className={classes.none}>No Meet link yet</span>
      </Row>
    );
  }
  return (
    <Row name="Location" Icon={IconMapPin} aside={change(place ? 'Change' : 'Add')}>
      {!place && <span className={classes.none}>None for this lesson</span>}
      {place && !isAddress(place) && place}
      {place && isAddress(place) && (
        <a href={mapUrl(place)} target="_blank" rel="noreferrer" aria-label={`${place}, on a map`}>
          {place}
        </a>
      )}
    </Row>
  );
}

/** '£38.00 Not due yet', '£38.00 Paid', 'No charge' or 'Free lesson'. */
function Money({ session, today }: { session: Session; today: string }) {
  const { status, fee, charged, currency } = session;
  if (fee === null && !charged)
    return (
      <>
        Free lesson
        <TravelFee session={session} />
      </>
    );
  const amount = charged || (status === 'scheduled' && fee);
  return (
    <>
      {amount && <span className={classes.amount}>{formatAmount(amount, currency, true)} </span>}
      <SessionPayment session={session} today={today} />
      <TravelFee session={session} />
    </>
  );
}

/** In a group, each family pays the travel fee, so the total charged does not show it. */
function TravelFee({ session }: { session: Session }) {
  const { status, place, travelFee, fee, charged, currency, students } = session;
  if (travelFee === null || isOnlinePlace(place)) return null;
  const amount = formatAmount(travelFee, currency, true);
  if (status === 'scheduled')
    return (
      <small>
        Plus {amount} travel{students.length > 1 && ' for each family'}
      </small>
    );
  if (students.length > 1 || charged !== (fee ?? 0) + travelFee) return null;
  return <small>Including {amount} travel</small>;
}

const InvoiceLink = ({ id, number }: NonNullable<Session['invoice']>) => (
  <>
    On invoice{' '}
    <Link to="/invoices/$id" params={{ id: String(id) }}>
      {number}
    </Link>
  </>
);

/** After the lesson, the messages are shown only if a student was absent or late. */
const hasMissed = ({ students }: Session): boolean =>
  students.some(({ attendance }) => attendance === 'absent' || attendance === 'late');

function MessageRows({ sessionId, dateContext }: { sessionId: number; dateContext: DateContext }) {
  const { data } = useQuery(sessionMessagesQuery(sessionId));
  if (!data) return null;
  return (
    <>
      <MessageRow name="Reminder" Icon={IconBell} lines={reminderLines(data, dateContext)} />
      <MessageRow
        name="Hasn't arrived"
        Icon={IconUserQuestion}
        lines={sentLines(data, 'not_arrived', dateContext)}
      />
    </>
  );
}

function MessageRow({ lines, ...row }: Pick<RowProps, 'name' | 'Icon'> & { lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <Row {...row}>
      {lines.map((line) => (
        <span key={line} className={classes.line}>
          {line}
        </span>
      ))}
    </Row>
  );
}

const CHANNEL_LABELS = { email: 'by email', whatsapp: 'by WhatsApp' } as const;

/** 'Ruth, sent yesterday 16:30 by email' */
const sentLines = (
  { messages }: SessionMessages,
  kind: MessageKind,
  dateContext: DateContext,
): string[] =>
  messages
    .filter((message) => message.kind === kind)
    .map(({ toName, state, at, channel }) => {
      const when = isSent(state)
        ? `sent ${formatTimestamp(at, dateContext)} ${CHANNEL_LABELS[channel]}`
        : stateLabels[state];
      return `${firstName(toName)}, ${when}`;
    });

function reminderLines(messages: SessionMessages, dateContext: DateContext): string[] {
  const upcoming = messages.planned.map(
    ({ toName, at, channel }) =>
      `${firstName(toName)}, will be sent ${formatTimestamp(at, dateContext)} ${CHANNEL_LABELS[channel]}`,
  );
  return [...sentLines(messages, 'lesson_reminder', dateContext), ...upcoming];
}

type UnsentState = Exclude<MessageState, 'sent' | 'delivered' | 'read'>;

const isSent = (state: MessageState): state is Exclude<MessageState, UnsentState> =>
  state === 'sent' || state === 'delivered' || state === 'read';

const stateLabels: Record<UnsentState, string> = {
  waiting: 'is being sent',
  draft: 'waiting in Messages for you to send',
  opened: 'waiting in Messages for you to send',
  failed: "couldn't be sent",
  skipped: 'not sent',
  dismissed: 'not sent',
};

type LinkedSession = NonNullable<Session['rescheduledTo']>;

function SessionLink({ id, date, startTime, today }: LinkedSession & { today: string }) {
  return (
    <Link to="/sessions/$id" params={{ id: String(id) }}>
      {formatShortDate(date, today)}, {formatTime12(startTime)}
    </Link>
  );
}
