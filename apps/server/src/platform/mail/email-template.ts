/** One letter in two forms. No images, one button, its address as text, dark declared. */
export interface EmailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  /** What follows the button. */
  readonly afterButton?: readonly string[];
  readonly closing: readonly string[];
  /** The words of the plain form, where they are not the paragraphs. */
  readonly plainText?: string;
  /** A small way out at the very end. */
  readonly footer?: { readonly label: string; readonly url: string };
}

export function renderEmail(email: EmailContent): { subject: string; text: string; html: string } {
  return { subject: email.subject, text: renderText(email), html: renderHtml(email) };
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function renderText(email: EmailContent): string {
  const { button: link, footer: out } = email;
  const words = email.plainText
    ? [email.plainText]
    : [
        ...email.paragraphs,
        ...(link ? [`${link.label}:\n${link.url}`] : []),
        ...(email.afterButton ?? []),
        email.closing.join('\n'),
      ];
  return `${[...words, ...(out ? [`${out.label}:\n${out.url}`] : [])].join('\n\n')}\n`;
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
  const address = escapeHtml(url);
  return `<p style="margin:24px 0 12px"><a class="button" href="${address}" style="display:inline-block;padding:13px 22px;border-radius:11px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="quiet" style="margin:0 0 24px;font-size:13px;word-break:break-all">${address}</p>`;
}

function renderFooter({ label, url }: { label: string; url: string }): string {
  return `<p class="quiet" style="margin:32px 0 0;font-size:13px"><a class="quiet" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
}
