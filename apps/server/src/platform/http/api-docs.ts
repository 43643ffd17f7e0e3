import type { Endpoint } from '@lessonbook/contract/endpoint';
import { escapeHtml } from './escape-html.ts';

type SchemaOf = (schema: NonNullable<Endpoint['body']>) => object;

/** Renders the API documentation as plain HTML without scripts, so that the content security policy can stay strict. */
export function renderApiDocs(endpoints: readonly Endpoint[], schemaOf: SchemaOf): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lessonbook API</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Lessonbook API</h1>
<p>JSON over HTTPS. The same description for machines: <a href="/api/openapi.json">openapi.json</a>.
Calls marked “login” need the cookie that logging in sets. Calls that change something must come from the app’s own origin.
The body of an error is <code>{ code, message, fields? }</code>.</p>
${endpoints.map((endpoint) => renderEndpoint(endpoint, schemaOf)).join('\n')}
</main>
</body>
</html>
`;
}

function renderEndpoint(endpoint: Endpoint, schemaOf: SchemaOf): string {
  const part = (title: string, schema: Endpoint['body']) =>
    schema
      ? `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(schemaOf(schema), null, 2))}</pre></details>`
      : '';
  return `<section>
<h2><code>${endpoint.method} ${escapeHtml(endpoint.path.replace(/:(\w+)/g, '{$1}'))}</code> <span>${endpoint.access}</span></h2>
<p>${escapeHtml(endpoint.summary)}</p>
${part('Parameters', endpoint.params)}${part('Query', endpoint.query)}${part('Body', endpoint.body)}${part(`Reply ${endpoint.status ?? 200}`, endpoint.reply)}
</section>`;
}

const style = `
:root { color-scheme: light dark; --paper: #f5f7f2; --sheet: #fff; --line: #e4e8df; --ink: #16221c; --quiet: #53605a; --board: #1a543f; }
@media (prefers-color-scheme: dark) { :root { --paper: #111a16; --sheet: #18231e; --line: #233029; --ink: #e8efea; --quiet: #a8b7ae; --board: #a9d6c0; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 40px 20px; }
a { color: var(--board); }
section { margin: 16px 0; padding: 16px 20px; background: var(--sheet); border: 1px solid var(--line); border-radius: 16px; }
h2 { margin: 0; font-size: 1rem; display: flex; gap: 12px; justify-content: space-between; flex-wrap: wrap; }
h2 span { color: var(--quiet); font-weight: 400; }
p { margin: 8px 0; } section p { color: var(--quiet); }
summary { cursor: pointer; padding: 6px 0; color: var(--board); } pre { overflow-x: auto; font-size: 13px; }
`;
