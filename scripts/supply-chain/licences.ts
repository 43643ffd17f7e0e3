import { externalPackages, type Lockfile, packageName } from './lockfile.ts';

/** Permissive licences, which require at most attribution. */
const ALLOWED_LICENCES = new Set([
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

/** Exceptions: package, licence and reason. */
const LICENCE_EXCEPTIONS: readonly [RegExp, string, string][] = [
  [/^@fontsource(-variable)?\//, 'OFL-1.1', 'a font, shipped unmodified and not sold'],
  [/^dejavu-fonts-ttf$/, 'SEE LICENSE IN README.md AND LICENSE', 'Bitstream Vera: free to embed'],
  [/^png-js$/, 'none', 'MIT in its LICENSE file; the field is missing'],
  [/^url-template$/, 'BSD', 'BSD-3-Clause in its LICENSE file'],
  [/^lightningcss(-[\w-]+)?$/, 'MPL-2.0', 'a build dependency of Vite; not shipped'],
  [/^axe-core$/, 'MPL-2.0', 'browser tests; not shipped'],
  [/^ical\.js$/, 'MPL-2.0', 'used unmodified, on the server only'],
  [/^ibantools$/, 'MIT or MPL-2.0', 'MIT is one of the two'],
];

export function licenceProblems(lock: Lockfile): string[] {
  return externalPackages(lock).flatMap(([path, { license = 'none' }]) => {
    const name = packageName(path);
    if (isAllowed(license)) return [];
    if (LICENCE_EXCEPTIONS.some(([pattern, allowed]) => pattern.test(name) && allowed === license))
      return [];
    return [`${name} has the licence "${license}", which is not allowed`];
  });
}

function isAllowed(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => ALLOWED_LICENCES.has(each.trim())));
}
