/** Submits a form on an HTML page with one of its buttons, as a browser would. */
export async function submitForm(
  pageUrl: string,
  html: string,
  button: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const match = new RegExp(`<button[^>]*name="(\\w+)" value="([^"]+)">${button}`).exec(html);
  if (!match?.[1] || !match[2]) throw new Error(`No button "${button}"`);
  const before = html.slice(0, match.index);
  const action = /action="([^"]+)"/.exec(before.slice(before.lastIndexOf('<form')))?.[1] ?? '';
  const form = before.slice(before.lastIndexOf('<form'));
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const body = new URLSearchParams([
    ...hidden.map((field) => [field[1] ?? '', field[2] ?? ''] as [string, string]),
    ...Object.entries(fields),
    [match[1], match[2]],
  ]);
  return fetch(new URL(action, pageUrl), { method: 'POST', body, redirect: 'manual' });
}
