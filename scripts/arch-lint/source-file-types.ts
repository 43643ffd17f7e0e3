export interface Import {
  /** The specifier as written in the source. */
  specifier: string;
  /** Path of the imported file, if it is in this repository. */
  target: string | undefined;
  line: number;
  reexport: boolean;
}

/** A use of syntax that a rule restricts. */
export interface SyntaxUse {
  kind: 'clock' | 'endpoint-schema' | 'environment' | 'form' | 'sql' | 'star-export';
  line: number;
}

export interface SourceFile {
  /** Relative to the repository root, with forward slashes. */
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

/** Whether a file is a test or test support code; most import rules do not apply to it. */
export function isTest(path: string): boolean {
  return (
    /\.(test|spec)\.tsx?$/.test(path) ||
    path.startsWith('e2e/') ||
    /^apps\/(server|web)\/src\/test\//.test(path)
  );
}
