import { parseSync, Visitor } from 'oxc-parser';

export interface CodeText {
  kind: 'identifier' | 'comment' | 'test title' | 'paragraph' | 'UI text';
  /** In lower case, with identifiers split into words. */
  text: string;
  line: number;
}

/** Extracts the names, comments and test titles from a source file, and the text it shows to users. */
export function extractTexts(path: string, source: string): CodeText[] {
  if (path.endsWith('.md')) return extractParagraphs(source);
  const { program, comments } = parseSync(path, source);
  const texts: CodeText[] = [];
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map((match) => match.index + 1)];
  const lineAt = (offset: number) => lineStarts.findLastIndex((start) => start <= offset) + 1;
  const add = (kind: CodeText['kind'], text: string, offset: number) =>
    texts.push({ kind, text, line: lineAt(offset) });

  for (const comment of comments) {
    add('comment', normalizeProse(comment.value), comment.start);
  }
  const addName = (node: { name: string; start: number }) =>
    add('identifier', splitIdentifier(node.name), node.start);
  const addUiText = (text: string, offset: number) => {
    // A single word is usually a key or a value.
    if (showsUiText(path) && /\S\s+\S/.test(text)) add('UI text', normalizeProse(text), offset);
  };
  new Visitor({
    JSXText: (node) => addUiText(node.value, node.start),
    Literal(node) {
      if (typeof node.value === 'string') addUiText(node.value, node.start);
    },
    TemplateLiteral(node) {
      addUiText(node.quasis.map((part) => part.value.raw).join(' '), node.start);
    },
    Identifier: addName,
    PrivateIdentifier: addName,
    JSXIdentifier: addName,
    CallExpression(node) {
      const [title] = node.arguments;
      if (title === undefined || !isTestFunction(source.slice(node.callee.start, node.callee.end)))
        return;
      if (title.type === 'Literal' && typeof title.value === 'string') {
        add('test title', normalizeProse(title.value), title.start);
      }
      if (title.type === 'TemplateLiteral') {
        const text = title.quasis.map((part) => part.value.raw).join(' ');
        add('test title', normalizeProse(text), title.start);
      }
    },
  }).visit(program);
  return texts;
}

/** Code, link targets and quoted UI text are left out. */
function extractParagraphs(source: string): CodeText[] {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');
  const prose = source
    .replaceAll(/^```[\s\S]*?^```/gm, blank)
    .replaceAll(/`[^`\n]*`|\]\([^)\n]*\)|"[^"\n]*"/g, blank);
  const texts: CodeText[] = [];
  let line = 1;
  for (const paragraph of prose.split(/\n(?=\s*\n)/)) {
    texts.push({ kind: 'paragraph', text: normalizeProse(paragraph), line });
    line += paragraph.split('\n').length;
  }
  return texts;
}

/** Files of the web app, the contract and the server's domains: tutors and families read their strings. */
const showsUiText = (path: string) =>
  /^(apps\/web\/src|packages\/contract\/src|apps\/server\/src\/domains)\//.test(path) &&
  !/\.test\.tsx?$|\/test\//.test(path);

const isTestFunction = (callee: string) => /^(test|it|describe)\b/.test(callee);

/** `byItself`, `by-itself` and `BY_ITSELF` all become "by itself". */
export function splitIdentifier(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_$-]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A phrase may be split across two lines of a comment. */
const normalizeProse = (text: string) => text.replaceAll(/[\s*]+/g, ' ').toLowerCase();
