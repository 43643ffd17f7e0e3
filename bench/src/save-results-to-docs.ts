import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { describeSettings, repositoryRoot } from './postgres-server.ts';

const docsPage = join(repositoryRoot, 'docs/performance.md');

export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model}, ${memory} GB, Node ${process.version}, PostgreSQL 18 (${describeSettings()}), all on this one machine`;
}

/** Writes the result between the two marker comments on the docs page. */
export function saveResultsToDocs(kind: Options['kind'], command: string, result: string): void {
  const text = readFileSync(docsPage, 'utf8');
  const [start, end] = [`<!-- bench ${kind} -->`, `<!-- end of bench ${kind} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`${docsPage} has no markers for bench ${kind}`);
  const today = new Date().toISOString().slice(0, 10);
  const body = `\`${command}\`, ${today}\n\n${describeMachine()}\n\n${result}`;
  writeFileSync(docsPage, `${text.slice(0, from + start.length)}\n\n${body}\n\n${text.slice(to)}`);
}
