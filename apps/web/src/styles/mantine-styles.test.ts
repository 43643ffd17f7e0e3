import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/* Without its style sheet, a Mantine component is shown as plain HTML: `Stack` as a block, `Radio` as the browser's own. */

const STYLES = 'node_modules/@mantine/core/styles';
/** Components that use other components, whose style sheets they also need. */
const PARTS: Record<string, string[]> = {
  Autocomplete: ['Combobox', 'Input'],
  Checkbox: ['InlineInput'],
  MultiSelect: ['Combobox', 'Input', 'Pill', 'PillsInput'],
  NativeSelect: ['Input'],
  PasswordInput: ['Input'],
  Radio: ['InlineInput'],
  Select: ['Combobox', 'Input'],
  Switch: ['InlineInput'],
  Textarea: ['Input'],
  TextInput: ['Input'],
};

const sources = globSync('apps/web/src/**/*.{ts,tsx,css}').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));
const imported = new Set(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/'@mantine\/core\/styles\/(\w+)\.layer\.css'/g)].map(([, name]) => name),
  ),
);

const stylesOf = (component: string): string[] =>
  [component, ...(PARTS[component] ?? [])].filter((name) =>
    existsSync(`${STYLES}/${name}.layer.css`),
  );

test('the style sheet of every Mantine component in use is imported', () => {
  const components = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => !name.startsWith('type '))
        .map((name) => ({ path, name })),
    ),
  );
  expect(components.length).toBeGreaterThan(100);
  const missing = components.flatMap(({ path, name }) =>
    stylesOf(name)
      .filter((style) => !imported.has(style))
      .map((style) => `${path}: ${name} needs @mantine/core/styles/${style}.layer.css`),
  );
  expect(missing).toEqual([]);
});
