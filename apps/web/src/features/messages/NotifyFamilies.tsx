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
  firstChannel: Channel;
}

/** Who is told, how, and in which words; with one person the words can be changed. */
function NotifyForm({ kind, familiesBy, firstChannel }: Props) {
  const [channel, setChannel] = useState<Channel>(firstChannel);
  // Who was told in person need not hear it twice.
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [draft, setDraft] = useState<Message | null>(null);
  const families = familiesBy(channel);
  const selected = families.filter((family) => isReachable(family) && !excluded.has(family.key));
  const people = selected.flatMap((family) => family.people);
  const reached = people.filter(hasAddress);
  const only = people.length === 1 ? people[0] : undefined;
  const { words, change } = useMessageDraft(`${channel} ${only?.familyId} ${only?.toName}`, only);
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useNotifyFamilies();

  const send = useSendMessage(mutateAsync, (message) => {
    if (channel === 'whatsapp' && message && only) return setDraft(message);
    notifyStore.done();
    if (channel === 'whatsapp' && message) {
      const run = () => void navigate({ to: '/messages' });
      toasts.add({
        tone: 'done',
        title: `${pluralize(reached.length, 'message')} to send`,
        action: { label: 'Open', run },
      });
    }
  });

  if (draft) return <PendingDraft message={draft} onDone={notifyStore.done} />;

  const body = { kind, sessionIds: sessionIdsOf(selected), channel, ...(only && words) };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(channel, { body }, only !== undefined);
      }}
    >
      <ChannelSelect value={channel} onChange={setChannel} />
      <RecipientList families={families} excluded={excluded} onExclude={setExcluded} />
      {only && words && <MessageFields channel={channel} words={words} onChange={change} />}
      <ModalActions
        onCancel={notifyStore.done}
        cancel="Not now"
        confirm={
          reached.length === 1
            ? `Tell ${reached[0]?.toName}`
            : `Tell ${pluralize(selected.length, 'family', 'families')}`
        }
        busy="Sending..."
        isBusy={isPending}
        disabled={reached.length === 0 || (words !== undefined && !isComplete(channel, words))}
      />
    </form>
  );
}

/** Ends a cancellation, a move and time off. It comes only when somebody can be reached. */
export function NotifyFamilies({ toTell }: { toTell: NotifyRequest | null }) {
  const shown = useLastValue(toTell);
  if (!shown) return null;
  return <NotifyFamiliesModal key={keyOf(shown)} toTell={shown} isAsked={toTell !== null} />;
}

const keyOf = ({ kind, sessions }: NotifyRequest): string =>
  [kind, ...sessions.map(({ id }) => id)].join(' ');

function NotifyFamiliesModal({ toTell, isAsked }: { toTell: NotifyRequest; isAsked: boolean }) {
  const recipients = useRecipients(toTell);
  const byMail = recipients.families('email').some(isReachable);
  const canReach = byMail || recipients.families('whatsapp').some(isReachable);
  const isPointless = recipients.isLoaded && !canReach;

  useEffect(() => {
    if (isPointless) notifyStore.done();
  }, [isPointless]);

  return (
    <ResponsiveModal
      title={recipients.families('email').length > 1 ? 'Tell the families?' : 'Tell the family?'}
      opened={isAsked && (recipients.isError || (recipients.isLoaded && canReach))}
      onClose={notifyStore.done}
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
            kind={toTell.kind}
            familiesBy={recipients.families}
            firstChannel={byMail ? 'email' : 'whatsapp'}
          />
        )
      )}
    </ResponsiveModal>
  );
}
