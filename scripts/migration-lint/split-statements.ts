export interface Statement {
  /** In lower case, without comments or quoted text, and with single spaces. */
  text: string;
  /** The text between $$: the body of a do block or function. */
  body: string;
  line: number;
}

/** Splits SQL into statements. Handles comments, quotes and dollar quotes only. */
export function splitStatements(sql: string): Statement[] {
  const pattern =
    /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|;|[^]/g;
  const found: Statement[] = [];
  let text = '';
  let body = '';
  let start = 0;
  for (const match of sql.matchAll(pattern)) {
    const [piece] = match;
    if (piece === ';') {
      addStatement();
    } else if (piece.startsWith('--') || piece.startsWith('/*')) {
      text += ' ';
    } else if (piece.startsWith('$') && piece.length > 1) {
      body += piece;
      text += ' $$ ';
    } else if (piece.startsWith("'")) {
      text += "''";
    } else {
      if (text.trim() === '' && piece.trim() !== '') start = match.index;
      text += piece.replaceAll('"', '');
    }
  }
  addStatement();
  return found;

  function addStatement(): void {
    const normalized = text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
    if (normalized !== '') {
      const line = sql.slice(0, start).split('\n').length;
      found.push({ text: normalized, body: body.toLowerCase(), line });
    }
    text = '';
    body = '';
  }
}
