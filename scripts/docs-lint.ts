/** Checks that links, commands and file paths in the docs exist. */
import { fileURLToPath } from 'node:url';
import { checkDocs, findDocs } from './docs-lint/check-docs.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = findDocs(root);
const problems = checkDocs(root, pages);

for (const problem of problems) console.log(problem);
console.log(`Docs: ${pages.length} pages; problems: ${problems.length}`);
process.exitCode = problems.length === 0 ? 0 : 1;
