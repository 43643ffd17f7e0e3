/** Checks that links, commands and file paths in the docs exist. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkDocs } from './docs-lint/check-docs.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted();
const problems = checkDocs(root, pages);

for (const problem of problems) console.log(problem);
console.log(`Docs: ${pages.length} pages, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
