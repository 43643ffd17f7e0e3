import { MESSAGE_KINDS } from '@lessonbook/contract/messages';
import { createTransport } from 'nodemailer';
import { Counter } from 'prom-client';
import { safeFileName } from '../platform/files/safe-file-name.ts';

/** For metrics. */
const MAIL_KINDS = [
  ...MESSAGE_KINDS,
  'account',
  'account_deletion',
  'notification',
  'portal',
  'security',
] as const;
type MailKind = (typeof MAIL_KINDS)[number];

export interface Mail {
  readonly kind: MailKind;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The sender's display name; the address is always ours because of SPF and DKIM. */
  readonly fromName?: string;
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer | string;
  }[];
  /** The same for every attempt, so that receiving servers can detect duplicates. */
  readonly messageId: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

const emailsTotal = new Counter({
  name: 'lessonbook_emails_total',
  help: 'Attempts to send an email, by kind of email and outcome: sent, deferred (will be retried), rejected',
  labelNames: ['kind', 'outcome'],
});

// Starts at 0, because Prometheus sees no increase in a series whose first value is 1.
for (const kind of MAIL_KINDS) emailsTotal.inc({ kind, outcome: 'rejected' }, 0);

export function smtpMailer(options: { smtpUrl: string; from: string; domain: string }): Mailer {
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: 5,
    // Defaults that the URL may override (?socketTimeout=…).
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // User input must never make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sender = parseSender(options.from);
  return {
    send: async (mail) => {
      const sending = transport.sendMail({
        from: mail.fromName
          ? { name: `${mail.fromName} via ${sender.name}`, address: sender.address }
          : options.from,
        ...(mail.replyTo ? { replyTo: { ...mail.replyTo } } : {}),
        ...(mail.attachments
          ? {
              attachments: mail.attachments.map((attachment) => ({
                ...attachment,
                filename: safeFileName(attachment.filename),
              })),
            }
          : {}),
        to: { name: mail.to.name, address: mail.to.address },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.messageId}@${options.domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      });
      await sending.then(
        () => emailsTotal.inc({ kind: mail.kind, outcome: 'sent' }),
        (error: unknown) => {
          emailsTotal.inc({
            kind: mail.kind,
            outcome: classifySmtpError(error) === 'permanent' ? 'rejected' : 'deferred',
          });
          throw withoutServerText(error as Error);
        },
      );
    },
    close: () => transport.close(),
  };
}

/** Splits "Lessonbook <book@lessonbook.example>" into a name and an address. */
function parseSender(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^\s*(.*?)\s*<([^>]+)>\s*$/.exec(from) ?? [];
  return { name: name.replaceAll('"', ''), address };
}

/** Mail servers quote the recipient's address in their responses, which must not be logged or stored with the job. */
function withoutServerText(error: Error & Partial<SmtpError>): Error {
  const { message, response = '', responseCode, code, command } = error;
  const [, enhancedCode = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const text =
    responseCode === undefined
      ? message.replaceAll(/\S+@\S+/g, '(address)')
      : `The mail server answered ${responseCode} ${enhancedCode} to ${command}`;
  return Object.assign(new Error(text), { responseCode, code });
}

interface SmtpError {
  response: string;
  responseCode: number;
  code: string;
  command: string;
}

export type SmtpFailure = 'permanent' | 'transient';

export function classifySmtpError(error: unknown): SmtpFailure {
  const code = (error as { responseCode?: number }).responseCode ?? 0;
  return code >= 500 && code < 600 ? 'permanent' : 'transient';
}

/** If there was no response because the connection was lost, the server may have accepted the email. */
export const hasSmtpResponse = (error: unknown): boolean =>
  (error as { responseCode?: number }).responseCode !== undefined;
