import type { Channel, Message } from '@lessonbook/contract/messages';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { LoadError } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize } from '../../lib/format.ts';
import { toasts } from '../../lib/toast.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { type NotifyRequest, notifyStore } from '../lessons/shared/notify-store.ts';
import { useNotifyFamilies } from './api.ts';
import classes from './MessageForm.module.css';
import { isComplete, MessageFields, useMessageDraft } from './MessageForm.tsx';
import { PendingDraft } from './PendingDraft.tsx';
import { RecipientList } from './RecipientList.tsx';
import { ChannelSelect } from './shared/ChannelSelect.tsx';
import {
  hasAddress,
  isReachable,
  type RecipientFamily,
  sessionIdsOf,
  useRecipients,
} from './use-recipients.ts';
import { useSendMessage } from './use-send-message.ts';

interface Props {
  kind: NotifyRequest['kind'];
  familiesBy: (channel: Channel) => RecipientFamily[];
  initialChannel: Channel;
}

/** Recipients, channel and text. The text can be edited if there is only one recipient. */
function NotifyForm({ kind, familiesBy, initialChannel }: Props) {
  const [channel, setChannel] = useState<Channel>(initialChannel);
  // Families who already know, for example because the tutor has spoken to them.
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [whatsAppDraft, setWhatsAppDraft] = useState<Message | null>(null);
  const families = familiesBy(channel);
  const selected = families.filter((family) => isReachable(family) && !excluded.has(family.key));
  const people = selected.flatMap((family) => family.people);
  const reachable = people.filter(hasAddress);
  const single = people.length === 1 ? people[0] : undefined;
  const { draft, change } = useMessageDraft(
    `${channel} ${single?.familyId} ${single?.toName}`,
    single,
  );
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useNotifyFamilies();

  const send = useSendMessage(mutateAsync, (message) => {
    if (channel === 'whatsapp' && message && single) return setWhatsAppDraft(message);
    notifyStore.close();
    if (channel === 'whatsapp' && message) {
      const run = () => void navigate({ to: '/messages' });
      toasts.add({
        kind: 'done',
        title: `${pluralize(reachable.length, 'message')} to send`,
        action: { label: 'Open', run },
      });
    }
  });

  if (whatsAppDraft) return <PendingDraft message={whatsAppDraft} onDone={notifyStore.close} />;

  const body = { kind, sessionIds: sessionIdsOf(selected), channel, ...(single && draft) };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(channel, { body }, single !== undefined);
      }}
    >
      <ChannelSelect value={channel} onChange={setChannel} />
      <RecipientList families={families} excluded={excluded} onExclude={setExcluded} />
      {single && draft && <MessageFields channel={channel} draft={draft} onChange={change} />}
      <ModalActions
        onCancel={notifyStore.close}
        cancel="Not now"
        confirm={
          reachable.length === 1
            ? `Tell ${reachable[0]?.toName}`
            : `Tell ${pluralize(selected.length, 'family', 'families')}`
        }
        busy="Sending..."
        isBusy={isPending}
        disabled={reachable.length === 0 || (draft !== undefined && !isComplete(channel, draft))}
      />
    </form>
  );
}

/** Offers to notify families after a cancellation, a move or time off, if anyone can be reached. */
export function NotifyFamilies({ request }: { request: NotifyRequest | null }) {
  const lastRequest = useLastValue(request);
  if (!lastRequest) return null;
  return (
    <NotifyFamiliesModal
      key={keyOf(lastRequest)}
      request={lastRequest}
      isRequested={request !== null}
    />
  );
}

const keyOf = ({ kind, sessions }: NotifyRequest): string =>
  [kind, ...sessions.map(({ id }) => id)].join(' ');

function NotifyFamiliesModal({
  request,
  isRequested,
}: {
  request: NotifyRequest;
  isRequested: boolean;
}) {
  const recipients = useRecipients(request);
  const hasEmail = recipients.families('email').some(isReachable);
  const canReach = hasEmail || recipients.families('whatsapp').some(isReachable);
  const isUnreachable = recipients.isLoaded && !canReach;

  useEffect(() => {
    if (isUnreachable) notifyStore.close();
  }, [isUnreachable]);

  return (
    <ResponsiveModal
      title={recipients.families('email').length > 1 ? 'Tell the families?' : 'Tell the family?'}
      opened={isRequested && (recipients.isError || (recipients.isLoaded && canReach))}
      onClose={notifyStore.close}
    >
      {recipients.isError ? (
        <div className={classes.form}>
          <LoadError onRetry={recipients.retry}>
            The message to the family could not be prepared.
          </LoadError>
        </div>
      ) : (
        recipients.isLoaded && (
          <NotifyForm
            kind={request.kind}
            familiesBy={recipients.families}
            initialChannel={hasEmail ? 'email' : 'whatsapp'}
          />
        )
      )}
    </ResponsiveModal>
  );
}
