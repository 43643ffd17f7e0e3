import { checkImportCycles } from './import-cycles.ts';
import { checkLayout } from './layout.ts';
import { checkServerImports } from './server-imports.ts';
import { checkSharedRules } from './shared-rules.ts';
import type { Problem } from './source-file-types.ts';
import { readSourceTree } from './source-tree.ts';
import { checkWebForms } from './web-forms.ts';
import { checkWebImports } from './web-imports.ts';

const RULES = [
  checkLayout,
  checkServerImports,
  checkWebImports,
  checkWebForms,
  checkSharedRules,
  checkImportCycles,
];

/** Applies every rule to every file under `root`. Problems are sorted by file. */
export function checkArchitecture(root: string): Problem[] {
  const files = readSourceTree(root);
  return RULES.flatMap((rule) => rule(files)).toSorted(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line,
  );
}
