export interface Import {
  /** As written. */
  specifier: string;
  /** Path of the file it leads to, when that is one of ours. */
  target: string | undefined;
  line: number;
  reexport: boolean;
}

/** A place in the code that a rule may care about, found by reading the syntax tree. */
export interface SyntaxUse {
  kind: 'clock' | 'environment' | 'sql' | 'star-export';
  line: number;
}

export interface SourceFile {
  /** From the root, with forward slashes. */
  path: string;
  lines: number;
  imports: Import[];
  uses: SyntaxUse[];
}

export interface Problem {
  path: string;
  line: number;
  message: string;
}

/** Tests may look behind every wall. */
export function isTest(path: string): boolean {
  return (
    /\.(test|spec)\.tsx?$/.test(path) ||
    path.startsWith('e2e/') ||
    /^apps\/(server|web)\/src\/test\//.test(path)
  );
}
