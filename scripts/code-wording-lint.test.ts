import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkWording, type WordingConfig } from './code-wording-lint/check-wording.ts';
import { extractTexts } from './code-wording-lint/extract-texts.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plain-language-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const config: WordingConfig = { ambiguousLimit: 0, exceptions: [], retiredPaths: [] };

function check(files: Record<string, string>, changes: Partial<WordingConfig> = {}) {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
  return checkWording(root, Object.keys(files), { ...config, ...changes }).problems;
}

test('reads identifiers, comments and test titles, but no other strings', () => {
  const source = [
    '// One comment',
    "test('a title', () => {",
    "  const someName = 'a message for the user';",
    '});',
  ].join('\n');

  expect(extractTexts('a.test.ts', source)).toEqual([
    { kind: 'comment', text: ' one comment', line: 1 },
    { kind: 'test title', text: 'a title', line: 2 },
    { kind: 'identifier', text: 'test', line: 2 },
    { kind: 'identifier', text: 'some name', line: 3 },
  ]);
});

test.each([
  ['a comment', '// Works by itself.'],
  ['a comment over two lines', '/**\n * Works by\n * itself.\n */'],
  ['a camel-case name', 'const sentByItself = 1;'],
  ['a constant', 'const BY_ITSELF = 1;'],
  ['a property', 'const x = { byItself: 1 };'],
  ['a component', 'const x = () => <ByItself />;'],
  ['a test title', "test('works by itself', () => {});"],
  ['the title of a group', "describe('by itself', () => {});"],
  ['the title of a parameterised test', "test.each([1])('by itself %s', () => {});"],
])('finds a banned phrase in %s', (_, source) => {
  expect(check({ 'a.tsx': source })).toEqual([expect.stringMatching(/^a\.tsx:\d .*"by itself"$/)]);
});

test.each([
  ['an element', 'const x = () => <p>Kept in your book</p>;'],
  ['a string', "const x = 'Kept in your book';"],
  ['a template', 'const x = `Kept in your book, ${name}`;'],
])('finds a phrase that is banned from UI text in %s', (_, source) => {
  const path = 'apps/web/src/a.tsx';
  expect(check({ [path]: source })).toEqual([`${path}:1 UI text: "your book"`]);
  expect(check({ 'apps/web/src/a.test.tsx': source })).toEqual([]);
  expect(check({ 'scripts/a.tsx': source })).toEqual([]);
});

test('finds a banned phrase in a file name', () => {
  expect(check({ 'src/by-itself.ts': '' })).toEqual(['src/by-itself.ts:1 file name: "by itself"']);
});

test('matches a banned phrase only as whole words', () => {
  expect(check({ 'a.ts': '// A knockout. Standby itself.' })).toEqual([]);
});

test('an exception covers one phrase in one file, and an unused exception is a problem', () => {
  const exceptions = [{ path: 'a.ts', phrase: 'knock', reason: 'A quotation.' }];
  const source = '// knock';
  expect(check({ 'a.ts': source }, { exceptions })).toEqual([]);
  expect(check({ 'b.ts': source }, { exceptions })).toEqual([
    'b.ts:1 comment: "knock"',
    'The exception for "knock" in a.ts is no longer needed',
  ]);
});

test('at most 30 exceptions are allowed', () => {
  const files = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`${i}.ts`, '// knock']));
  const exceptions = Object.keys(files).map((path) => ({ path, phrase: 'knock', reason: 'x' }));
  expect(check(files, { exceptions })).toEqual(['31 exceptions; at most 30 are allowed']);
});

test('the number of ambiguous words may not rise', () => {
  const files = { 'a.ts': '// Nobody hears it; somebody told us.' };
  expect(check(files, { ambiguousLimit: 3 })).toEqual([]);
  expect(check(files, { ambiguousLimit: 2 })).toEqual(['3 ambiguous words; the limit is 2']);
});

test('reports a retired path that exists again', () => {
  expect(check({ 'src/come-in.ts': '' }, { retiredPaths: ['src/come-in.ts'] })).toEqual([
    'src/come-in.ts: this name was retired',
  ]);
});

test('reads the prose of a Markdown file, without code and quoted UI text', () => {
  const page = [
    '# Title',
    '',
    'It runs by',
    'itself: `whoever` "by itself"',
    '',
    '```',
    'knock',
    '```',
  ];
  expect(check({ 'docs/page.md': page.join('\n') })).toEqual([
    'docs/page.md:2 paragraph: "by itself"',
  ]);
});
