import { escapeHtml } from '../http/escape-html.ts';

/** One line of a list, such as a lesson or a charge. */
export interface EmailRow {
  /** The left column: a child or a date; empty if there is none. */
  readonly label: string;
  readonly title: string;
  readonly detail: string;
  /** The right column; empty if there is none. */
  readonly amount: string;
}

/** A paragraph, or a list with columns. */
export type EmailBlock = string | readonly EmailRow[];

/** Rendered as HTML and as plain text, without images; supports dark mode and narrow screens. */
export interface EmailContent {
  readonly subject: string;
  readonly paragraphs: readonly EmailBlock[];
  /** A large amount after the second paragraph. */
  readonly figure?: string;
  readonly button?: { readonly label: string; readonly url: string };
  readonly afterButton?: readonly EmailBlock[];
  readonly closing: readonly string[];
  /** Used instead of the paragraphs in the plain-text part. */
  readonly plainText?: string;
  /** Below the card: who sent it, and a small link, for example to unsubscribe. */
  readonly footer?: { readonly text: string; readonly label: string; readonly url: string };
}

export function renderEmail(email: EmailContent): { subject: string; text: string; html: string } {
  return { subject: email.subject, text: renderText(email), html: renderHtml(email) };
}

function renderText(email: EmailContent): string {
  const { button, footer } = email;
  const blocks = email.plainText
    ? [email.plainText]
    : [
        ...email.paragraphs.map(toText),
        ...(button ? [`${button.label}:\n${button.url}`] : []),
        ...(email.afterButton ?? []).map(toText),
        email.closing.join('\n'),
      ];
  const footerBlock = footer
    ? [`-- \n${footer.text}\n${footer.label}${footer.label.endsWith('?') ? '' : ':'} ${footer.url}`]
    : [];
  return `${[...blocks, ...footerBlock].join('\n\n')}\n`;
}

const toText = (block: EmailBlock): string =>
  typeof block === 'string'
    ? block
    : block
        .map((row) => [row.label, row.title, row.detail, row.amount].filter(Boolean).join(', '))
        .join('\n');

/* Inline colours are for light mode and for email clients that ignore the style sheet; the classes set the dark-mode colours. */
const INK = 'color:#16221c';
const QUIET = 'color:#53605a';
const RULE = '#e3e8df';
const MARGIN_RULE = '#eab8ae';

const STYLES = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) { .page { padding: 16px 12px !important; } .card { padding: 22px 20px !important; } }
  @media (prefers-color-scheme: dark) {
    .body { background: #111a16 !important; }
    .card { background: #18231e !important; border-color: #2c3b34 !important; }
    .ink { color: #e8efea !important; }
    .quiet { color: #a8b7ae !important; }
    .rule { border-color: #2c3b34 !important; }
    .margin { border-left-color: #7d4b43 !important; }
    .button { background: #90c2aa !important; color: #0b241a !important; }
  }`;

function renderHtml(email: EmailContent): string {
  const [greeting = '', ...rest] = email.paragraphs;
  const [introduction, ...others] = rest;
  const figure = email.figure ? renderFigure(email.figure) : '';
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(email.subject)}</title>
<style>${STYLES}
</style>
</head>
<body class="body" style="margin:0;padding:0;background:#f5f7f2">
<div class="page" style="max-width:520px;margin:0 auto;padding:28px 16px;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div class="card ink" style="background:#ffffff;border:1px solid ${RULE};border-radius:18px;padding:28px 30px;${INK}">
${renderBlock(greeting)}
${introduction === undefined ? '' : renderBlock(introduction)}
${figure}
${others.map(renderBlock).join('\n')}
${email.button ? renderButton(email.button) : ''}
${(email.afterButton ?? []).map(renderBlock).join('\n')}
<p class="ink" style="margin:0;${INK}">${email.closing.map(escapeHtml).join('<br>')}</p>
</div>
${email.footer ? renderFooter(email.footer) : ''}
</div>
</body>
</html>
`;
}

const renderBlock = (block: EmailBlock): string =>
  typeof block === 'string'
    ? `<p class="ink" style="margin:0 0 16px;${INK};overflow-wrap:anywhere">${escapeHtml(block).replaceAll('\n', '<br>')}</p>`
    : renderRows(block);

function renderRows(rows: readonly EmailRow[]): string {
  const border = `border-top:1px solid ${RULE}`;
  const cell = 'padding:10px 0;vertical-align:top';
  const hasLabels = rows.some(({ label }) => label !== '');
  const renderRow = ({ label, title, detail, amount }: EmailRow) => `<tr>
${hasLabels ? `<td class="ink rule" style="${cell};${border};${INK};font-weight:600;padding-right:12px;width:24%">${escapeHtml(label)}</td>` : ''}
<td class="ink rule margin" style="${cell};${border};${INK};padding-left:12px;border-left:2px solid ${MARGIN_RULE}"><strong>${escapeHtml(title)}</strong>${detail ? `<br><span class="quiet" style="${QUIET}">${escapeHtml(detail)}</span>` : ''}</td>
<td class="ink rule" style="${cell};${border};${INK};font-weight:600;padding-left:12px;text-align:right;white-space:nowrap">${escapeHtml(amount)}</td>
</tr>`;
  return `<table role="presentation" cellspacing="0" cellpadding="0" style="width:100%;border-collapse:collapse;margin:0 0 20px;font-size:15px;line-height:1.5">
${rows.map(renderRow).join('\n')}
</table>`;
}

const renderFigure = (figure: string): string =>
  `<p class="ink" style="margin:0 0 16px;font-size:34px;line-height:1.2;font-weight:700;${INK}">${escapeHtml(figure)}</p>`;

function renderButton({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url);
  return `<p style="margin:8px 0 8px"><a class="button" href="${href}" style="display:block;padding:13px 22px;border-radius:11px;background:#1f5f48;color:#ffffff;font-weight:600;text-align:center;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="quiet" style="margin:0 0 20px;font-size:13px;${QUIET};overflow-wrap:anywhere">${href}</p>`;
}

const renderFooter = ({
  text,
  label,
  url,
}: NonNullable<EmailContent['footer']>): string => `<div style="padding:14px 6px 0;font-size:13px">
<p class="quiet" style="margin:0 0 6px;${QUIET}">${escapeHtml(text)}</p>
<p style="margin:0"><a class="quiet" href="${escapeHtml(url)}" style="${QUIET}">${escapeHtml(label)}</a></p>
</div>`;
