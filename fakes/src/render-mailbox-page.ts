import type { Mail } from './parse-mail.ts';

/** Renders the list of emails, newest first, and the opened email. */
export function renderMailboxPage(emails: readonly Mail[], opened: Mail | undefined): string {
  const newestFirst = emails.toReversed();
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${opened ? '' : '<meta http-equiv="refresh" content="3">'}
<title>Mailbox (${emails.length})</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Mailbox</h1><p>${emails.length === 1 ? '1 email' : `${emails.length} emails`}, not forwarded.</p></header>
<main>
<nav aria-label="Emails">${renderList(newestFirst, opened)}</nav>
<article>${opened ? renderMail(opened) : '<p class="quiet">Choose an email on the left.</p>'}</article>
</main>
</body>
</html>
`;
}

function renderList(emails: readonly Mail[], opened: Mail | undefined): string {
  if (emails.length === 0) return '<p class="quiet">No emails yet.</p>';
  const items = emails.map((mail) => {
    const current = mail.id === opened?.id ? ' aria-current="page"' : '';
    return `<li><a href="/?mail=${mail.id}"${current}>
<strong>${escapeHtml(mail.subject || '(no subject)')}</strong>
<span>${escapeHtml(mail.to.join(', '))}</span>
<time>${escapeHtml(formatTimeOfDay(mail.receivedAt))}</time>
</a></li>`;
  });
  return `<ol>${items.join('\n')}</ol>`;
}

function renderMail(mail: Mail): string {
  const fields: Array<[string, string]> = [
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Reply-To', mail.replyTo.join(', ')],
    ['Received', mail.receivedAt],
    ['Message-ID', mail.messageId],
    ['Attachments', mail.attachments.map((each) => each.filename).join(', ')],
  ];
  const rows = fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);

  return `<h2>${escapeHtml(mail.subject || '(no subject)')}</h2>
<dl>${rows.join('')}</dl>
${mail.html === '' ? '' : `<h3>HTML</h3>${renderFrame(mail.html)}`}
${mail.text === '' ? '' : `<h3>Text</h3><pre>${escapeHtml(mail.text)}</pre>`}`;
}

/** The sandbox blocks scripts and access to this page; links open in a new, unsandboxed tab. */
function renderFrame(html: string): string {
  const document = escapeHtml(`<base target="_blank">${html}`);
  const permissions = 'allow-popups allow-popups-to-escape-sandbox';
  return `<iframe title="HTML part" sandbox="${permissions}" srcdoc="${document}"></iframe>`;
}

function formatTimeOfDay(isoTime: string): string {
  return isoTime.slice(11, 19);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --accent: #4263eb; --quiet: #868e96; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; gap: 1rem; align-items: baseline; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
header p, .quiet { margin: 0; color: var(--quiet); }
h1 { font-size: 1.15rem; margin: 0; } h2 { font-size: 1.3rem; margin: 0 0 .5rem; }
h3 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--quiet); margin: 1.25rem 0 .4rem; }
main { display: grid; grid-template-columns: minmax(15rem, 22rem) 1fr; min-height: calc(100vh - 3.2rem); }
nav { border-right: 1px solid var(--line); } nav p { padding: 1rem 1.25rem; }
nav ol { list-style: none; margin: 0; padding: 0; }
nav a { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; padding: .65rem 1.25rem; color: inherit; text-decoration: none; border-bottom: 1px solid var(--line); }
nav a strong { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; grid-column: 1 / -1; }
nav a span, nav a time { color: var(--quiet); font-size: .87rem; overflow: hidden; text-overflow: ellipsis; }
nav a:hover, nav a[aria-current] { background: #4263eb18; box-shadow: inset 3px 0 var(--accent); }
article { padding: 1.25rem 1.5rem; min-width: 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; margin: 0; } dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 26rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; color-scheme: light; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 0; }
@media (max-width: 45rem) { main { grid-template-columns: 1fr; } nav { border-right: 0; } }
`;
