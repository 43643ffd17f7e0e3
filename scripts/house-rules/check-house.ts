import { checkCircles } from './circles.ts';
import { checkLayout } from './layout.ts';
import { checkServerImports } from './server-imports.ts';
import { checkSharedWalls } from './shared-walls.ts';
import type { Problem } from './source-file.ts';
import { readSourceTree } from './source-tree.ts';
import { checkWebImports } from './web-imports.ts';

const RULES = [checkLayout, checkServerImports, checkWebImports, checkSharedWalls, checkCircles];

/** All rules on all files below `root`; the problems in the order of the files. */
export function checkHouse(root: string): Problem[] {
  const files = readSourceTree(root);
  return RULES.flatMap((rule) => rule(files)).toSorted(
    (one, other) => one.path.localeCompare(other.path) || one.line - other.line,
  );
}
