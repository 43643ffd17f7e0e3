import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDERS = 'apps|packages|fakes|test-env|e2e|bench|chaos|scripts|deploy|docs|tools';

/** A file given by its path from the root. */
const SOURCE_PATH = new RegExp(`^(${FOLDERS})/[\\w./-]+\\.(tsx?|sql|md|json|csv|css|ya?ml)$`);

/** A source file given by the end of its path, such as `platform/db/database.ts`, or a migration. */
const END_OF_PATH = /^([\w.-]+\/)+[\w.-]+\.tsx?$|^\d{4}_\w+\.sql$/;

/** The Markdown files of the repository, relative to `root`. */
export const findDocs = (root: string): string[] =>
  globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted();

/** Checks the links, commands and file paths in the Markdown files `pages`, given relative to `root`. */
export function checkDocs(root: string, pages: readonly string[]): string[] {
  const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts?: Record<string, string>;
  };
  const scripts = new Set(Object.keys(packageJson.scripts ?? {}));
  const files = findSourceFiles(root);
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    return [
      ...brokenLinks(root, page, text),
      ...unknownCommands(text, scripts),
      ...missingFiles(root, text, files),
    ].map((problem) => `${page}: ${problem}`);
  });
}

function brokenLinks(root: string, page: string, text: string): string[] {
  const links = [...withoutCodeBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
  return links
    .filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !headingAnchors(join(root, target)).includes(anchor);
    })
    .map((link) => `broken link ${link}`);
}

function unknownCommands(text: string, scripts: ReadonlySet<string>): string[] {
  const names = [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  return names
    .filter((name) => !scripts.has(name))
    .map((name) => `"npm run ${name}" does not exist`);
}

/** TypeScript files and migrations, relative to `root`. */
const findSourceFiles = (root: string): string[] =>
  globSync(`{${FOLDERS.replaceAll('|', ',')}}/**/*.{ts,tsx,sql}`, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|\.cache)$/.test(path),
  });

function missingFiles(root: string, text: string, files: readonly string[]): string[] {
  const spans = [...withoutCodeBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans
    .filter((span) => {
      if (SOURCE_PATH.test(span)) return !existsSync(join(root, span));
      if (!END_OF_PATH.test(span)) return false;
      // 'contract/dates.ts' is short for '@lessonbook/contract/dates'.
      const end = `/${span.replace(/^contract\//, 'contract/src/')}`;
      return !files.some((file) => file.endsWith(end));
    })
    .map((path) => `${path} does not exist`);
}

const withoutCodeBlocks = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '');

/** The anchors that GitHub gives to the headings of a page. */
const headingAnchors = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );
