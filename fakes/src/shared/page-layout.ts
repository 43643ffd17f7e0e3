export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A centred, phone-width page without scripts. The banner marks the page as a fake. */
export function renderLayout(banner: string, title: string, content: string): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<p class="mode">${banner}</p>
<main>
${content}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light; --ink: #1a1f36; --quiet: #5b6478; --line: #d5dbe5; --accent: #4b45d6; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #f4f6fa; }
.mode { margin: 0; padding: .4rem 1rem; text-align: center; font-size: .85rem; background: #ffe8b3; }
main { width: min(28rem, 100%); margin: 1.5rem auto; padding: 1.5rem; background: #fff; border: 1px solid var(--line); border-radius: 12px; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
.sum { font-size: 2rem; font-weight: 650; margin: 0; }
.quiet, .quiet a { color: var(--quiet); font-size: .9rem; }
ul.lines { list-style: none; margin: 1rem 0; padding: 0; border-top: 1px solid var(--line); }
ul.lines li { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
label { display: block; margin: .75rem 0 .25rem; font-size: .9rem; font-weight: 550; }
input { width: 100%; padding: .6rem .75rem; font: inherit; border: 1px solid #8792a8; border-radius: 8px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
button { width: 100%; min-height: 44px; margin-top: .9rem; padding: .6rem 1rem; font: inherit; font-weight: 600; color: #fff; background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; cursor: pointer; }
button.second { color: var(--ink); background: #fff; border-color: #8792a8; font-weight: 500; }
:focus-visible { outline: 3px solid #4b45d688; outline-offset: 2px; }
[role=alert] { margin: 1rem 0 0; padding: .6rem .75rem; color: #8a1121; background: #fdecee; border-radius: 8px; }
h2 { font-size: 1rem; margin: 1.75rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1rem 0 0; } h3 + p { margin: 0; }
details { margin-top: 1.25rem; font-size: .9rem; } summary { cursor: pointer; }
code { font-size: .9em; white-space: nowrap; }
`;
