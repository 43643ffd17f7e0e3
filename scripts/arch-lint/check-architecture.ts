import { checkImportCycles } from './import-cycles.ts';
import { checkLayout } from './layout.ts';
import { checkServerImports } from './server-imports.ts';
import { checkSharedRules } from './shared-rules.ts';
import type { Problem } from './source-file.ts';
import { readSourceTree } from './source-tree.ts';
import { checkWebImports } from './web-imports.ts';

const RULES = [
  checkLayout,
  checkServerImports,
  checkWebImports,
  checkSharedRules,
  checkImportCycles,
];

/** All rules on all files below `root`; the problems in the order of the files. */
export function checkArchitecture(root: string): Problem[] {
  const files = readSourceTree(root);
  return RULES.flatMap((rule) => rule(files)).toSorted(
    (one, other) => one.path.localeCompare(other.path) || one.line - other.line,
  );
}
