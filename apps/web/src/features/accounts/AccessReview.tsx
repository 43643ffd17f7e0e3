import type { LoginRow, SecurityOverview } from '@lessonbook/contract/security';
import { Button } from '@mantine/core';
import {
  IconBrandGoogle,
  IconCalendar,
  IconCheck,
  IconDeviceLaptop,
  IconDeviceMobile,
  IconFingerprint,
  IconKey,
  IconRss,
  type Icon as IconType,
} from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { LazyConfirmModal } from '../../components/LazyConfirmModal.tsx';
import { formatDateWithYear } from '../../lib/format.ts';
import { type DateContext, formatTimestamp, toLocalDate } from '../../lib/format-timestamp.ts';
import { useDisconnectCalendar, useReplaceIcalFeed } from '../calendar/api.ts';
import classes from './AccessReview.module.css';
import {
  useDisableAuthenticator,
  useEndLogin,
  useRegenerateRecoveryCodes,
  useRemovePasskey,
  useUnlinkGoogle,
} from './security-api.ts';

interface Props {
  security: SecurityOverview;
  logins: readonly LoginRow[];
  dateContext: DateContext;
  onRecoveryCodes: (codes: string[]) => void;
}

/** Everything that can open the account or read the schedule, each with a button to keep it and one to remove it. */
export function AccessReview({ security, logins, dateContext, onRecoveryCodes }: Props) {
  const replaceFeed = useReplaceIcalFeed();
  const disconnectCalendar = useDisconnectCalendar();
  const unlinkGoogle = useUnlinkGoogle();
  const removePasskey = useRemovePasskey();
  const disableAuthenticator = useDisableAuthenticator();
  const regenerateCodes = useRegenerateRecoveryCodes();
  const endLogin = useEndLogin();

  const formatDay = (timestamp: string) => formatDateWithYear(toLocalDate(timestamp, dateContext));
  const others = logins.filter(({ isCurrent }) => !isCurrent);
  const hasSecondFactor = security.authenticatorOn || security.passkeys.length > 0;
  const isEmpty =
    others.length === 0 &&
    !hasSecondFactor &&
    !security.googleLinkedAt &&
    !security.calendarConnectedAt &&
    !security.calendarFeedCreatedAt;
  if (isEmpty) return <p className={classes.rows}>Only this browser has access to your account.</p>;
  return (
    <ul className={classes.rows}>
      {others.map((login) => (
        <ReviewRow
          key={login.id}
          Icon={/iPhone|iPad|Android/.test(login.device) ? IconDeviceMobile : IconDeviceLaptop}
          title={login.device}
          detail={`Logged in since ${formatTimestamp(login.firstSeenAt, dateContext)}, last seen ${formatTimestamp(login.lastSeenAt, dateContext)}`}
          removeLabel="Log out"
          question={`Log out ${login.device}?`}
          busyLabel="Logging out..."
          consequence="You'll need to log in again in that browser."
          mutation={endLogin}
          input={login.id}
        />
      ))}
      {security.passkeys.map((passkey) => (
        <ReviewRow
          key={passkey.id}
          Icon={IconFingerprint}
          title={`Passkey: ${passkey.name}`}
          detail={`Added ${formatDay(passkey.createdAt)}`}
          removeLabel="Remove"
          question={`Remove passkey “${passkey.name}”?`}
          busyLabel="Removing..."
          consequence="It can no longer be used to log in."
          mutation={removePasskey}
          input={passkey.id}
        />
      ))}
      {security.authenticatorAddedAt && (
        <ReviewRow
          Icon={IconDeviceMobile}
          title="Authenticator app"
          detail={`Added ${formatDay(security.authenticatorAddedAt)}`}
          removeLabel="Turn off"
          question="Turn off the authenticator app?"
          busyLabel="Turning off..."
          consequence="You'll no longer need its code to log in. You can set up another app afterwards."
          mutation={disableAuthenticator}
          input={undefined}
        />
      )}
      {hasSecondFactor && (
        <ReviewRow
          Icon={IconKey}
          title="Recovery codes"
          detail={describeRecoveryCodes(security, formatDay)}
          removeLabel="Create new codes"
          question="Create new recovery codes?"
          busyLabel="Creating..."
          consequence="You'll get ten new codes. All earlier ones will stop working."
          mutation={regenerateCodes}
          input={undefined}
          onRemoved={({ recoveryCodes }) => onRecoveryCodes(recoveryCodes)}
        />
      )}
      {security.googleLinkedAt && (
        <ReviewRow
          Icon={IconBrandGoogle}
          title="Google sign-in"
          detail={`Connected ${formatDay(security.googleLinkedAt)}`}
          removeLabel="Disconnect"
          question="Disconnect Google sign-in?"
          busyLabel="Disconnecting..."
          consequence="You'll log in with your password or a passkey."
          mutation={unlinkGoogle}
          input={undefined}
        />
      )}
      {security.calendarConnectedAt && (
        <ReviewRow
          Icon={IconCalendar}
          title="Google Calendar"
          detail={`Has received your lessons since ${formatDay(security.calendarConnectedAt)}`}
          removeLabel="Disconnect"
          question="Disconnect Google Calendar?"
          busyLabel="Disconnecting..."
          consequence="Lessons already in that calendar stay there. New ones won't be sent."
          mutation={disconnectCalendar}
          input={undefined}
        />
      )}
      {security.calendarFeedCreatedAt && (
        <ReviewRow
          Icon={IconRss}
          title="Calendar feed"
          detail={`Anyone with its address can see your lessons. First created ${formatDay(security.calendarFeedCreatedAt)}`}
          removeLabel="Replace address"
          question="Replace the calendar address?"
          busyLabel="Replacing..."
          consequence="The old address stops working. Subscribe your own calendars to the new one."
          mutation={replaceFeed}
          input={undefined}
        />
      )}
    </ul>
  );
}

