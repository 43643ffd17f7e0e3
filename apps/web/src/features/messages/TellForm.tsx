import type { Channel, Message } from '@lessonbook/contract/messages';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelChoice } from '../../components/ChannelChoice.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { count } from '../../lib/format.ts';
import { type ToTell, tellStore } from '../../lib/tell.ts';
import { toasts } from '../../lib/toast.ts';
import { useTell } from './api.ts';
import { useByHand } from './by-hand.ts';
import { isComplete, MessageFields } from './MessageFields.tsx';
import classes from './MessageForm.module.css';
import { ToldPeople } from './ToldPeople.tsx';
import { useWords } from './use-words.ts';
import { WaitingDraft } from './WaitingDraft.tsx';
import { canBeReached, isReached, lessonsOf, type ToldFamily } from './whom-to-tell.ts';

interface Props {
  kind: ToTell['kind'];
  familiesBy: (channel: Channel) => ToldFamily[];
  firstChannel: Channel;
}

/** Who is told, how, and in which words; with one person the words can be changed. */
export function TellForm({ kind, familiesBy, firstChannel }: Props) {
  const [channel, setChannel] = useState<Channel>(firstChannel);
  // Who was told in person need not hear it twice.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [draft, setDraft] = useState<Message | null>(null);
  const families = familiesBy(channel);
  const told = families.filter((family) => canBeReached(family) && !left.has(family.key));
  const people = told.flatMap((family) => family.people);
  const reached = people.filter(isReached);
  const only = people.length === 1 ? people[0] : undefined;
  const { words, change } = useWords(`${channel} ${only?.familyId} ${only?.toName}`, only);
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useTell();

  const send = useByHand(mutateAsync, (message) => {
    if (channel === 'whatsapp' && message && only) return setDraft(message);
    tellStore.done();
    if (channel === 'whatsapp' && message) {
      const run = () => void navigate({ to: '/messages' });
      toasts.add({
        tone: 'done',
        title: `${count(reached.length, 'message')} to send`,
        action: { label: 'Open', run },
      });
    }
  });

  if (draft) return <WaitingDraft message={draft} onDone={tellStore.done} />;

  const body = { kind, sessionIds: lessonsOf(told), channel, ...(only && words) };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(channel, { body }, only !== undefined);
      }}
    >
      <ChannelChoice value={channel} onChange={setChannel} />
      <ToldPeople families={families} left={left} onLeave={setLeft} />
      {only && words && <MessageFields channel={channel} words={words} onChange={change} />}
      <SheetButtons
        onCancel={tellStore.done}
        cancel="Not now"
        confirm={
          reached.length === 1
            ? `Tell ${reached[0]?.toName}`
            : `Tell ${count(told.length, 'family', 'families')}`
        }
        busy="Sending..."
        isBusy={isPending}
        disabled={reached.length === 0 || (words !== undefined && !isComplete(channel, words))}
      />
    </form>
  );
}
