export type Form = { [name: string]: FormValue };
export type FormValue = string | Form | FormValue[];

/** Parses `line_items[0][price_data][currency]=gbp`, the format of v1 request bodies and of query strings in v1 and v2. */
export function parseForm(text: string): Form {
  const root: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    setValue(root, parseKeys(name), value);
  }
  return withArrays(root) as Form;
}

function parseKeys(name: string): string[] {
  const open = name.indexOf('[');
  if (open < 0) return [name];
  const inner = [...name.slice(open).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  return [name.slice(0, open), ...inner];
}

function setValue(root: Form, keys: string[], value: string): void {
  let node = root;
  keys.slice(0, -1).forEach((key) => {
    const name = key === '' ? String(Object.keys(node).length) : key;
    const existing = Object.hasOwn(node, name) ? node[name] : undefined;
    if (typeof existing === 'object' && !Array.isArray(existing)) {
      node = existing;
      return;
    }
    const child: Form = createEmptyForm();
    node[name] = child;
    node = child;
  });
  const last = keys.at(-1) ?? '';
  node[last === '' ? String(Object.keys(node).length) : last] = value;
}

/** Without a prototype, so that `__proto__` is an ordinary key. */
function createEmptyForm(): Form {
  return Object.create(null) as Form;
}

/** Converts objects with the keys 0, 1, 2 … to arrays, once all keys are known. */
function withArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const isArray = entries.length > 0 && entries.every(([key], index) => key === String(index));
  if (isArray) return entries.map(([, each]) => withArrays(each));
  return Object.fromEntries(entries.map(([key, each]) => [key, withArrays(each)]));
}
