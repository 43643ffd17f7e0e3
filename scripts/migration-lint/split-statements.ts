export interface Statement {
  /** Without comments, in small letters, with single spaces; what stands between quotes is left out of it. */
  text: string;
  /** What stood between $$, where `do` and functions keep their body. */
  body: string;
  line: number;
}

/** Cuts a file of SQL into statements. Knows comments, quotes and dollar quotes, and nothing else. */
export function splitStatements(sql: string): Statement[] {
  const pattern =
    /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|;|[^]/g;
  const found: Statement[] = [];
  let text = '';
  let body = '';
  let begun = 0;
  for (const match of sql.matchAll(pattern)) {
    const [piece] = match;
    if (piece === ';') {
      keep();
    } else if (piece.startsWith('--') || piece.startsWith('/*')) {
      text += ' ';
    } else if (piece.startsWith('$') && piece.length > 1) {
      body += piece;
      text += ' $$ ';
    } else if (piece.startsWith("'")) {
      text += "''";
    } else {
      if (text.trim() === '' && piece.trim() !== '') begun = match.index;
      text += piece.replaceAll('"', '');
    }
  }
  keep();
  return found;

  function keep(): void {
    const plain = text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
    if (plain !== '') {
      const line = sql.slice(0, begun).split('\n').length;
      found.push({ text: plain, body: body.toLowerCase(), line });
    }
    text = '';
    body = '';
  }
}
