import type { Channel, Message } from '@lessonbook/contract/messages';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { LoadError } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { firstName, pluralize } from '../../lib/format.ts';
import { toasts } from '../../lib/toast.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import {
  type NotifyRequest,
  notifyFamiliesStore,
} from '../lessons/shared/notify-families-store.ts';
import { useSendChangeNotice } from './api.ts';
import { MessageFields } from './MessageFields.tsx';
import classes from './MessageForm.module.css';
import { PendingWhatsAppDraft } from './PendingWhatsAppDraft.tsx';
import { RecipientList } from './RecipientList.tsx';
import { ChannelSelect } from './shared/ChannelSelect.tsx';
import {
  hasAddress,
  isReachable,
  type RecipientFamily,
  sessionIdsOf,
  useChangeNoticeRecipients,
} from './use-change-notice-recipients.ts';
import { isDraftComplete, useMessageDraft } from './use-message-draft.ts';
import { useSendMessage } from './use-send-message.ts';

interface Props {
  familiesByChannel: (channel: Channel) => RecipientFamily[];
  initialChannel: Channel;
  previousTimes: NotifyRequest['previousTimes'];
}

/** Recipients, channel and text. The text can be edited if there is only one recipient. */
function NotifyForm({ familiesByChannel, initialChannel, previousTimes }: Props) {
  const [channel, setChannel] = useState<Channel>(initialChannel);
  // Families who already know, for example because the tutor has spoken to them.
  const [excludedKeys, setExcludedKeys] = useState<ReadonlySet<string>>(new Set());
  const [whatsAppDraft, setWhatsAppDraft] = useState<Message | null>(null);
  const families = familiesByChannel(channel);
  const selectedFamilies = families.filter(
    (family) => isReachable(family) && !excludedKeys.has(family.key),
  );
  const people = selectedFamilies.flatMap((family) => family.people);
  const reachable = people.filter(hasAddress);
  const singleRecipient = people.length === 1 ? people[0] : undefined;
  const { draft, change, onSubmit } = useMessageDraft(
    `${channel} ${singleRecipient?.key}`,
    singleRecipient,
    `sessions ${sessionIdsOf(families).join()}`,
  );
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useSendChangeNotice();

  const send = useSendMessage(mutateAsync, (message) => {
    if (channel === 'whatsapp' && message && singleRecipient) return setWhatsAppDraft(message);
    notifyFamiliesStore.close();
    if (channel === 'whatsapp' && message) {
      const run = () => void navigate({ to: '/messages' });
      toasts.add({
        kind: 'success',
        title: `${pluralize(reachable.length, 'message')} to send`,
        action: { label: 'Open', run },
      });
    }
  });

  if (whatsAppDraft)
    return <PendingWhatsAppDraft message={whatsAppDraft} onDone={notifyFamiliesStore.close} />;

  const body = {
    sessionIds: sessionIdsOf(selectedFamilies),
    channel,
    ...(previousTimes && { previousTimes }),
    ...(singleRecipient && draft),
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit(() => send(channel, { body }, singleRecipient !== undefined))}
    >
      <ChannelSelect value={channel} onChange={setChannel} />
      <RecipientList
        families={families}
        excludedKeys={excludedKeys}
        onExcludedChange={setExcludedKeys}
      />
      {singleRecipient && draft && (
        <MessageFields channel={channel} draft={draft} onChange={change} />
      )}
      <ModalActions
        onCancel={notifyFamiliesStore.close}
        cancelLabel="Not now"
        confirmLabel={
          reachable.length === 1
            ? `Send to ${reachable[0]?.toName}`
            : `Send to ${pluralize(reachable.length, 'person', 'people')}`
        }
        busyLabel="Sending..."
        isBusy={isPending}
        disabled={
          reachable.length === 0 || (draft !== undefined && !isDraftComplete(channel, draft))
        }
      />
    </form>
  );
}

/** Offers to notify families of changed sessions. Closes without a message if no recipient can be reached. */
export function NotifyFamilies({ request }: { request: NotifyRequest | null }) {
  const lastRequest = useLastValue(request);
  if (!lastRequest) return null;
  return (
    <NotifyFamiliesModal
      key={lastRequest.id}
      request={lastRequest}
      isRequested={request !== null}
    />
  );
}

/** A single recipient is named: a carer, or a student who pays for themselves. */
function formatTitle(families: readonly RecipientFamily[]): string {
  if (families.length > 1) return 'Let the families know?';
  const names = new Set(families.flatMap(({ people }) => people.map(({ toName }) => toName)));
  const [name] = names;
  return name && names.size === 1 ? `Let ${firstName(name)} know?` : 'Let the family know?';
}

function NotifyFamiliesModal({
  request,
  isRequested,
}: {
  request: NotifyRequest;
  isRequested: boolean;
}) {
  const recipients = useChangeNoticeRecipients(request);
  const hasEmail = recipients.families('email').some(isReachable);
  const canReach = hasEmail || recipients.families('whatsapp').some(isReachable);
  const isUnreachable = recipients.isLoaded && !canReach;

  useEffect(() => {
    if (isUnreachable) notifyFamiliesStore.close();
  }, [isUnreachable]);

  return (
    <ResponsiveModal
      title={formatTitle(recipients.families('email'))}
      opened={isRequested && (recipients.isError || (recipients.isLoaded && canReach))}
      onClose={notifyFamiliesStore.close}
    >
      {recipients.isError ? (
        <div className={classes.form}>
          <LoadError onRetry={recipients.retry}>We couldn't prepare the message.</LoadError>
        </div>
      ) : (
        recipients.isLoaded && (
          <NotifyForm
            familiesByChannel={recipients.families}
            initialChannel={hasEmail ? 'email' : 'whatsapp'}
            previousTimes={request.previousTimes}
          />
        )
      )}
    </ResponsiveModal>
  );
}
