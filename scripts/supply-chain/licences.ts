import { externalPackages, type Lock, packageName } from './lock.ts';

/** Ask for no more than to be named. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Others, each with the licence that it must keep and the reason why it may stay. */
const EXCEPTIONS: readonly [RegExp, string, string][] = [
  [/^@fontsource(-variable)?\//, 'OFL-1.1', 'a font, shipped as it is and sold by nobody'],
  [/^dejavu-fonts-ttf$/, 'SEE LICENSE IN README.md AND LICENSE', 'Bitstream Vera: free to embed'],
  [/^png-js$/, 'none', 'MIT in its LICENSE file; the field is missing'],
  [/^url-template$/, 'BSD', 'BSD-3-Clause in its LICENSE file'],
  [
    /^lightningcss(-[\w-]+)?$/,
    'MPL-2.0',
    'Vite’s, builds the style sheets; nothing of it is shipped',
  ],
  [/^(@axe-core\/playwright|axe-core)$/, 'MPL-2.0', 'browser tests; nothing of it is shipped'],
  [/^ical\.js$/, 'MPL-2.0', 'reads calendars in tests; nothing of it is shipped'],
];

export function licenceProblems(lock: Lock): string[] {
  return externalPackages(lock).flatMap(([path, { license = 'none' }]) => {
    const name = packageName(path);
    if (isAllowed(license)) return [];
    if (EXCEPTIONS.some(([who, what]) => who.test(name) && what === license)) return [];
    return [`${name} is under "${license}", which is not on the list`];
  });
}

function isAllowed(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => ALLOWED.has(each.trim())));
}
