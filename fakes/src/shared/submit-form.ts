/** Fills in a form of a page and presses one of its buttons, as a browser would. */
export async function submitForm(
  pageUrl: string,
  html: string,
  button: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const pressed = new RegExp(`<button[^>]*name="(\\w+)" value="([^"]+)">${button}`).exec(html);
  if (!pressed?.[1] || !pressed[2]) throw new Error(`There is no button "${button}"`);
  const before = html.slice(0, pressed.index);
  const action = /action="([^"]+)"/.exec(before.slice(before.lastIndexOf('<form')))?.[1] ?? '';
  const form = before.slice(before.lastIndexOf('<form'));
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const body = new URLSearchParams([
    ...hidden.map((match) => [match[1] ?? '', match[2] ?? ''] as [string, string]),
    ...Object.entries(fields),
    [pressed[1], pressed[2]],
  ]);
  return fetch(new URL(action, pageUrl), { method: 'POST', body, redirect: 'manual' });
}
