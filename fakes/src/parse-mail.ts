import PostalMime from 'postal-mime';

/** A received email: SMTP envelope and parsed message. */
export interface Mail {
  /** Counts up from 1 in order of arrival; not reused after `clear()`. */
  id: number;
  receivedAt: string;
  envelope: { from: string; to: string[] };
  messageId: string;
  from: string;
  to: string[];
  replyTo: string[];
  subject: string;
  text: string;
  html: string;
  /** All headers, with lower-case names; a repeated header has its last value. */
  headers: Record<string, string>;
  attachments: MailAttachment[];
  raw: string;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

export async function parseMail(
  id: number,
  raw: Buffer,
  envelope: Mail['envelope'],
): Promise<Mail> {
  const parsed = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  return {
    id,
    receivedAt: new Date().toISOString(),
    envelope,
    messageId: parsed.messageId ?? '',
    from: parsed.from?.address ?? '',
    to: toAddresses(parsed.to),
    replyTo: toAddresses(parsed.replyTo),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    headers: Object.fromEntries(parsed.headers.map((header) => [header.key, header.value])),
    attachments: parsed.attachments.map((attachment) => ({
      filename: attachment.filename ?? '',
      contentType: attachment.mimeType,
      content: toBuffer(attachment.content),
    })),
    raw: raw.toString('utf8'),
  };
}

function toAddresses(addresses: ReadonlyArray<{ address?: string | undefined }> | undefined) {
  return (addresses ?? []).map((each) => each.address ?? '').filter((address) => address !== '');
}

function toBuffer(content: ArrayBuffer | Uint8Array | string): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array
    ? Buffer.from(content)
    : Buffer.from(new Uint8Array(content));
}
