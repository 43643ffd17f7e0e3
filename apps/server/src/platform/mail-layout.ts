/** One letter in two forms. No images, one button, its address as text, dark declared. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  /** What follows the button. */
  readonly after?: readonly string[];
  readonly closing: readonly string[];
  /** The words of the plain form, where they are not the paragraphs. */
  readonly plain?: string;
  /** A small way out at the very end. */
  readonly footer?: { readonly label: string; readonly url: string };
}

export function renderLetter(letter: Letter): { subject: string; text: string; html: string } {
  return { subject: letter.subject, text: plain(letter), html: page(letter) };
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

function plain(letter: Letter): string {
  const { button: link, footer: out } = letter;
  const words = letter.plain
    ? [letter.plain]
    : [
        ...letter.paragraphs,
        ...(link ? [`${link.label}:\n${link.url}`] : []),
        ...(letter.after ?? []),
        letter.closing.join('\n'),
      ];
  return `${[...words, ...(out ? [`${out.label}:\n${out.url}`] : [])].join('\n\n')}\n`;
}

function page(letter: Letter): string {
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(letter.subject)}</title>
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
${letter.paragraphs.map(paragraph).join('\n')}
${letter.button ? button(letter.button) : ''}
${(letter.after ?? []).map(paragraph).join('\n')}
${letter.closing.map((line) => `<p class="quiet" style="margin:0">${escapeHtml(line)}</p>`).join('\n')}
${letter.footer ? footer(letter.footer) : ''}
</div>
</body>
</html>
`;
}

function button({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url);
  return `<p style="margin:24px 0 12px"><a class="button" href="${address}" style="display:inline-block;padding:13px 22px;border-radius:11px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="quiet" style="margin:0 0 24px;font-size:13px;word-break:break-all">${address}</p>`;
}

function footer({ label, url }: { label: string; url: string }): string {
  return `<p class="quiet" style="margin:32px 0 0;font-size:13px"><a class="quiet" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
}
