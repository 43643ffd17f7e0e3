import { spawn } from 'node:child_process';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  /** Both streams together. */
  readonly output: string;
}

/** Runs a program until it ends, without blocking, so that servers in this process keep responding. */
export function runProgram(
  program: string,
  args: readonly string[],
  input = '',
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, output }));
    // A program that ends without reading its input is not an error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Like `runProgram`, but throws with the program's output if it fails; returns stdout. */
export async function runProgramOrThrow(
  program: string,
  args: readonly string[],
  input = '',
): Promise<string> {
  const { code, stdout, output } = await runProgram(program, args, input);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed (${code}):\n${output}`);
  return stdout;
}
