import type { Endpoint } from '@lessonbook/contract/endpoint';
import { escapeHtml } from './escape-html.ts';

type ToJsonSchema = (schema: NonNullable<Endpoint['body']>) => object;

/** Renders the API documentation as plain HTML without scripts, so that the content security policy can stay strict. */
export function renderApiDocs(endpoints: readonly Endpoint[], toJsonSchema: ToJsonSchema): string {
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
<p>JSON over HTTPS. The machine-readable description is <a href="/api/openapi.json">openapi.json</a>.
Endpoints marked “login” require the login cookie. Those marked “recent-auth” also require that the tutor has logged in or
reauthenticated (<code>/api/reauthenticate</code>) in the last ten minutes; otherwise the error code is <code>confirmation_needed</code>. Requests that change data must have an <code>Origin</code> header containing the web app's address.
The response to a change has the header <code>x-revision</code>: the tutor's revision, as in <code>/api/me</code>. The body of an error response is <code>{ code, message, fields? }</code>.</p>
${endpoints.map((endpoint) => renderEndpoint(endpoint, toJsonSchema)).join('\n')}
</main>
</body>
</html>
`;
}

function renderEndpoint(endpoint: Endpoint, toJsonSchema: ToJsonSchema): string {
  const renderSchema = (title: string, schema: Endpoint['body']) =>
    schema
      ? `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(toJsonSchema(schema), null, 2))}</pre></details>`
      : '';
  return `<section>
<h2><code>${endpoint.method} ${escapeHtml(endpoint.path.replace(/:(\w+)/g, '{$1}'))}</code> <span>${[endpoint.access, endpoint.requires].filter(Boolean).join(', ')}</span></h2>
<p>${escapeHtml(endpoint.summary)}</p>
${renderSchema('Parameters', endpoint.params)}${renderSchema('Query', endpoint.query)}${renderSchema('Body', endpoint.body)}${renderSchema(`Response ${endpoint.status ?? 200}`, endpoint.reply)}
</section>`;
}

const style = `
:root { color-scheme: light dark; --background: #f5f7f2; --surface: #fff; --border: #e4e8df; --text: #16221c; --muted: #53605a; --accent: #1a543f; }
@media (prefers-color-scheme: dark) { :root { --background: #111a16; --surface: #18231e; --border: #233029; --text: #e8efea; --muted: #a8b7ae; --accent: #a9d6c0; } }
body { margin: 0; background: var(--background); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 40px 20px; }
a { color: var(--accent); }
section { margin: 16px 0; padding: 16px 20px; background: var(--surface); border: 1px solid var(--border); border-radius: 16px; }
h2 { margin: 0; font-size: 1rem; display: flex; gap: 12px; justify-content: space-between; flex-wrap: wrap; }
h2 span { color: var(--muted); font-weight: 400; }
p { margin: 8px 0; } section p { color: var(--muted); }
summary { cursor: pointer; padding: 6px 0; color: var(--accent); } pre { overflow-x: auto; font-size: 13px; }
`;
