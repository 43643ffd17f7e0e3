import type { Problem, SourceFile } from './source-file-types.ts';

/** Reports each import cycle once, including cycles through type imports. */
export function checkImportCycles(files: readonly SourceFile[]): Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const finished = new Set<string>();
  const trail: string[] = [];
  const problems: Problem[] = [];

  function visit(path: string): void {
    trail.push(path);
    for (const { target, line } of byPath.get(path)?.imports ?? []) {
      if (target === undefined || !byPath.has(target) || finished.has(target)) continue;
      const start = trail.indexOf(target);
      if (start === -1) visit(target);
      else problems.push({ path, line, message: describe([...trail.slice(start), target]) });
    }
    trail.pop();
    finished.add(path);
  }

  for (const file of files) {
    if (!finished.has(file.path)) visit(file.path);
  }
  return problems;
}

function describe(cycle: string[]): string {
  return `Import cycle: ${cycle.join(' → ')}. Move the shared code into a file that both import`;
}
