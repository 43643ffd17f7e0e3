export type Form = { [name: string]: FormValue };
export type FormValue = string | Form | FormValue[];

/** Reads `line_items[0][price_data][currency]=gbp`, as v1 takes it in bodies and both versions in queries. */
export function parseForm(text: string): Form {
  const root: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    place(root, keysOf(name), value);
  }
  return withArrays(root) as Form;
}

function keysOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open < 0) return [name];
  const inner = [...name.slice(open).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  return [name.slice(0, open), ...inner];
}

function place(root: Form, keys: string[], value: string): void {
  let here = root;
  keys.slice(0, -1).forEach((key) => {
    const name = key === '' ? String(Object.keys(here).length) : key;
    const existing = Object.hasOwn(here, name) ? here[name] : undefined;
    if (typeof existing === 'object' && !Array.isArray(existing)) {
      here = existing;
      return;
    }
    const made: Form = emptyForm();
    here[name] = made;
    here = made;
  });
  const last = keys.at(-1) ?? '';
  here[last === '' ? String(Object.keys(here).length) : last] = value;
}

/** Without a prototype: a name such as `__proto__` is then a name like any other. */
function emptyForm(): Form {
  return Object.create(null) as Form;
}

/** Only now is it known which brackets counted up from nought. */
function withArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const counts = entries.length > 0 && entries.every(([key], index) => key === String(index));
  if (counts) return entries.map(([, each]) => withArrays(each));
  return Object.fromEntries(entries.map(([key, each]) => [key, withArrays(each)]));
}
