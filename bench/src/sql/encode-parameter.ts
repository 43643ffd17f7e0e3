/** A parameter in PostgreSQL's text format, as the driver sends it. */
export function encodeParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map(encodeElement).join(',')}}`;
  if (typeof value === 'string') return value;
  // Numbers and booleans have the same text in JSON and PostgreSQL.
  return JSON.stringify(value);
}

function encodeElement(value: unknown): string {
  const text = encodeParameter(value);
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
