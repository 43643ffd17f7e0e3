import { escapeHtml } from '../http/escape-html.ts';

/** Rendered as HTML and as plain text, without images; supports dark mode. */
export interface EmailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly afterButton?: readonly string[];
  readonly closing: readonly string[];
  /** Used instead of the paragraphs in the plain-text part. */
  readonly plainText?: string;
  /** A small link at the end, for example to unsubscribe. */
  readonly footer?: { readonly label: string; readonly url: string };
}

export function renderEmail(email: EmailContent): { subject: string; text: string; html: string } {
  return { subject: email.subject, text: renderText(email), html: renderHtml(email) };
}

function renderText(email: EmailContent): string {
  const { button, footer } = email;
  const blocks = email.plainText
    ? [email.plainText]
    : [
        ...email.paragraphs,
        ...(button ? [`${button.label}:\n${button.url}`] : []),
        ...(email.afterButton ?? []),
        email.closing.join('\n'),
      ];
  return `${[...blocks, ...(footer ? [`${footer.label}:\n${footer.url}`] : [])].join('\n\n')}\n`;
}

function renderHtml(email: EmailContent): string {
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(email.subject)}</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; background: #f5f7f2; color: #16221c; }
  .button { background: #1f5f48; color: #ffffff; }
  .quiet { color: #53605a; }
  @media (prefers-color-scheme: dark) {
    body { background: #111a16; color: #e8efea; }
    .button { background: #90c2aa; color: #0b241a; }
    .quiet { color: #a8b7ae; }
  }
</style>
</head>
<body>
<div style="max-width:480px;margin:0 auto;padding:32px 24px;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
${email.paragraphs.map(paragraph).join('\n')}
${email.button ? renderButton(email.button) : ''}
${(email.afterButton ?? []).map(paragraph).join('\n')}
${email.closing.map((line) => `<p class="quiet" style="margin:0">${escapeHtml(line)}</p>`).join('\n')}
${email.footer ? renderFooter(email.footer) : ''}
</div>
</body>
</html>
`;
}

function renderButton({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url);
  return `<p style="margin:24px 0 12px"><a class="button" href="${href}" style="display:inline-block;padding:13px 22px;border-radius:11px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="quiet" style="margin:0 0 24px;font-size:13px;word-break:break-all">${href}</p>`;
}

function renderFooter({ label, url }: { label: string; url: string }): string {
  return `<p class="quiet" style="margin:32px 0 0;font-size:13px"><a class="quiet" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
}
