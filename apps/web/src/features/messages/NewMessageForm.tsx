import { CustomMessageInput, type FamilyResult } from '@lessonbook/contract/bulk-messages';
import {
  MESSAGE_PLACEHOLDERS,
  type PlaceholderName,
} from '@lessonbook/contract/message-placeholders';
import type { Channel } from '@lessonbook/contract/messages';
import { Button, Textarea, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { useHasRoomForDetail } from '../../components/ListWithDetail.tsx';
import { StickyActions } from '../../components/PageLayoutParts.tsx';
import { pluralize } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { messageRecipientsQuery, useSendCustomMessage } from './api.ts';
import classes from './BulkMessages.module.css';
import { MessagePreviewPanel } from './MessagePreviewPanel.tsx';
import { checkRecipients } from './message-send-plan.ts';
import { RecipientsField } from './RecipientsField.tsx';
import { ChannelSelect } from './shared/ChannelSelect.tsx';

const TextSchema = z.pick(CustomMessageInput, { subject: true, text: true });

/** Rejects a message in which the tutor has not replaced the blank. */
const createPrefilledTextSchema = (blank: string) =>
  z.extend(TextSchema, {
    text: TextSchema.shape.text.check(
      z.refine((text) => !text.includes(blank), `Please replace ${blank} in the text`),
    ),
  });

interface Prefill {
  /** The key of the draft, which keeps its text separate from that of other messages. */
  key: string;
  /** The text is about their child, so it is sent to no other family. */
  familyIds: readonly number[];
  subject: string;
  text: string;
  /** What the tutor has to replace in the text. */
  blank: string;
}

interface Props {
  prefill?: Prefill;
  familyIds: readonly number[];
  onFamiliesChange: (familyIds: number[]) => void;
  onSent: (results: FamilyResult[]) => void;
  today: string;
  /** The page's header, with the button on wide screens. */
  renderHeader: (action?: ReactNode) => ReactNode;
}

/** One text for one or many families. Each gets its own message, which the preview shows. */
export function NewMessageForm({
  prefill,
  familyIds: selectedIds,
  onFamiliesChange,
  onSent,
  today,
  renderHeader,
}: Props) {
  const [channel, setChannel] = useState<Channel>('email');
  const familyIds = prefill?.familyIds ?? selectedIds;
  const form = useForm({
    schema: prefill ? createPrefilledTextSchema(prefill.blank) : TextSchema,
    initialValues: {
      subject: prefill?.subject ?? '',
      text: prefill?.text ?? 'Hi {name},\n\n\n\n{tutor}',
    },
    mode: 'controlled',
    draft: { key: prefill?.key ?? 'new message', fields: ['subject', 'text'] },
  });
  const { subject, text } = form.values;
  const textRef = useRef<HTMLTextAreaElement>(null);
  const to = { familyIds: [...familyIds], channel };
  const { data, isPending } = useQuery({
    ...messageRecipientsQuery(to),
    enabled: familyIds.length > 0,
    placeholderData: keepPreviousData,
  });
  const chosen = new Set(familyIds);
  const recipients = checkRecipients(
    (data ?? []).filter(({ familyId }) => chosen.has(familyId)),
    { subject, text },
  );
  const reachable = recipients.filter(({ problem }) => problem === null);
  const send = useSendCustomMessage();
  const submit = form.onSubmit(
    (values) => {
      const body = { ...to, ...values };
      return send.mutateAsync({ body, idempotencyKey: form.keyFor(body) });
    },
    (results) => onSent(results),
  );

  /** Inserts the placeholder where the cursor is. */
  function insert(name: PlaceholderName) {
    const { selectionStart: start = text.length, selectionEnd: end = text.length } =
      textRef.current ?? {};
    form.change({ text: `${text.slice(0, start)}{${name}}${text.slice(end)}` });
    textRef.current?.focus();
  }

  const [single] = reachable;
  const label =
    reachable.length > 1
      ? `Send to ${pluralize(reachable.length, 'family', 'families')}`
      : single
        ? `Send to ${single.toName}`
        : 'Send';
  const isWide = useHasRoomForDetail();
  const sendButton = (
    <Button
      type="submit"
      fullWidth={!isWide}
      leftSection={<IconSend size={18} stroke={1.8} />}
      disabled={send.isPending || reachable.length === 0}
    >
      {send.isPending ? 'Sending...' : label}
    </Button>
  );
  return (
    <form className={classes.layout} noValidate onSubmit={submit}>
      {renderHeader(isWide && sendButton)}
      <Card>
        <div className={classes.form}>
          {prefill ? (
            <TextInput
              label="To"
              readOnly
              value={recipients.map(({ toName }) => toName).join(', ')}
            />
          ) : (
            <RecipientsField familyIds={familyIds} onChange={onFamiliesChange} today={today} />
          )}
          <ChannelSelect value={channel} onChange={setChannel} />
          <TextInput
            label="Subject"
            description="Shown in emails only"
            maxLength={200}
            {...form.form.getInputProps('subject')}
          />
          <Textarea
            ref={textRef}
            label="Message"
            size="md"
            rows={9}
            maxLength={4000}
            {...form.form.getInputProps('text')}
          />
          <fieldset className={classes.placeholders}>
            <legend>Placeholders</legend>
            {MESSAGE_PLACEHOLDERS.map((placeholder) => (
              <button key={placeholder.name} type="button" onClick={() => insert(placeholder.name)}>
                {placeholder.label}
              </button>
            ))}
          </fieldset>
        </div>
      </Card>
      <MessagePreviewPanel
        recipients={recipients}
        isLoading={familyIds.length > 0 && isPending}
        text={{ subject, text }}
      />
      {!isWide && <StickyActions>{sendButton}</StickyActions>}
    </form>
  );
}