function describeRecoveryCodes(
  { recoveryCodesLeft, recoveryCodesCreatedAt }: SecurityOverview,
  formatDay: (timestamp: string) => string,
): string {
  if (recoveryCodesLeft === 0) return 'None left';
  const created = recoveryCodesCreatedAt ? `, created ${formatDay(recoveryCodesCreatedAt)}` : '';
  return `${recoveryCodesLeft} left${created}`;
}

interface ReviewRowProps<Output, Input> {
  Icon: IconType;
  title: string;
  detail: string;
  removeLabel: string;
  /** The title of the confirmation. */
  question: string;
  busyLabel: string;
  consequence: string;
  mutation: UseMutationResult<Output, Error, Input>;
  input: Input;
  onRemoved?: (output: Output) => void;
}

function ReviewRow<Output, Input>(props: ReviewRowProps<Output, Input>) {
  const { Icon, title, detail, removeLabel, mutation, input } = props;
  const [isKept, setIsKept] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const remove = () =>
    mutation.mutate(input, {
      onSuccess: (output) => {
        setConfirming(false);
        props.onRemoved?.(output);
      },
    });
  return (
    <li className={classes.row}>
      <Icon size={22} stroke={1.8} className={classes.icon} />
      <div className={classes.description}>
        <b>{title}</b>
        <small>{detail}</small>
      </div>
      <div className={classes.actions}>
        <Button
          variant={isKept ? 'light' : 'default'}
          leftSection={isKept ? <IconCheck size={18} stroke={2} /> : undefined}
          aria-pressed={isKept}
          aria-label={`Keep, ${title}`}
          onClick={() => setIsKept(!isKept)}
        >
          Keep
        </Button>
        <Button
          variant="subtle"
          color="red"
          aria-label={`${removeLabel}, ${title}`}
          onClick={() => setConfirming(true)}
        >
          {removeLabel}
        </Button>
      </div>
      <LazyConfirmModal
        title={props.question}
        opened={confirming}
        onClose={() => setConfirming(false)}
        confirmLabel={removeLabel}
        busyLabel={props.busyLabel}
        isBusy={mutation.isPending}
        onConfirm={remove}
      >
        <p>{props.consequence}</p>
      </LazyConfirmModal>
    </li>
  );
}
