import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const DOCS_PAGE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));
const [START, END] = ['<!-- chaos long -->', '<!-- end of chaos long -->'];

/** Writes the result between the two marker comments on the docs page. */
export function saveResultsToDocs(command: string, result: string): void {
  const text = readFileSync(DOCS_PAGE, 'utf8');
  const [from, to] = [text.indexOf(START), text.indexOf(END)];
  if (from === -1 || to === -1) throw new Error(`${DOCS_PAGE} has no markers for the result`);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, load ${loadavg()[1]?.toFixed(0)}`;
  const today = new Date().toISOString().slice(0, 10);
  const body = `\`${command}\`, ${today}, ${machine}\n\n\`\`\`\n${result}\n\`\`\``;
  writeFileSync(DOCS_PAGE, `${text.slice(0, from + START.length)}\n\n${body}\n\n${text.slice(to)}`);
}
